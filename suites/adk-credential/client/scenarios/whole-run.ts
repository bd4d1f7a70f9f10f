import { check } from '../checks.ts'
import { exposesNoCode } from '../exposure.ts'
import { loadsNothingForeign } from '../../../oauth-client/scenarios/index.ts'
import { scenario } from './define.ts'

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  drive: () => Promise.resolve(),
  checks: [
    check('adk-credential/client/code-not-exposed', 'never shows a code or a token', exposesNoCode),
    loadsNothingForeign,
  ],
})
