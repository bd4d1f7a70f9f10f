import { defineConfig } from 'vitest/config'

/** Every defect of the reference implementations, each in whole runs: `npm run test:defects`. */
export default defineConfig({
  test: {
    include: ['tests/defects/*.self.test.ts'],
    // A line for each defect as soon as it has been judged.
    reporters: ['verbose'],
    // A run spends half of its time waiting.
    maxConcurrency: 3,
    testTimeout: 600_000,
  },
})
