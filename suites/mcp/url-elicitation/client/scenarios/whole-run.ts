import { declaresMode } from '../capabilities.ts'
import { check, fetchesNothingAtAll, opensAfterConsentAlways, sendsNoContent } from '../checks.ts'
import { scenario } from './define.ts'

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  drive: () => Promise.resolve(),
  checks: [
    check(
      'mcp-url-elicitation/client/declare-mode',
      'declares the same on every occasion',
      declaresMode,
    ),
    check(
      'mcp-url-elicitation/client/consent-before-opening',
      'never opens anything before its user agrees',
      opensAfterConsentAlways,
    ),
    check(
      'mcp-url-elicitation/client/no-prefetch',
      'never fetches anything itself',
      fetchesNothingAtAll,
    ),
    check(
      'mcp-url-elicitation/client/accept-without-content',
      'sends no content with any answer',
      sendsNoContent,
    ),
  ],
})
