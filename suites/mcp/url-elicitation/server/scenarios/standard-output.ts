import { onlyMessages } from '../../../server/stdout.ts'
import { check } from '../checks.ts'
import { needsStdio } from '../conditions.ts'
import { scenario } from './define.ts'

export const standardOutput = scenario({
  id: 'standard-output',
  title: 'everything that was written to standard output, together',
  after: 'all',
  notApplicable: needsStdio,
  drive: () => Promise.resolve(),
  checks: [
    check('mcp-url-elicitation/server/stdout-only-messages', 'writes messages alone', onlyMessages),
  ],
})
