import { defineConfig } from 'vitest/config'

/** Whole runs against whole implementations, through the built package: `npm run test:self`. */
export default defineConfig({
  test: {
    include: ['**/*.self.test.ts'],
    exclude: ['node_modules', 'dist', 'tests/proof'],
    globalSetup: ['tests/recorded-runs.ts'],
    // A run waits for a good part of its time, but many at once would only measure each other.
    maxWorkers: 3,
    // Those of one file that say so wait nearly all of it.
    maxConcurrency: 6,
    isolate: false,
    reporters: ['verbose'],
    // A run that a starved machine spoilt is driven anew; what is wrong is wrong again.
    retry: 1,
    testTimeout: 300_000,
    hookTimeout: 180_000,
  },
})
