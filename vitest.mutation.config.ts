import { defineConfig } from 'vitest/config'

/** The fast tests of the judges, for mutation testing: `npm run test:mutation`. */
export default defineConfig({
  test: {
    include: ['suites/rap-oauth/**/*.test.ts'],
    exclude: ['node_modules', 'dist'],
  },
})
