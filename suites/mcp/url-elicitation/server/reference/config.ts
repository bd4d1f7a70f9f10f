/** What the server has to be told, and what it assumes when it is not. */

import { loadTokenKey } from './tokens/token-key.ts'
import type { Fetch } from './upstream/bound-fetch.ts'

export interface ItemsServerConfig {
  /** Base URL under which clients and browsers reach the server; no trailing slash. */
  readonly publicUrl: string
  /** The authorization server: of the API, of the MCP endpoint, and where users log in. */
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client; only JWT access tokens can be verified then. */
  readonly clientSecret?: string
  /** What is asked for at the API. Default: `items:read`. */
  readonly scopes?: readonly string[]
  /** Base URL of the protected API. */
  readonly resourceUrl: string
  readonly dataDir: string
  /** 32 bytes; made and kept in `dataDir` when absent. */
  readonly tokenKey?: Uint8Array
  /** Whether the MCP endpoint demands an access token. Never over stdio. Default: required. */
  readonly authorization?: 'required' | 'none'
  /** How long a call may wait for its user, in milliseconds. Default: ten minutes. */
  readonly pendingTimeoutMs?: number
  /** How long one request to anybody else may take, in milliseconds. Default: five seconds. */
  readonly upstreamTimeoutMs?: number
  /** Used for the provider and the API. Default: the global `fetch`. */
  readonly fetch?: Fetch
}

export type Settings = Required<Omit<ItemsServerConfig, 'clientSecret'>> &
  Pick<ItemsServerConfig, 'clientSecret'> & {
    /** The MCP endpoint, which is what access tokens have to be for. */
    readonly endpoint: string
  }

export const defaultScopes = ['items:read']
export const defaultPendingTimeoutMs = 600_000
export const defaultUpstreamTimeoutMs = 5_000

export function resolveConfig(config: ItemsServerConfig): Settings {
  const publicUrl = config.publicUrl.replace(/\/+$/, '')
  return {
    ...config,
    publicUrl,
    endpoint: `${publicUrl}/mcp`,
    scopes: config.scopes ?? defaultScopes,
    resourceUrl: config.resourceUrl.replace(/\/+$/, ''),
    tokenKey: config.tokenKey ?? loadTokenKey(config.dataDir),
    authorization: config.authorization ?? 'required',
    pendingTimeoutMs: config.pendingTimeoutMs ?? defaultPendingTimeoutMs,
    upstreamTimeoutMs: config.upstreamTimeoutMs ?? defaultUpstreamTimeoutMs,
    fetch: config.fetch ?? globalThis.fetch,
  }
}
