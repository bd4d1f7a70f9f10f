/** Reads the access token of a request (RFC 6750 §2, RFC 9449 §7.1). */
import type { Parameters } from '../http/parameters.ts'
import type { TokenScheme } from './bearer-challenge.ts'

/** Where a request carries its token (RFC 6750 §2). */
export type CredentialPlace = 'header' | 'query' | 'body'

export interface PresentedToken {
  readonly credential: CredentialPlace | 'none'
  readonly scheme: TokenScheme
  readonly value: string | undefined
  /** Not a token credential, or more than one. */
  readonly problem?: 'malformed' | 'ambiguous'
}

/** RFC 6750 §2.1: b64token; RFC 9449 §7.1: token68. The scheme is case insensitive (RFC 9110 §11.1). */
const credentials = /^(bearer|dpop) +([A-Za-z0-9._~+/-]+=*)$/i

/** Tells which token a request presents and where, allowed there or not. */
export function presentedToken(
  headers: Headers,
  query: Parameters,
  form: Parameters,
): PresentedToken {
  const authorization = headers.get('authorization')
  const found = [
    { credential: 'header' as const, value: authorization ?? undefined },
    { credential: 'query' as const, value: query.get('access_token') },
    { credential: 'body' as const, value: form.get('access_token') },
  ].filter(({ value }) => value !== undefined)
  const first = found[0]
  if (!first) return { credential: 'none', scheme: 'Bearer', value: undefined }
  const { credential } = first
  const [, name, inHeader] = credentials.exec(authorization ?? '') ?? []
  const scheme = name?.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer'
  const presented = {
    credential,
    scheme,
    value: credential === 'header' ? inHeader : first.value,
  } as const
  // RFC 6750 §2: no more than one method in a request
  const repeated = [query, form].some(({ duplicates }) => duplicates.includes('access_token'))
  if (found.length > 1 || repeated) {
    return { ...presented, problem: 'ambiguous' }
  }
  return presented.value === undefined ? { ...presented, problem: 'malformed' } : presented
}
