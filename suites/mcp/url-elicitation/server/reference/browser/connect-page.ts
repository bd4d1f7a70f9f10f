/** The page that an elicitation's URL leads to: its address, who may use it, and where it leads. */

import type { Context as Http } from 'hono'

import type { Principal } from '../access/principal.ts'
import type { Settings } from '../config.ts'
import type { Elicitation } from '../elicitations.ts'

/** Names the elicitation and nothing else (MCP Elicitation, Safe URL Handling 1 and 2). */
export function connectUrl({ publicUrl }: Settings, { id }: Elicitation): string {
  return `${publicUrl}/connect?${new URLSearchParams({ elicitation: id }).toString()}`
}

/** The ways to the provider that a user can be sent. */
export interface Ways {
  /** By our own page, which finds out who came. */
  readonly connectPage: string
  /** Straight to the authorization endpoint. */
  readonly authorize: () => Promise<string>
}

export function elicitationUrl({ connectPage }: Ways): string | Promise<string> {
  return connectPage
}

/** MCP Elicitation, Phishing: whoever opens the URL must be the user for whom it was made. */
export function isSameUser(principal: Principal, subject: string): boolean {
  return principal.kind === 'user' && principal.subject === subject
}

export function sendToProvider(http: Http, url: URL): Response | Promise<Response> {
  return http.redirect(url.href)
}

/** Only pages of our own: anything else would make an open redirector of us (RFC 9700 §4.11.1). */
export function safeReturn(publicUrl: string, wanted: string): string {
  const url = URL.canParse(wanted, publicUrl) ? new URL(wanted, publicUrl) : new URL(publicUrl)
  return url.origin === new URL(publicUrl).origin ? url.href : publicUrl
}
