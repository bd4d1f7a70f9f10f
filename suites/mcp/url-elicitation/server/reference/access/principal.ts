/** On whose behalf a request is made: the one identity by which elicitations and tokens are kept. */

import type { ServerContext } from '@modelcontextprotocol/server'

export type Principal =
  /** The subject of a verified access token. */
  | { readonly kind: 'user'; readonly subject: string }
  /** Without MCP authorization: a session, as far as there is one. */
  | { readonly kind: 'session'; readonly session: string }
  /** Over stdio: whoever started the process. */
  | { readonly kind: 'process' }
  /** Without authorization and without a session nobody can be told from anybody else. */
  | { readonly kind: 'anonymous' }

/**
 * Derived from the verified token where there is one (MCP Elicitation, Statefulness): a session id
 * alone identifies nobody, and what a client says of its user is not looked at.
 */
export function principalOf({ http, sessionId }: ServerContext): Principal {
  if (!http) return { kind: 'process' }
  const subject = http.authInfo?.extra?.['subject']
  if (typeof subject === 'string') return { kind: 'user', subject }
  return sessionId === undefined ? { kind: 'anonymous' } : { kind: 'session', session: sessionId }
}

/** The owner of stored tokens; undefined for the anonymous, for whom nothing is kept between calls. */
export function ownerOf(principal: Principal): string | undefined {
  const { kind } = principal
  if (kind === 'anonymous') return undefined
  if (kind === 'user') return `user:${principal.subject}`
  return kind === 'session' ? `session:${principal.session}` : 'process'
}

/** A session belongs to the user who began it: its id is no credential (MCP Elicitation, Statefulness). */
export function ownsSession(owner: unknown, subject: unknown): boolean {
  return owner === subject
}
