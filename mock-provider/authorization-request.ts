/** Resolves and validates an authorization request (RFC 6749 §4.1.1), pushed or not. */
import { findClient } from './client-id-metadata.ts'
import type { RegisteredClient } from './clients.ts'
import type { AuthorizationRequestDetail } from './events.ts'
import { OAuthError } from './oauth-error.ts'
import { refuseDuplicates, requireParameter, type Parameters } from './parameters.ts'
import { validateChallenge, type CodeChallenge } from './pkce.ts'
import { requireAcceptable } from './profiles/apply.ts'
import { resolveResource } from './resource-indicators.ts'
import { resolveScope, splitScope } from './scopes.ts'
import type { ProviderState } from './state.ts'

/** A valid request, as it is kept. */
export interface AuthorizationRequest
  extends CodeChallenge, Omit<ResponseTarget, 'client' | 'redirectUri'> {
  readonly clientId: string
  /** Absent where no user agent is sent back: the client asked directly. */
  readonly redirectUri: string | undefined
  readonly scopes: readonly string[]
  readonly resource: readonly string[]
  readonly nonce: string | undefined
  /** The thumbprint of the key that the code is bound to (RFC 9449 §10). */
  readonly dpopJkt: string | undefined
  /** Parameters that no RFC defines. */
  readonly extra: Readonly<Record<string, string>>
}

/** Where the response goes. Established first: without it an error must not be redirected. */
export interface ResponseTarget {
  readonly client: RegisteredClient
  readonly redirectUri: string
  /** Whether the request named the redirect URI or relied on the only registered one. */
  readonly redirectUriGiven: boolean
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
  return { client, redirectUri, redirectUriGiven: given !== undefined, state }
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
export function validateRequest(
  parameters: Parameters,
  target: ResponseTarget,
  provider: ProviderState,
): AuthorizationRequest {
  const { settings } = provider
  const { client } = target
  refuseDuplicates(parameters)
  requireAcceptable(provider, parameters)
  // OpenID Connect Core §6.1: request objects are refused by their own error
  if (parameters.get('request') !== undefined) {
    throw new OAuthError('request_not_supported', 'request objects are not supported')
  }
  if (requireParameter(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'the response type must be code')
  }
  if (!client.grantTypes.includes('authorization_code')) {
    throw new OAuthError('unauthorized_client', 'the client may not use this grant')
  }
  // OAuth 2.0 Multiple Response Types §2.1: query is the default for codes, and all we have
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'the response mode must be query')
  }
  const prompts = splitScope(parameters.get('prompt'))
  // OpenID Connect Core §3.1.2.1: none goes with no other value
  if (prompts.includes('none') && prompts.length > 1) {
    throw new OAuthError('invalid_request', 'prompt must be none alone')
  }
  // OpenID Connect Core §3.1.2.6: nobody is signed in before the decision
  if (prompts.includes('none') && !settings.autoApprove) {
    throw new OAuthError('interaction_required', 'the user has to be asked')
  }
  const { redirectUri, redirectUriGiven, state } = target
  return {
    clientId: client.clientId,
    redirectUri,
    redirectUriGiven,
    state,
    scopes: resolveScope(parameters.get('scope'), client.scopes),
    resource: resolveResource(parameters.all('resource'), settings.issuer),
    nonce: parameters.get('nonce'),
    dpopJkt: thumbprintOf(parameters),
    // profiles alone look at it
    extra: settings.deviations.length > 0 ? extraOf(parameters) : {},
    ...validateChallenge(
      parameters.get('code_challenge'),
      parameters.get('code_challenge_method'),
      client.pkce,
    ),
  }
}

/**
 * What a client asks for directly, by its own credentials or for a device.
 * @throws OAuthError `invalid_scope` or `invalid_target`
 */
export function directRequest(
  parameters: Parameters,
  { clientId, scopes }: Pick<RegisteredClient, 'clientId' | 'scopes'>,
  { settings }: Pick<ProviderState, 'settings'>,
): AuthorizationRequest {
  return {
    clientId,
    redirectUri: undefined,
    redirectUriGiven: false,
    state: undefined,
    scopes: resolveScope(parameters.get('scope'), scopes),
    codeChallenge: undefined,
    codeChallengeMethod: undefined,
    resource: resolveResource(parameters.all('resource'), settings.issuer),
    nonce: undefined,
    dpopJkt: undefined,
    extra: {},
  }
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
    resource: parameters.all('resource'),
    nonce: parameters.get('nonce'),
    extra: extraOf(parameters),
    valid: error === undefined,
    error: error?.code,
  }
}
