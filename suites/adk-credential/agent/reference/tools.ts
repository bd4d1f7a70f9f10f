/** The tools: two that call the protected API, each with a credential of its own, and one that needs none. */

import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { BoundFetch } from './bound-fetch.ts'
import { CallFailure } from './failure.ts'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** What it needs of its user; without, anybody may use it. */
  readonly credential?: { readonly key: string; readonly scopes: readonly string[] }
  /** What it asks of the API. */
  readonly request: (values: Fields) => {
    readonly method: string
    readonly query?: string
    readonly body?: Fields
  }
}

export type Fields = Readonly<Record<string, unknown>>

const none = { type: 'object', properties: {} }

export const tools: readonly Tool[] = [
  {
    name: 'list_items',
    description: 'Lists the items of the user.',
    parameters: { type: 'object', properties: { search: { type: 'string' } } },
    credential: { key: 'items', scopes: ['items:read'] },
    request: ({ search }) => ({
      method: 'GET',
      ...(typeof search === 'string' ? { query: new URLSearchParams({ search }).toString() } : {}),
    }),
  },
  {
    name: 'add_item',
    description: 'Adds an item for the user.',
    parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    credential: { key: 'items-to-write', scopes: ['items:write'] },
    request: ({ title }) => ({
      method: 'POST',
      body: { title: typeof title === 'string' ? title : 'untitled' },
    }),
  },
  {
    name: 'count_items',
    description: 'Tells how many items the user has.',
    parameters: none,
    credential: { key: 'items', scopes: ['items:read'] },
    request: () => ({ method: 'GET' }),
  },
  {
    name: 'tell_time',
    description: 'Tells the time.',
    parameters: none,
    request: () => ({ method: 'GET' }),
  },
]

/** Under which the credential of a tool is kept: tools with the same AuthConfig share it. */
export function credentialKey({ credential }: Tool): string {
  return credential?.key ?? ''
}

/** The API refused the token (RFC 6750 §3.1). */
export class TokenRefused extends Error {}

const item = z.object({ id: z.string(), title: z.string() })
const answerSchema = z.union([z.object({ items: z.array(item) }), item])

/** Carries a tool out with a token. Throws TokenRefused or a CallFailure. */
export async function callApi(
  base: string,
  fetch: BoundFetch,
  tool: Tool,
  values: Fields,
  accessToken: string,
): Promise<Fields> {
  const { method, query = '', body } = tool.request(values)
  const response = await oauth
    .protectedResourceRequest(
      accessToken,
      method,
      new URL(`${base}/items${query === '' ? '' : `?${query}`}`),
      new Headers(body && { 'content-type': 'application/json' }),
      body === undefined ? null : JSON.stringify(body),
      { [oauth.customFetch]: fetch },
    )
    .catch((error: unknown) => {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response
      throw new CallFailure('service-failed')
    })
  if (response.status === 401) throw new TokenRefused()
  if (response.status === 403) throw new CallFailure('scope-refused')
  if (!response.ok) throw new CallFailure('service-failed')
  const read = answerSchema.safeParse(await response.json().catch(() => undefined))
  // Only what is known of the answer goes on: an echo of the token would not.
  if (!read.success) throw new CallFailure('service-failed')
  return read.data
}
