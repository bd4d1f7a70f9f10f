/** How long what is issued lives, and how long it is remembered. */

/** Lifetimes of codes, tokens and device codes, in seconds. */
export interface Lifetimes {
  /** Seconds. */
  readonly code: number
  readonly accessToken: number
  readonly refreshToken: number
  readonly deviceCode: number
}

export const defaultLifetimes: Lifetimes = {
  code: 60,
  accessToken: 3600,
  refreshToken: 30 * 24 * 3600,
  deviceCode: 600,
}

/** RFC 7519 §4.1.4, §4.1.6: in seconds. */
export function timesOf(now: number, seconds: number): { iat: number; exp: number } {
  const iat = Math.floor(now / 1000)
  return { iat, exp: iat + seconds }
}

/**
 * Milliseconds that an authorization, and what was issued for it, is kept after it was last used:
 * as long as its last refresh token can be, so that a late use of anything is recognised.
 */
export function retentionOf({ lifetimes }: { readonly lifetimes: Lifetimes }): number {
  return (lifetimes.code + lifetimes.accessToken + lifetimes.refreshToken) * 1000
}
