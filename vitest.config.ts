import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts', 'suites/**/*.suite.ts'],
    exclude: ['node_modules', 'dist'],
    // Files share a module graph per worker: importing the harness anew for each costs more than the tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
