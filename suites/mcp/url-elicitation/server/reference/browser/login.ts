/** Logs a browser's user in at the authorization server (OpenID Connect). */

import { randomBytes } from 'node:crypto'

import type { Context as Http } from 'hono'

import { CallFailure } from '../failure.ts'
import type { Work } from '../work.ts'
import { beginFlow } from './begin-flow.ts'

export async function handleLogin(work: Work, http: Http): Promise<Response> {
  const { parts, settings } = work
  const purpose = {
    kind: 'login',
    nonce: randomBytes(32).toString('base64url'),
    returnTo: parts.safeReturn(settings.publicUrl, http.req.query('return') ?? ''),
  } as const
  try {
    const flow = await beginFlow(work, purpose, ['openid'])
    parts.rememberBrowser(http, flow.state, flow.browser, settings)
    return http.redirect(flow.url.href)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    return parts.renderPage(http, 'unavailable')
  }
}
