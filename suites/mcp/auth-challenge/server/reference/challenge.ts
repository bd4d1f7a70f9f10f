/** The result that asks for a sign-in, or for more scopes (SEP-1489). */

import type { CallToolResult } from '@modelcontextprotocol/server'

import { scopeOfNotes, type Access } from './access.ts'

/** What a challenge says (RFC 6750 §3, RFC 9728 §5.1). */
export interface Need {
  readonly access: Access
  readonly metadataUrl: string
  readonly userAgent: string
}

/** Nothing is wrong with a token that was not sent, so that there is no error then (RFC 6750 §3.1). */
export function challengeParameters({ access, metadataUrl }: Need): Record<string, string> {
  const error = { nobody: undefined, invalid: 'invalid_token', user: 'insufficient_scope' }
  const code = error[access.kind]
  return {
    ...(code === undefined ? {} : { error: code }),
    resource_metadata: metadataUrl,
    scope: scopeOfNotes,
  }
}

/** A value of WWW-Authenticate (RFC 9110 §11.6.1). */
export function formatChallenge(parameters: Record<string, string>): string {
  const written = Object.entries(parameters).map(
    ([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`,
  )
  return `Bearer ${written.join(', ')}`
}

export function challengeResult(challenge: string, { access }: Need): CallToolResult {
  const text =
    access.kind === 'user'
      ? 'Listing your notes needs another permission.'
      : 'Sign in to list your notes.'
  return {
    isError: true,
    content: [{ type: 'text', text }],
    _meta: { 'mcp/www_authenticate': [challenge] },
  }
}
