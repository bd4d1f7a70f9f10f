import { declaresMode } from '../capabilities.ts'
import { check, inEveryCall, sendsNoContent } from '../checks.ts'
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
      inEveryCall('a URL was opened before its user agreed', ({ opened }) => opened),
    ),
    check(
      'mcp-url-elicitation/client/no-prefetch',
      'never fetches anything before its user agrees',
      inEveryCall('a site got a request before the user had agreed', ({ visits }) => visits),
    ),
    check(
      'mcp-url-elicitation/client/accept-without-content',
      'sends no content with any answer',
      sendsNoContent,
    ),
  ],
})
