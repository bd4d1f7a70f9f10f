/** Reads the access token of a request (RFC 6750 §2). */
import type { Parameters } from './parameters.ts'

export type CredentialPlace = 'header' | 'query' | 'body'

export interface PresentedToken {
  readonly credential: CredentialPlace | 'none'
  readonly value: string | undefined
  /** Not a bearer credential, or more than one. */
  readonly problem?: 'malformed' | 'ambiguous'
}

/** RFC 6750 §2.1: b64token. The scheme is case insensitive (RFC 9110 §11.1). */
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i

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
  if (!first) return { credential: 'none', value: undefined }
  const value = first.credential === 'header' ? bearer.exec(first.value ?? '')?.[1] : first.value
  const presented = { credential: first.credential, value }
  // RFC 6750 §2: no more than one method in a request
  const repeated = [query, form].some(({ duplicates }) => duplicates.includes('access_token'))
  if (found.length > 1 || repeated) {
    return { ...presented, problem: 'ambiguous' }
  }
  return value === undefined ? { ...presented, problem: 'malformed' } : presented
}
