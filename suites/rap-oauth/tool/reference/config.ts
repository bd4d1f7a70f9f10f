/** What the tool has to be told, and what it assumes when it is not. */

import { loadTokenKey } from './token-key.ts'
import type { Fetch } from './upstream.ts'

export interface RapToolConfig {
  /** Base URL under which runtimes and browsers reach the tool; no trailing slash. */
  readonly publicUrl: string
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret?: string
  /** Base URL of the protected API. */
  readonly resourceUrl: string
  /** Value of the `resource` parameter (RFC 8707); not sent when absent. */
  readonly resourceIndicator?: string
  readonly dataDir: string
  /** 32 bytes; made and kept in `dataDir` when absent. */
  readonly tokenKey?: Uint8Array
  /** How long a call may wait for its user, in milliseconds. Default: ten minutes. */
  readonly pendingTimeoutMs?: number
  /** How long one request to anybody else may take, in milliseconds. Default: five seconds. */
  readonly upstreamTimeoutMs?: number
  /** Used for the provider and the API. Default: the global `fetch`. */
  readonly fetch?: Fetch
}

export type Settings = Required<Omit<RapToolConfig, 'clientSecret' | 'resourceIndicator'>> &
  Pick<RapToolConfig, 'clientSecret' | 'resourceIndicator'>

export const defaultPendingTimeoutMs = 600_000
export const defaultUpstreamTimeoutMs = 5_000

export function resolveConfig(config: RapToolConfig): Settings {
  return {
    ...config,
    publicUrl: config.publicUrl.replace(/\/+$/, ''),
    resourceUrl: config.resourceUrl.replace(/\/+$/, ''),
    tokenKey: config.tokenKey ?? loadTokenKey(config.dataDir),
    pendingTimeoutMs: config.pendingTimeoutMs ?? defaultPendingTimeoutMs,
    upstreamTimeoutMs: config.upstreamTimeoutMs ?? defaultUpstreamTimeoutMs,
    fetch: config.fetch ?? globalThis.fetch,
  }
}
