/** Reads the client credentials of a request without judging whether they are right. */
import type { Parameters } from './parameters.ts'

export type ClientAuthentication = 'client_secret_basic' | 'client_secret_post' | 'none'

export interface PresentedClient {
  readonly method: ClientAuthentication
  readonly clientId: string | undefined
  readonly secret: string | undefined
  readonly problem?: 'malformed' | 'ambiguous'
}

/** Tells by what method a client authenticates and as whom (RFC 6749 §2.3.1). */
export function presentedClient(headers: Headers, form: Parameters): PresentedClient {
  const authorization = headers.get('authorization')
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
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

/** Both parts are form-urlencoded before they are joined (RFC 6749 §2.3.1, §B). */
function decodeBasic(authorization: string): { clientId: string; secret: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString()
  const colon = credentials.indexOf(':')
  if (colon < 0) return undefined
  try {
    return {
      clientId: formDecode(credentials.slice(0, colon)),
      secret: formDecode(credentials.slice(colon + 1)),
    }
  } catch {
    return undefined
  }
}

function formDecode(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '))
}
