/** Who is signed in at a user agent, since when, and what they agreed to (OpenID Connect Core §3.1.2.3, §3.1.2.4). */
import { hash } from 'node:crypto'
import type { Authorization } from '../authorization/authorization.ts'
import type { Exchange } from '../http/exchange.ts'
import type { ProviderState } from '../provider/state.ts'
import { retentionOf } from '../tokens/lifetimes.ts'
import type { OpenIdRequest } from './openid-request.ts'
import type { Session } from './session.ts'

type Visit = Pick<Exchange, 'headers'>

/** The session that a user agent's cookie names. */
export async function sessionOf(
  { sessions, settings }: ProviderState,
  { headers }: Visit,
): Promise<Session | undefined> {
  const name = cookieName(settings.issuer)
  const cookies = headers.get('cookie')?.split(/; */) ?? []
  const cookie = cookies.find((each) => each.startsWith(`${name}=`))
  return sessions.get(cookie?.slice(name.length + 1))
}

/** A cookie ignores ports (RFC 6265 §8.5), so several providers of one host have names of their own. */
const cookieName = (issuer: string) => `aoc_session_${hash('sha256', issuer, 'hex').slice(0, 8)}`

/** The cookie of a session; without one it is removed. */
export function sessionCookie({ settings }: ProviderState, session?: Session): string {
  const { protocol, pathname } = new URL(settings.issuer)
  // a client asks silently from a frame in a page of its own, where SameSite=None is needed
  const crossSite = protocol === 'https:' ? 'SameSite=None; Secure' : 'SameSite=Lax'
  const end = session ? '' : '; Max-Age=0'
  const value = `${cookieName(settings.issuer)}=${session?.id ?? ''}`
  return `${value}; Path=${pathname}; HttpOnly; ${crossSite}${end}`
}

/** Tells whether the user has to sign in anew for a request. */
function mustSignIn(
  { authenticatedAt }: Session,
  { prompt, maxAge = Infinity }: OpenIdRequest,
  now: number,
): boolean {
  return prompt.includes('login') || now - authenticatedAt > maxAge * 1000
}

/** Why a request must not be answered without asking the user, if so (OpenID Connect Core §3.1.2.6). */
export function silentRefusal(
  session: Session | undefined,
  { request, scopes }: Authorization,
  now: number,
): 'login_required' | 'consent_required' | undefined {
  const { openid = { prompt: [] }, clientId } = request
  if (!session || mustSignIn(session, openid, now)) return 'login_required'
  if (openid.subject !== undefined && openid.subject !== session.subject) return 'login_required'
  const granted = session.consents[clientId] ?? []
  return scopes.every((scope) => granted.includes(scope)) ? undefined : 'consent_required'
}

/** Signs a user in by a decision, or goes on with the session there is; notes what was granted. */
export async function signIn(
  state: ProviderState,
  visit: Visit,
  subject: string,
  { request, scopes }: Authorization,
): Promise<Session> {
  const now = state.clock.now()
  const { openid = { prompt: [] }, clientId } = request
  const earlier = await sessionOf(state, visit)
  const same = earlier?.subject === subject ? earlier : undefined
  const session: Session = {
    id: same?.id ?? state.opaque('session_'),
    subject,
    authenticatedAt: same && !mustSignIn(same, openid, now) ? same.authenticatedAt : now,
    consents: { ...same?.consents, [clientId]: scopes },
  }
  if (!same) state.ledger.record({ kind: 'session', value: session.id })
  if (earlier && !same) await state.sessions.take(earlier.id)
  await state.sessions.set(session.id, session, retentionOf(state.settings))
  return session
}
