/** Recognises the browser that began a flow when it comes back. */

import type { Context as Http } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

import { flowKey, type Flow } from '../oauth/flows.ts'
import { cookieOptions } from './logins.ts'

export function rememberBrowser(
  http: Http,
  state: string,
  browser: string,
  { publicUrl, pendingTimeoutMs }: { publicUrl: string; pendingTimeoutMs: number },
): void {
  const maxAge = Math.ceil(pendingTimeoutMs / 1000)
  setCookie(http, cookieName(flowKey(state)), browser, { ...cookieOptions(publicUrl), maxAge })
}

/**
 * Whether the browser that came back is the one that was sent: an authorization URL that was passed
 * on to somebody else binds nothing of theirs (RFC 9700 §4.7; MCP Elicitation, Phishing).
 */
export function isSameBrowser(http: Http, flow: Flow): boolean {
  const cookie = getCookie(http, cookieName(flow.key))
  return cookie !== undefined && flowKey(cookie) === flow.browser
}

export function forgetBrowser(http: Http, { key }: Flow, publicUrl: string): void {
  deleteCookie(http, cookieName(key), cookieOptions(publicUrl))
}

/** One for each flow, so that several may go on in one browser. */
function cookieName(key: string): string {
  return `flow-${key.slice(0, 16)}`
}
