/** What an authorization response brings, and how it travels (OAuth 2.0 Multiple Response Types). */
import { OAuthError } from '../http/oauth-error.ts'
import type { Parameters } from '../http/parameters.ts'

/** What a client can be registered for; the values of each in alphabetical order, as any order is the same. */
export const responseTypes = [
  'code',
  // OpenID Connect Core §3.3: hybrid
  'code id_token',
  'code id_token token',
  'code token',
  // §3.2: implicit
  'id_token',
  'id_token token',
  'token',
] as const

/** A response type that the provider knows. */
export type ResponseType = (typeof responseTypes)[number]

export const responseModes = ['query', 'fragment', 'form_post'] as const

/** How a response travels to the client. */
export type ResponseMode = (typeof responseModes)[number]

/** One of the values of a response type. */
type Part = 'code' | 'id_token' | 'token'

/** Tells whether a response brings something. */
export function brings(type: ResponseType, part: Part): boolean {
  return type.split(' ').includes(part)
}

/** Tells whether something but a code travels through the user agent. */
export function isFront(type: ResponseType): boolean {
  return type !== 'code'
}

/** The response type in the spelling that is kept: its values may come in any order (RFC 6749 §3.1.1). */
export function normalizeResponseType(text: string): ResponseType | undefined {
  const normal = text.split(' ').toSorted().join(' ')
  return responseTypes.find((each) => each === normal)
}

/**
 * How a response travels, an error included, whatever else is wrong with the request: never in the
 * query when it is for a token (OAuth 2.0 Multiple Response Types §2.1, §5).
 */
export function responseModeOf(parameters: Parameters): ResponseMode {
  const asked = responseModes.find((each) => each === parameters.get('response_mode'))
  const type = normalizeResponseType(parameters.get('response_type') ?? '')
  const usual = type && isFront(type) ? 'fragment' : 'query'
  return asked === undefined || asked === 'query' ? usual : asked
}

/**
 * The response type that a client asks for.
 * @throws OAuthError `unsupported_response_type`, `unauthorized_client` or `invalid_request`
 */
export function requireResponseType(
  text: string,
  parameters: Parameters,
  client: {
    readonly grantTypes: readonly string[]
    readonly responseTypes: readonly ResponseType[]
  },
): ResponseType {
  const type = normalizeResponseType(text)
  if (!type) throw new OAuthError('unsupported_response_type', 'the response type is not supported')
  const uncoded = brings(type, 'code') && !client.grantTypes.includes('authorization_code')
  if (uncoded || !client.responseTypes.includes(type)) {
    throw new OAuthError('unauthorized_client', 'the client is not registered for this response')
  }
  const mode = parameters.get('response_mode')
  if (mode !== undefined && mode !== responseModeOf(parameters)) {
    throw new OAuthError('invalid_request', 'the response cannot travel in this response mode')
  }
  if (brings(type, 'id_token')) {
    // OpenID Connect Core §3.2.2.1, §3.3.2.11: what travels in front could be replayed without
    if (parameters.get('nonce') === undefined) {
      throw new OAuthError('invalid_request', 'Missing parameter nonce')
    }
    if (!parameters.get('scope')?.split(' ').includes('openid')) {
      throw new OAuthError('invalid_request', 'an ID token needs the scope openid')
    }
  }
  return type
}
