import { NotOffered, type Need } from '../../../../../harness/engine/index.ts'
import { isWritten, onlyMessages } from '../../../server/stdout.ts'
import { check } from '../checks.ts'
import { scenario } from './define.ts'

const overStdio: Need = {
  what: 'standard input and output as its transport',
  seen: (run) => [...run.values()].flatMap((t) => t.events).find(isWritten),
}

export const standardOutput = scenario({
  id: 'standard-output',
  title: 'everything that was written to standard output, together',
  after: 'all',
  needs: overStdio,
  drive: async ({ transport }) => {
    if (transport === 'http') throw new NotOffered('it is spoken with over HTTP')
  },
  checks: [
    check('mcp-url-elicitation/server/stdout-only-messages', 'writes messages alone', onlyMessages),
  ],
})
