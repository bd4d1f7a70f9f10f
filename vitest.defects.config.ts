import { defineConfig } from 'vitest/config'
import { readOptions, variables, workersOf } from './tests/proof/options.ts'

const options = readOptions(process.env)
const workers = workersOf(options)

/** Every defect and oddity of the reference implementations: `npm run test:defects`. */
export default defineConfig({
  test: {
    // By default one processor of two would stay idle.
    maxWorkers: workers.length,
    // A line for each defect as soon as it has been judged.
    reporters: ['verbose'],
    projects: workers.map((worker) => ({
      test: {
        name: worker,
        include: ['tests/proof/*.self.test.ts'],
        env: { [variables.worker]: worker },
        // A run of few scenarios spends most of its time waiting; one of all keeps a processor busy.
        maxConcurrency: options.full ? 3 : 8,
        // A run that a starved machine spoilt is driven anew, alone or beside few; what a check does wrong it does again.
        retry: 1,
        testTimeout: 600_000,
      },
    })),
  },
})
