/** What the page that answers the redirect of the provider loads: its address holds code and state (RFC 9700 §4.2.4). */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Answer,
  type Check,
} from '../../../harness/engine/index.ts'
import { isForeign, resourcesOf } from '../page-resources.ts'
import { isPage } from './pages.ts'

/** Whoever answers the redirect, and whatever its vendor declared. */
export const loadsNothingForeign: Check = {
  requirement: 'oauth-client/no-foreign-resources-on-callback-page',
  title: 'the page after the redirect loads nothing from another site',
  judge(t) {
    const answered = t
      .requests('browser')
      .filter(({ url }) => isAuthorizationResponse(url))
      .map((request) => ({ request, answer: t.answer(request) }))
      .filter(({ answer }) => answer?.type === 'response')
    if (answered.length === 0) return inconclusive('no redirect of the provider was answered')
    for (const { request, answer } of answered) {
      const foreign = resourcesOf(markupOf(answer), request.url).find((url) =>
        isForeign(url, request.url),
      )
      if (!foreign) continue
      return violation(
        'the page after the redirect makes the browser load something from another site',
        {
          expected:
            'nothing loaded from another site, because the address of the page contains the code',
          actual: foreign.origin + foreign.pathname,
        },
        cite(request, answer),
      )
    }
    const some = answered.slice(0, 3).flatMap(({ answer }) => cite(answer))
    return pass(`${answered.length} answers`, some)
  },
}

/**
 * A redirect of the client to a page of its own without the code is no such address any more. Of an address that showed a
 * secret in disguise, as a `state` that holds the verifier, no parameter is left to read.
 */
function isAuthorizationResponse(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { searchParams } = new URL(url)
  return searchParams.has('code') || searchParams.has('error')
}

/** What a browser would render; the body of a redirect it does not. */
function markupOf(answer: Answer): string {
  if (answer?.type !== 'response' || !isPage(answer)) return ''
  return answer.status >= 300 && answer.status < 400 ? '' : (answer.body?.text ?? '')
}
