/** The way to the provider and back: which URL is opened, and what is answered when the browser returns. */

import { postConsent } from './agent-api.ts'
import type { Config } from './environment.ts'
import { fieldsOf, member } from './events.ts'
import type { CredentialRequest, Fields, Pending, Session } from './work.ts'

/** What an authorization URL must be: https, or http on the loopback interface (RFC 8252 §7.3). */
export function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:') return true
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

/** The same URL with a redirect URI, unless it has one. */
export function withRedirect(authUri: string, redirectUri: string): string {
  const url = new URL(authUri)
  if (!url.searchParams.get('redirect_uri')) url.searchParams.set('redirect_uri', redirectUri)
  return url.href
}

/** By what a callback is recognised, and what is answered with it. */
export function parametersOf(url: string): Pick<Pending, 'state' | 'redirectUri'> {
  const query = new URLSearchParams(url.split('?')[1])
  return { state: query.get('state') ?? '', redirectUri: query.get('redirect_uri') ?? '' }
}

/** The URL that the agent made, or has made for it at the route for that. */
export async function authUriOf(
  { consent }: Config,
  { by, config }: CredentialRequest,
  session: Session,
): Promise<{ readonly authUri: string; readonly flowId?: string }> {
  if (by === 'response') {
    if (!consent) throw new Error('CONSENT_BEGIN is not configured')
    const made = await postConsent(consent.begin, { userId: session.user, authConfig: config })
    return { authUri: String(made['authUri']), flowId: String(made['flowId']) }
  }
  const { oauth2 } = fieldsOf(member(config, 'exchangedAuthCredential'))
  return { authUri: String(member(fieldsOf(oauth2), 'authUri')) }
}

/** The AuthConfig that answers: as it came, with what the callback brought. */
export async function answerFor(config: Config, pending: Pending, url: string): Promise<Fields> {
  const { request, redirectUri } = pending
  if (request.by === 'response') return credentialFor(config, pending, url)
  const name = Object.hasOwn(request.config, 'exchanged_auth_credential')
    ? 'exchanged_auth_credential'
    : 'exchangedAuthCredential'
  const exchanged = fieldsOf(request.config[name])
  const given = { authResponseUri: url, redirectUri }
  return {
    ...request.config,
    [name]: { ...exchanged, oauth2: { ...fieldsOf(exchanged['oauth2']), ...given } },
  }
}

/** Has the credential made; the AuthConfig goes back as it came where the user has denied. */
async function credentialFor(
  { consent }: Config,
  { request, session, flowId }: Pending,
  url: string,
): Promise<Fields> {
  const query = new URL(url).searchParams
  const code = query.get('code')
  if (code === null || !consent) return request.config
  const { credential } = await postConsent(consent.complete, {
    userId: session.user,
    flowId,
    state: query.get('state'),
    code,
    ...(query.has('iss') ? { iss: query.get('iss') } : {}),
  })
  return { ...request.config, exchanged_auth_credential: credential }
}
