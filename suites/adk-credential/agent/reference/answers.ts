/** What the client application answers to a credential request: which one it is for, and what it brought. */

import { z } from 'zod'
import { requestName } from './events.ts'
import type { Credential } from './oauth.ts'
import type { Pending, Session } from './session.ts'
import type { Fields } from './tools.ts'

/** A functionResponse of the client application. */
export interface Answer {
  readonly id: string
  readonly name: string
  readonly response: Fields
  /** The invocation that the message names, if any. */
  readonly invocationId?: string | undefined
}

/** The request that an answer is for: by its id, in its session. */
export function matchPending({ pending }: Session, { id, name }: Answer): Pending | undefined {
  return name === requestName ? pending.find((each) => each.id === id) : undefined
}

/** Takes the request out, before anything is done with the answer: it works once (RFC 9700 §4.7). */
export function claim(session: Session, { id }: Pending): void {
  session.pending = session.pending.filter((each) => each.id !== id)
}

const callSchema = z.object({
  exchangedAuthCredential: z.object({
    oauth2: z.object({ authResponseUri: z.url(), redirectUri: z.url().optional() }),
  }),
})

const responseSchema = z.object({
  exchanged_auth_credential: z.object({
    oauth2: z.object({
      access_token: z.string().min(1),
      refresh_token: z.string().nullish(),
      expires_at: z.number().nullish(),
    }),
  }),
})

/** The callback that an answer brought, and where the user was sent to; the state it says is not looked at. */
export interface Brought {
  readonly callback: URL
  readonly redirectUri: string
}

/** Nothing but the callback is read: scheme, client and state are our own. */
export function readAnswer({ response }: Answer): Brought | undefined {
  const read = callSchema.safeParse(response)
  if (!read.success) return undefined
  const { authResponseUri, redirectUri } = read.data.exchangedAuthCredential.oauth2
  const callback = new URL(authResponseUri)
  return { callback, redirectUri: redirectUri ?? callback.origin + callback.pathname }
}

/** A callback comes to where the user was sent (RFC 9700 §4.4.2). */
export function isAtRedirectUri(callback: URL, redirectUri: string): boolean {
  const at = new URL(redirectUri)
  return callback.origin === at.origin && callback.pathname === at.pathname
}

/** The credential that an answer in the dialect of responses brought. */
export function credentialIn({ response }: Answer): Credential | undefined {
  const read = responseSchema.safeParse(response)
  if (!read.success) return undefined
  const { access_token, refresh_token, expires_at } = read.data.exchanged_auth_credential.oauth2
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: typeof expires_at === 'number' ? expires_at * 1000 : null,
  }
}
