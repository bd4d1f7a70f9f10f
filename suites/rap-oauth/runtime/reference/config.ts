/** What the runtime has to be told, and what it assumes when it is not. */

import type { Fetch } from './exchange.ts'

export interface RapRuntimeConfig {
  /** Base URL under which tools reach the runtime's callback endpoint. */
  readonly publicUrl: string
  /** Base URLs of RAP toolsets, in order of precedence. */
  readonly toolsets: readonly string[]
  /** Base URL of an OpenAI-compatible API, such as `https://api.openai.com/v1`. */
  readonly modelBaseUrl?: string
  readonly modelApiKey?: string
  readonly modelName: string
  readonly dataDir: string
  /** After how many milliseconds a call ends with an error result. Default: never. */
  readonly callTimeoutMs?: number
  /** Sent to tools, such as an `Authorization` that they ask for. */
  readonly toolHeaders?: Readonly<Record<string, string>>
  /** How long one answer of the model may take, in milliseconds. Default: two minutes. */
  readonly modelTimeoutMs?: number
  /** How long a tool may take to acknowledge, in milliseconds. Default: thirty seconds. */
  readonly acknowledgementTimeoutMs?: number
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch
}

export type Settings = Required<Omit<RapRuntimeConfig, 'modelApiKey' | 'callTimeoutMs'>> &
  Pick<RapRuntimeConfig, 'modelApiKey' | 'callTimeoutMs'>

export const defaultModelBaseUrl = 'https://api.openai.com/v1'

export function resolveConfig(config: RapRuntimeConfig): Settings {
  return {
    ...config,
    publicUrl: withoutSlash(config.publicUrl),
    toolsets: config.toolsets.map(withoutSlash),
    modelBaseUrl: withoutSlash(config.modelBaseUrl ?? defaultModelBaseUrl),
    toolHeaders: config.toolHeaders ?? {},
    modelTimeoutMs: config.modelTimeoutMs ?? 120_000,
    acknowledgementTimeoutMs: config.acknowledgementTimeoutMs ?? 30_000,
    fetch: config.fetch ?? globalThis.fetch,
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
