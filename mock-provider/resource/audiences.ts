/** The APIs that are not the provider's own: which tokens may be for them, and with which scopes (RFC 8707). */

import { normalize } from './resource-indicators.ts'

/** An API of the provider's owner. */
export interface Audience {
  /** What clients name as `resource` or `audience`, and the token as `aud`. */
  readonly id: string
  /** The scopes that it knows: clients may request them with it, and tokens for it have no others. Default: any. */
  readonly scopes?: readonly string[] | undefined
}

/** An API, or no more than its identifier. */
export type AudienceInput = string | Audience

export interface Audiences {
  readonly ids: readonly string[]
  /** Adds one, in place of an earlier one with the same id. @throws TypeError without an id */
  add(input: AudienceInput): void
  /** The scopes of their own that these APIs know. */
  scopesOf(ids: readonly string[]): readonly string[]
  /** What is left of scopes in a token for these APIs (RFC 8707 §2.2); everything, where one of them knows any. */
  narrow(scopes: readonly string[], ids: readonly string[]): readonly string[]
  /** Forgets what was added later. */
  reset(): void
}

/** OpenID Connect Core §5.4, §11: what a client knows about its user depends on no API. */
const aboutTheUser = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access']

/** Creates the APIs of an issuer. @throws TypeError for one without an id */
export function createAudiences(configured: readonly AudienceInput[]): Audiences {
  const known = new Map<string, readonly string[] | undefined>()
  const add = (input: AudienceInput): void => {
    const { id, scopes } = typeof input === 'string' ? { id: input, scopes: undefined } : input
    if (typeof id !== 'string' || id === '') throw new TypeError('an audience needs an id')
    known.set(normalize(id), scopes)
  }
  configured.forEach(add)
  const scopesOf = (id: string) => known.get(normalize(id))
  return {
    get ids() {
      return [...known.keys()]
    },
    add,
    scopesOf: (ids) => ids.flatMap((id) => scopesOf(id) ?? []),
    narrow(scopes, ids) {
      const allowed = ids.map(scopesOf)
      if (ids.length === 0 || allowed.includes(undefined)) return scopes
      return scopes.filter((each) => [...aboutTheUser, ...allowed.flat()].includes(each))
    },
    reset() {
      known.clear()
      configured.forEach(add)
    },
  }
}
