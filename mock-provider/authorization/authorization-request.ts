/** Resolves and validates an authorization request (RFC 6749 §4.1.1), pushed or not. */
import { findClient } from '../clients/client-id-metadata.ts'
import type { RegisteredClient } from '../clients/client.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { refuseDuplicates, requireParameter, type Parameters } from '../http/parameters.ts'
import type { AuthorizationRequestDetail } from '../log/events.ts'
import { requireAcceptable } from '../presets/apply.ts'
import { readOpenIdRequest } from '../openid/read-openid-request.ts'
import type { Settings } from '../provider/options.ts'
import type { ProviderState } from '../provider/state.ts'
import { knownTargets, requestedTargets, resolveTargets } from '../resource/resource-indicators.ts'
import type { AuthorizationRequest } from './authorization.ts'
import { validateChallenge, type CodeChallenge } from './pkce.ts'
import {
  brings,
  requireResponseType,
  responseModeOf,
  type ResponseMode,
  type ResponseType,
} from './response-types.ts'
import { resolveScope, splitScope } from './scopes.ts'

/** Where the response goes. Established first: without it an error must not be redirected. */
export interface ResponseTarget {
  readonly client: RegisteredClient
  readonly redirectUri: string
  /** Whether the request named the redirect URI or relied on the only registered one. */
  readonly redirectUriGiven: boolean
  readonly responseMode: ResponseMode
  readonly state: string | undefined
}

/**
 * Establishes the client and its redirect URI. A failure is shown to the user and never redirected
 * (RFC 6749 §4.1.2.1).
 * @throws OAuthError
 */
export async function resolveTarget(
  parameters: Parameters,
  provider: ProviderState,
): Promise<ResponseTarget> {
  const untrusted = ['client_id', 'redirect_uri'].some((name) =>
    parameters.duplicates.includes(name),
  )
  if (untrusted) throw new OAuthError('invalid_request', 'A parameter is included more than once')
  const client = await findClient(provider, requireParameter(parameters, 'client_id'))
  if (!client) throw new OAuthError('invalid_client', 'The client is unknown', { status: 400 })
  const given = parameters.get('redirect_uri')
  const redirectUri = given ?? soleRedirectUri(client, parameters)
  if (!client.acceptsRedirect(redirectUri)) {
    throw new OAuthError('invalid_request', 'The redirect URI is not registered')
  }
  const state = parameters.duplicates.includes('state') ? undefined : parameters.get('state')
  return {
    client,
    redirectUri,
    redirectUriGiven: given !== undefined,
    responseMode: responseModeOf(parameters),
    state,
  }
}

/**
 * RFC 6749 §3.1.2.3: the redirect URI may be left out if one is registered; OpenID Connect Core
 * §3.1.2.1 always requires it.
 */
function soleRedirectUri(client: RegisteredClient, parameters: Parameters): string {
  const [first, ...others] = client.redirectUris
  if (first === undefined || others.length > 0 || isOpenId(parameters)) {
    throw new OAuthError('invalid_request', 'Missing parameter redirect_uri')
  }
  return first
}

const isOpenId = (parameters: Parameters) => splitScope(parameters.get('scope')).includes('openid')

/**
 * Validates everything else. A failure is reported to the client (RFC 6749 §4.1.2.1).
 * @throws OAuthError
 */
export async function validateRequest(
  parameters: Parameters,
  target: ResponseTarget,
  provider: ProviderState,
): Promise<AuthorizationRequest> {
  const { settings } = provider
  const { client } = target
  refuseDuplicates(parameters)
  requireAcceptable(provider, parameters)
  const asked = requireParameter(parameters, 'response_type')
  const responseType = requireResponseType(asked, parameters, client)
  const openid = await readOpenIdRequest(parameters, provider)
  const { redirectUri, redirectUriGiven, responseMode, state } = target
  return {
    clientId: client.clientId,
    redirectUri,
    redirectUriGiven,
    responseType,
    responseMode,
    state,
    ...requestedAccess(parameters, client, settings),
    nonce: parameters.get('nonce'),
    openid,
    dpopJkt: thumbprintOf(parameters),
    // presets alone look at it
    extra: settings.deviations.length > 0 ? extraOf(parameters) : {},
    ...challengeOf(parameters, responseType, client),
  }
}

/** RFC 7636 §4.3: the challenge of a code; where none is issued there is nothing to challenge. */
function challengeOf(
  parameters: Parameters,
  type: ResponseType,
  { pkce }: RegisteredClient,
): CodeChallenge {
  if (!brings(type, 'code')) return { codeChallenge: undefined, codeChallengeMethod: undefined }
  const method = parameters.get('code_challenge_method')
  return validateChallenge(parameters.get('code_challenge'), method, pkce)
}

/**
 * What a client asks for directly, by its own credentials or for a device.
 * @throws OAuthError `invalid_scope` or `invalid_target`
 */
export function directRequest(
  parameters: Parameters,
  client: Pick<RegisteredClient, 'clientId' | 'scopes'>,
  { settings }: Pick<ProviderState, 'settings'>,
): AuthorizationRequest {
  return {
    clientId: client.clientId,
    redirectUri: undefined,
    redirectUriGiven: false,
    responseType: 'code',
    responseMode: 'query',
    state: undefined,
    ...requestedAccess(parameters, client, settings),
    codeChallenge: undefined,
    codeChallengeMethod: undefined,
    nonce: undefined,
    dpopJkt: undefined,
    extra: {},
  }
}

/** Which API, and what there: the scopes of the client's own, and those that the API knows. */
function requestedAccess(
  parameters: Parameters,
  { scopes }: Pick<RegisteredClient, 'scopes'>,
  settings: Settings,
) {
  const resource = resolveTargets(requestedTargets(parameters, settings), knownTargets(settings))
  const allowed = [...new Set([...scopes, ...settings.audiences.scopesOf(resource)])]
  return { resource, scopes: resolveScope(parameters.get('scope'), allowed) }
}

/** RFC 7638 §3, RFC 9449 §10. */
function thumbprintOf(parameters: Parameters): string | undefined {
  const value = parameters.get('dpop_jkt')
  if (value !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(value)) {
    throw new OAuthError('invalid_request', 'dpop_jkt is not a SHA-256 thumbprint')
  }
  return value
}

const known: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'nonce',
  // credentials that a client pushes a request with
  'client_secret',
  'client_assertion',
  'client_assertion_type',
])

function extraOf(parameters: Parameters): Readonly<Record<string, string>> {
  return Object.fromEntries(parameters.entries.filter(([name]) => !known.has(name)))
}

/** Describes a request for the log, whether it is valid or not. */
export function describeRequest(
  parameters: Parameters,
  via: AuthorizationRequestDetail['via'],
  error?: OAuthError,
): AuthorizationRequestDetail {
  return {
    type: 'authorization-request',
    via,
    clientId: parameters.get('client_id'),
    redirectUri: parameters.get('redirect_uri'),
    responseType: parameters.get('response_type'),
    state: parameters.get('state'),
    scopes: splitScope(parameters.get('scope')),
    codeChallenge: parameters.get('code_challenge'),
    codeChallengeMethod: parameters.get('code_challenge_method'),
    resource: (parameters.sent ?? parameters).all('resource'),
    nonce: parameters.get('nonce'),
    extra: extraOf(parameters),
    valid: error === undefined,
    error: error?.code,
    problem: error?.message,
  }
}
