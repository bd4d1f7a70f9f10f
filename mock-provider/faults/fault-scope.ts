/** For whom a fault is switched on. */

/** Whose requests a fault disturbs. */
export type FaultScope =
  /** Every request. */
  | 'issuer'
  /** The next request that the fault can disturb, whoever sends it. */
  | 'next'
  | `authorization:${string}`
  | `client:${string}`
  | `user:${string}`

const syntax = /^(issuer|next|(authorization|client|user):.+)$/s

/** Tells whether a text names a scope. */
export function isFaultScope(text: string): text is FaultScope {
  return syntax.test(text)
}
