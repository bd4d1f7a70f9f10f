/** Where an answer of an application leads its user: redirects within it are followed, as a browser does. */

import type { HttpResponse } from '../../../harness/parties/index.ts'
import { redirectLimit } from '../../../harness/parties/user/user-agent.ts'

/** Elsewhere, which is what it opens; or to a page of its own. */
type Landing = { readonly away: string } | { readonly page: HttpResponse }

/** Follows what was answered at a URL. */
export async function landingOf(
  answer: HttpResponse,
  at: string,
  get: (url: string) => Promise<HttpResponse>,
): Promise<Landing> {
  let [page, from] = [answer, at]
  for (let step = 0; step < redirectLimit; step += 1) {
    const { location } = page.headers
    if (!location || page.status < 300 || page.status > 399) break
    const to = URL.canParse(location, from) ? new URL(location, from) : undefined
    if (to?.origin !== new URL(from).origin) return { away: location }
    from = to.href
    page = await get(from)
  }
  return { page }
}
