/** Who has logged in at which browser, as far as a cookie tells. */

import { randomBytes } from 'node:crypto'

import type { Context as Http } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

import { flowKey } from '../oauth/flows.ts'

export interface Logins {
  /** Remembers that this subject logged in; returns what to put into the browser's cookie. */
  readonly add: (subject: string) => string
  readonly subjectOf: (cookie: string) => string | undefined
}

const mostKept = 10_000
const lifetimeMs = 3_600_000

/** In memory: after a restart users log in again, mostly without noticing. */
export function createLogins(now: () => number): Logins {
  const kept = new Map<string, { readonly subject: string; readonly expiresAt: number }>()
  return {
    add(subject) {
      const [oldest] = kept.keys()
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
      const cookie = randomBytes(32).toString('base64url')
      kept.set(flowKey(cookie), { subject, expiresAt: now() + lifetimeMs })
      return cookie
    },
    subjectOf(cookie) {
      const login = kept.get(flowKey(cookie))
      return login !== undefined && now() < login.expiresAt ? login.subject : undefined
    },
  }
}

/** The subject that logged in at this browser. */
export function loggedIn(http: Http, logins: Logins, publicUrl: string): string | undefined {
  return logins.subjectOf(getCookie(http, cookieName(publicUrl)) ?? '')
}

/** A new cookie at each login: one that somebody planted earlier stays worth nothing. */
export function rememberLogin(http: Http, cookie: string, publicUrl: string): void {
  setCookie(http, cookieName(publicUrl), cookie, {
    ...cookieOptions(publicUrl),
    maxAge: lifetimeMs / 1000,
  })
}

/** A cookie ignores ports (RFC 6265 §8.5), so several servers of one host have names of their own. */
function cookieName(publicUrl: string): string {
  return `login-${flowKey(publicUrl).slice(0, 8)}`
}

/** Lax, because the way back from the provider is a navigation from another site. */
export function cookieOptions(publicUrl: string) {
  const { protocol } = new URL(publicUrl)
  return { httpOnly: true, sameSite: 'Lax', path: '/', secure: protocol === 'https:' } as const
}
