import { defineConfig } from 'vitest/config'

/** Whole runs against whole implementations, through the built package: `npm run test:self`. */
export default defineConfig({
  test: {
    include: ['tests/*.self.test.ts'],
    // A run takes both cores by itself; two at once would only measure each other.
    fileParallelism: false,
    isolate: false,
    reporters: ['verbose'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
  },
})
