import { keepsSecrets } from '../judges/leaks.ts'
import { check, scenario } from './define.ts'

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    check('mcp-auth-challenge/server/no-secrets-in-output', 'lets no token out', keepsSecrets),
  ],
})
