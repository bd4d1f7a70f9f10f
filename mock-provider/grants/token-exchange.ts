/** Exchanges an access token for another, with less or for somebody who acts for its subject (RFC 8693). */
import {
  authorizationOf,
  expiryOf,
  isLive,
  type Authorization,
  type Token,
} from '../authorization/authorization.ts'
import { resolveScope } from '../authorization/scopes.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { requireParameter, type Parameters } from '../http/parameters.ts'
import type { ProviderState } from '../provider/state.ts'
import { knownTargets, resolveTargets } from '../resource/resource-indicators.ts'
import { issueTokens, type IssuedTokens } from '../tokens/issue-tokens.ts'
import type { GrantRequest } from './grant.ts'

/** RFC 8693 §3. */
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** @throws OAuthError */
export async function exchangeToken({
  state,
  client,
  form,
  jkt,
}: GrantRequest): Promise<IssuedTokens> {
  const subject = await presentedToken(state, form, 'subject_token')
  const actor = await presentedActor(state, form)
  // RFC 9449 §7: whoever has a bound token but not its key has nothing
  if ([subject, actor].some((each) => each?.token.jkt !== undefined && each.token.jkt !== jkt)) {
    throw invalidRequest('a presented token is bound to another key')
  }
  const requested = form.get('requested_token_type') ?? accessTokenType
  if (requested !== accessTokenType) throw invalidRequest('only access tokens are issued')
  const allowed = subject.token.scopes.filter((scope) => client.scopes.includes(scope))
  // RFC 8693 §2.2.1: nothing but the token that was requested
  return issueTokens(state, {
    authorization: subject.authorization,
    client,
    subject: subject.token.subject,
    scopes: resolveScope(form.get('scope'), allowed).filter((scope) => scope !== 'openid'),
    resource: requestedTarget(state, form, subject.token),
    jkt,
    actor: actor?.token.subject,
    notAfter: expiryOf(subject.token, subject.authorization),
    members: { issued_token_type: accessTokenType },
  })
}

interface Presented {
  readonly token: Token
  readonly authorization: Authorization
}

/** RFC 8693 §2.2.2: a token that is not acceptable for whatever reason makes the request invalid. */
async function presentedToken(
  state: ProviderState,
  form: Parameters,
  name: 'subject_token' | 'actor_token',
): Promise<Presented> {
  const token = await state.tokens.get(requireParameter(form, name))
  if (requireParameter(form, `${name}_type`) !== accessTokenType) {
    throw invalidRequest(`the ${name}_type is not supported`)
  }
  const authorization = await authorizationOf(state, token)
  if (token?.kind !== 'access_token' || !isLive(token, authorization, state.clock.now())) {
    throw invalidRequest(`the ${name} is expired, revoked or invalid`)
  }
  return { token, authorization }
}

/** RFC 8693 §2.1: the type of the actor token is required with it and must not come without. */
async function presentedActor(
  state: ProviderState,
  form: Parameters,
): Promise<Presented | undefined> {
  if (form.get('actor_token') !== undefined) return presentedToken(state, form, 'actor_token')
  if (form.get('actor_token_type') !== undefined) throw invalidRequest('there is no actor_token')
  return undefined
}

/** RFC 8693 §2.1: `resource` and `audience` together; never more than the subject token is for. */
function requestedTarget(
  { settings }: ProviderState,
  form: Parameters,
  { audience }: Token,
): readonly string[] {
  const requested = [...form.all('resource'), ...form.all('audience')]
  if (requested.length === 0) return audience
  const isGeneral = audience.includes(settings.issuer)
  return resolveTargets(requested, isGeneral ? knownTargets(settings) : audience)
}

const invalidRequest = (description: string) => new OAuthError('invalid_request', description)
