/** The redirect URI: receives the provider's answer, for an elicitation or for a login. */

import type { Context as Http } from 'hono'

import { CallFailure, failureCode } from '../failure.ts'
import type { Flow } from '../oauth/flows.ts'
import type { Work } from '../work.ts'
import { rememberLogin } from './logins.ts'

/** Nothing that is refused here ends anything: the right answer may still come. */
export async function handleCallback(work: Work, http: Http): Promise<Response> {
  const { parts, settings, flows } = work
  const query = new URL(http.req.url).searchParams
  const flow = parts.validateState(query, flows)
  if (flow === undefined) {
    parts.log({ event: 'callback-ignored', outcome: 'state' })
    return parts.renderPage(http, 'unknown')
  }
  if (!parts.isAnswer(query)) return parts.renderPage(http, 'incomplete')
  if (!parts.isSameBrowser(http, flow)) {
    parts.log({ event: 'callback-ignored', outcome: 'browser' })
    return parts.renderPage(http, 'other-browser')
  }
  if (!parts.claimFlow(flow, flows)) return parts.renderPage(http, 'unknown')
  parts.forgetBrowser(http, flow, settings.publicUrl)
  return flow.purpose.kind === 'login'
    ? finishLogin(work, http, flow, flow.purpose, query)
    : finishConnect(work, http, flow, flow.purpose.elicitation, query)
}

async function finishConnect(
  work: Work,
  http: Http,
  flow: Flow,
  id: string,
  query: URLSearchParams,
): Promise<Response> {
  const { parts, elicitations, vault } = work
  const elicitation = elicitations.find(id)
  if (!elicitation || !parts.isPending(elicitation)) return parts.renderPage(http, 'unknown')
  try {
    const provider = await work.provider()
    const response = parts.validateResponse(provider, query)
    const { redirectUri, verifier } = flow
    const grant = { response, redirectUri, verifier, scopes: elicitation.scopes }
    await vault.save(elicitation.owner, await parts.exchangeCode(provider, grant, parts.now))
    elicitation.settle({ kind: 'authorized' })
    parts.log({ event: 'elicitation-ended', elicitation: id, outcome: 'authorized' })
    return await parts.renderPage(http, 'approved')
  } catch (error) {
    const failure = error instanceof CallFailure ? error : new CallFailure('token-request-failed')
    elicitation.settle({ kind: 'refused', failure })
    parts.log({ event: 'elicitation-ended', elicitation: id, outcome: failureCode(error) })
    return parts.renderPage(http, 'refused')
  }
}

async function finishLogin(
  work: Work,
  http: Http,
  { redirectUri, verifier }: Flow,
  { nonce, returnTo }: { readonly nonce: string; readonly returnTo: string },
  query: URLSearchParams,
): Promise<Response> {
  const { parts, settings, logins } = work
  try {
    const provider = await work.provider()
    const response = parts.validateResponse(provider, query)
    const grant = { response, redirectUri, verifier }
    const subject = await parts.exchangeLogin(provider, grant, nonce)
    rememberLogin(http, logins.add(subject), settings.publicUrl)
    parts.log({ event: 'logged-in' })
    return http.redirect(returnTo)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    return parts.renderPage(http, 'refused')
  }
}
