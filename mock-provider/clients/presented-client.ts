/** Reads the client credentials of a request without judging whether they are right. */
import { decodeJwt } from '../crypto/decode-jwt.ts'
import type { Parameters } from '../http/parameters.ts'

/** RFC 6749 §2.3.1, RFC 7591 §2, OpenID Connect Core §9. */
export const authenticationMethods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const

/** How a client authenticated, or tried to (RFC 6749 §2.3, RFC 7523 §2.2). */
export type ClientAuthentication = (typeof authenticationMethods)[number]

export interface PresentedClient {
  readonly method: ClientAuthentication
  readonly clientId: string | undefined
  readonly secret: string | undefined
  /** The secret as it stands in the Authorization header, where it is to be decoded. */
  readonly encodedSecret?: string
  readonly assertion?: string
  readonly problem?: 'malformed' | 'ambiguous'
}

/** RFC 7523 §2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Tells by what method a client authenticates and as whom (RFC 6749 §2.3.1, RFC 7521 §4.2). */
export function presentedClient(headers: Headers, form: Parameters): PresentedClient {
  const authorization = headers.get('authorization')
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  const assertion = form.get('client_assertion')
  if (assertion !== undefined || form.get('client_assertion_type') !== undefined) {
    const presented = presentedAssertion(assertion ?? '', form)
    // RFC 6749 §2.3: no more than one method in a request
    const ambiguous = authorization !== null || secret !== undefined
    return ambiguous ? { ...presented, problem: 'ambiguous' } : presented
  }
  if (authorization === null) {
    const method = secret === undefined ? 'none' : 'client_secret_post'
    return { method, clientId, secret }
  }
  const basic = decodeBasic(authorization)
  const presented = { method: 'client_secret_basic', clientId, secret, ...basic } as const
  if (!basic) return { ...presented, problem: 'malformed' }
  // RFC 6749 §2.3: no more than one method in a request; nor may they name two clients
  const ambiguous = secret !== undefined || (clientId !== undefined && clientId !== basic.clientId)
  return ambiguous ? { ...presented, problem: 'ambiguous' } : presented
}

/** RFC 7521 §4.2: a client id beside the assertion is optional and names the same client. */
function presentedAssertion(assertion: string, form: Parameters): PresentedClient {
  const decoded = decodeJwt(assertion)
  const symmetric = String(decoded?.header['alg']).startsWith('HS')
  const method = symmetric ? 'client_secret_jwt' : 'private_key_jwt'
  const { sub } = decoded?.claims ?? {}
  const subject = typeof sub === 'string' ? sub : undefined
  const clientId = form.get('client_id') ?? subject
  const presented = { method, clientId, secret: undefined, assertion } as const
  const usable = form.get('client_assertion_type') === assertionType && clientId === subject
  return usable && decoded ? presented : { ...presented, problem: 'malformed' }
}
/** Both parts are form-urlencoded before they are joined (RFC 6749 §2.3.1, §B). */
function decodeBasic(
  authorization: string,
): { clientId: string; secret: string; encodedSecret: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString()
  const colon = credentials.indexOf(':')
  if (colon < 0) return undefined
  const encodedSecret = credentials.slice(colon + 1)
  try {
    return {
      clientId: formDecode(credentials.slice(0, colon)),
      secret: formDecode(encodedSecret),
      encodedSecret,
    }
  } catch {
    return undefined
  }
}

function formDecode(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '))
}
