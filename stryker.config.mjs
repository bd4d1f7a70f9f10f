/** Mutation testing of the judges: `npm run test:mutation -- --mutate suites/rap-oauth/tool/view.ts` for one file. */

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: [
    'suites/rap-oauth/*/{checks,view,pending-notice}.ts',
    'suites/rap-oauth/*/judges/*.ts',
    'suites/rap-oauth/*/scenarios/*.ts',
    '!**/*.test.ts',
  ],
  // The words of a finding change no verdict.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Rewriting tsconfig.json takes the compiler's JavaScript API, which TypeScript 7 does not have; nothing needs it.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}
