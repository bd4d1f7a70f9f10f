import { defineConfig } from 'vitest/config'

/** The proofs that take minutes: `npm run test:defects`. */
export default defineConfig({
  test: {
    include: ['**/*.self.test.ts'],
    exclude: ['node_modules', 'dist'],
    // A line for each defect as soon as it has been judged.
    reporters: ['verbose'],
    // A run spends half of its time waiting.
    maxConcurrency: 4,
    testTimeout: 300_000,
  },
})
