/** The end session endpoint, where a client sends users to sign out (OpenID Connect RP-Initiated Logout 1.0). */
import { findClient } from '../clients/client-id-metadata.ts'
import type { RegisteredClient } from '../clients/client.ts'
import type { Endpoint, Exchange } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { refuseDuplicates, type Parameters } from '../http/parameters.ts'
import { redirect, type Reply } from '../http/reply.ts'
import { ownIdToken, type OwnIdToken } from '../openid/own-id-token.ts'
import { sessionCookie, sessionOf } from '../openid/sessions.ts'
import { errorPage, signedOutPage, signOutPage } from '../pages/pages.ts'
import type { ProviderState } from '../provider/state.ts'

/** Where the user goes on, once signed out. */
interface Return {
  readonly client: RegisteredClient | undefined
  readonly location: string | undefined
}

export function endSessionEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'end-session',
    // §2: both must be supported
    methods: ['GET', 'POST'],
    path: '/end_session',
    async handle(exchange) {
      const parameters = exchange.method === 'POST' ? exchange.form : exchange.query
      try {
        refuseDuplicates(parameters)
        const hint = await hintIn(state, parameters)
        const back = await returnOf(state, parameters, hint)
        const session = await sessionOf(state, exchange)
        // §2: without a hint about the one who is signed in, it could be anybody who wants this
        const confirmed = exchange.method === 'POST' && parameters.get('confirm') === 'yes'
        const hinted = hint !== undefined && (session?.subject ?? hint.sub) === hint.sub
        if (!confirmed && !hinted) {
          const { branding } = state.settings
          return await signOutPage(back.client?.name, parameters.entries, branding)
        }
        return await signOut(state, exchange, back)
      } catch (error) {
        // §4: nobody is redirected to where an invalid request says
        if (error instanceof OAuthError) return errorPage(error)
        throw error
      }
    },
  }
}

async function hintIn(
  state: ProviderState,
  parameters: Parameters,
): Promise<OwnIdToken | undefined> {
  const hint = parameters.get('id_token_hint')
  if (hint === undefined) return undefined
  const known = await ownIdToken(state, hint)
  if (known) return known
  throw new OAuthError('invalid_request', 'The id_token_hint is not an ID token of this provider')
}

/** §3: only to an address that the client registered, by simple string comparison. */
async function returnOf(
  state: ProviderState,
  parameters: Parameters,
  hint: OwnIdToken | undefined,
): Promise<Return> {
  const clientId = parameters.get('client_id') ?? hint?.aud
  // §2: both name the same client
  if (hint && hint.aud !== clientId) {
    throw new OAuthError('invalid_request', 'The id_token_hint was issued to another client')
  }
  const client = await findClient(state, clientId)
  if (clientId !== undefined && !client) {
    throw new OAuthError('invalid_client', 'The client is unknown')
  }
  const uri = parameters.get('post_logout_redirect_uri')
  if (uri === undefined) return { client, location: undefined }
  if (!client?.postLogoutRedirectUris.includes(uri)) {
    throw new OAuthError('invalid_request', 'The post-logout redirect URI is not registered')
  }
  const given = parameters.get('state')
  const query = given === undefined ? '' : new URLSearchParams({ state: given }).toString()
  const mark = uri.includes('?') ? '&' : '?'
  return { client, location: query === '' ? uri : `${uri}${mark}${query}` }
}

/** Ends the session; what was granted to clients goes on (OpenID Connect Core §11). */
async function signOut(state: ProviderState, exchange: Exchange, back: Return): Promise<Reply> {
  const session = await sessionOf(state, exchange)
  if (session) await state.sessions.take(session.id)
  const reply =
    back.location === undefined
      ? await signedOutPage(state.settings.branding)
      : redirect(back.location)
  return { ...reply, headers: { ...reply.headers, 'set-cookie': sessionCookie(state) } }
}
