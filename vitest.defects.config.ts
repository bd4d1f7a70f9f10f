import { defineConfig } from 'vitest/config'

/** Every defect and oddity of the reference implementations: `npm run test:defects`. */
export default defineConfig({
  test: {
    include: ['tests/proof/*.self.test.ts'],
    // A line for each defect as soon as it has been judged.
    reporters: ['verbose'],
    // A run spends most of its time waiting.
    maxConcurrency: 8,
    // A run that a starved machine spoilt is driven anew, alone or beside few; what a check does wrong it does again.
    retry: 1,
    testTimeout: 600_000,
  },
})
