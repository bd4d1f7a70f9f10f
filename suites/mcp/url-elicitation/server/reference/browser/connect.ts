/** Sends the right user on to the provider, and nobody else. */

import type { Context as Http } from 'hono'

import { CallFailure } from '../failure.ts'
import type { Work } from '../work.ts'
import { beginFlow } from './begin-flow.ts'

export async function handleConnect(work: Work, http: Http): Promise<Response> {
  const { parts, settings, elicitations, logins } = work
  const elicitation = elicitations.find(http.req.query('elicitation') ?? '')
  if (!elicitation || !parts.isPending(elicitation)) return parts.renderPage(http, 'unknown')

  const { principal, scopes, id } = elicitation
  if (principal.kind === 'user') {
    const subject = parts.loggedIn(http, logins, settings.publicUrl)
    if (subject === undefined) {
      const returnTo = new URLSearchParams({ return: parts.connectUrl(settings, elicitation) })
      return http.redirect(`${settings.publicUrl}/login?${returnTo.toString()}`)
    }
    if (!parts.isSameUser(principal, subject)) {
      parts.log({ event: 'browser-refused', elicitation: id, outcome: 'other_user' })
      return parts.renderPage(http, 'other-user')
    }
  }
  try {
    const flow = await beginFlow(work, { kind: 'connect', elicitation: id }, scopes)
    parts.rememberBrowser(http, flow.state, flow.browser, settings)
    return await parts.sendToProvider(http, flow.url)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    elicitation.settle({ kind: 'refused', failure: error })
    return parts.renderPage(http, 'unavailable')
  }
}
