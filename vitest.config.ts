import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts', 'suites/**/*.suite.ts'],
    // The proofs that take minutes have configurations of their own: vitest.self.config.ts, vitest.defects.config.ts.
    exclude: ['node_modules', 'dist', '**/*.self.test.ts'],
    // Files share a module graph per worker: importing the harness anew for each costs more than the tests.
    isolate: false,
    // By default one processor of two would stay idle.
    maxWorkers: '100%',
    reporters: ['default', './tests/skip-reasons.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
})
