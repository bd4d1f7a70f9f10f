/** What a server of ours asks of its clients, and how it says so: a scenario changes what it wants otherwise. */

import { challengeKey } from '../challenges.ts'
import { neededScope, offeredScopes } from './vocabulary.ts'

/** Where a challenge can lead. */
export interface Places {
  /** The MCP endpoint. */
  readonly endpoint: string
  /** Its metadata. */
  readonly metadata: string
  readonly issuer: string
  /** The MCP endpoint of the other server. */
  readonly other: string
  /** A site without TLS, where no client should go. */
  readonly trap: string
}

/** How the metadata of the resource is answered. */
export interface Document {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Rules {
  /** Which calls are served: those with a token, every one, or none at all. */
  readonly serves: 'tokens' | 'all' | 'nobody'
  /** How a client learns that it needs a token: in the result, or by HTTP before anything else. */
  readonly asksBy: 'result' | 'http'
  /** What stands at the key. */
  readonly challenge: (bearer: string, places: Places) => unknown
  /** The scope that a challenge names. */
  readonly scope: string
  /** What a challenge says of a token that is not taken. */
  readonly tokenError: 'invalid_token' | 'insufficient_scope'
  /** Whether the result that has the key says that it is an error. */
  readonly isError: boolean
  readonly document: (places: Places, path: string) => Document
  /** Where the metadata stands, and nowhere else; default: at both forms of the well-known URI. */
  readonly metadataPath?: string
  /** Whether clients are pinged before a call is served, in revisions that have pings. */
  readonly pings?: boolean
  /** Where the endpoint redirects to; default: nowhere. */
  readonly movedTo?: (places: Places) => string
}

export const usualRules: Rules = {
  serves: 'tokens',
  asksBy: 'result',
  challenge: (bearer) => [bearer],
  scope: neededScope,
  tokenError: 'invalid_token',
  isError: true,
  document: (places) => documentOf(metadataOf(places)),
}

/** The metadata as it has to be (RFC 9728 §2). */
export function metadataOf({ endpoint, issuer }: Places) {
  return {
    resource: endpoint,
    authorization_servers: [issuer],
    scopes_supported: offeredScopes,
    bearer_methods_supported: ['header'],
  }
}

export function documentOf(json: unknown): Document {
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: JSON.stringify(json) }
}

/** A Bearer challenge (RFC 6750 §3, RFC 9728 §5.1); the error is that of a token that was sent. */
export function bearerFor(
  metadata: string | undefined,
  error?: string,
  scope: string = neededScope,
): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    `scope="${scope}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}

/** The result that challenges (SEP-1489, Error Response Shape). */
export function challengingResult(
  value: unknown,
  { isError, text }: { readonly isError: boolean; readonly text: string },
) {
  return {
    ...(isError ? { isError } : {}),
    content: [{ type: 'text', text }],
    _meta: { [challengeKey]: value },
  }
}
