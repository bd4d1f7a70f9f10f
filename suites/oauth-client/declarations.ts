/** What the vendor of any OAuth client declares; a protocol puts it into its own configuration. */

import { z } from 'zod'
import { duration } from '../../harness/engine/index.ts'
import {
  presetsWithoutRefreshTokens,
  type ProviderConfiguration,
} from '../../harness/parties/provider-settings.ts'
import type { TargetConfiguration } from '../../harness/parties/target-settings.ts'

/** A file or folder in which something is kept, or a command that prints it. */
export const store = z.union([
  z.string().min(1),
  z.strictObject({ command: z.array(z.string()).min(1) }),
])
export type StoreConfiguration = z.infer<typeof store>

export const pendingTimeout = duration
  .optional()
  .describe('After how long an abandoned authorization ends the call with an error result.')
  .meta({
    flag: '--pending-timeout <duration>',
    help: 'after how long it gives up on an abandoned authorization, for example 10s',
    example: '10s',
  })

export const refreshTokens = z
  .boolean()
  .default(true)
  .describe('Whether it uses refresh tokens.')
  .meta({
    flag: '--refresh-tokens <yes|no>',
    reads: 'yes or no',
    help: 'whether it uses refresh tokens, yes or no',
  })

export const refreshLeeway = duration
  .optional()
  .describe(
    'How long before its expiry an access token is refreshed, to the second; default: almost at its expiry.',
  )
  .meta({
    flag: '--refresh-leeway <duration>',
    help: 'how long before its expiry an access token is refreshed, for example 60s',
    example: '60s',
  })

export const tokenStore = z
  .array(store)
  .optional()
  .describe(
    'Files or folders in which it keeps tokens, for example ["{data.dir}"], or {command: [...]} that prints them.',
  )
  .meta({
    flag: '--token-store <path>',
    reads: 'paths',
    help: 'file or folder in which it keeps tokens; repeatable',
    example: ['{data.dir}'],
  })

/** Of an operation that is a tool with arguments. */
export const otherArguments = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Other arguments, which make another call of it: what is kept for one is not for the other.',
  )
  .meta({
    flag: '--other-arguments <json>',
    reads: 'json',
    help: 'arguments that make another call of it',
    example: { limit: 1 },
  })

export const toolScopes = z
  .array(z.string())
  .optional()
  .describe('The scopes that the tool needs, no more; default: not declared.')
  .meta({
    flag: '--tool-scopes <scopes>',
    reads: 'words',
    help: 'the scopes that it needs, no more; separated by blanks or commas',
    example: ['items:read'],
  })

/** The declarations as checks see them, without those of the protocol alone. */
export interface ClientDeclared {
  /** After how long an abandoned authorization ends the call, where that is declared. */
  readonly pendingTimeoutMs: number | undefined
  readonly refreshTokens: boolean
  /** The scopes that the operation needs, no more. */
  readonly scopes: readonly string[] | undefined
  readonly tokenStore: readonly StoreConfiguration[] | undefined
  readonly logs: readonly string[] | undefined
  /** How the implementation runs: only one that we start can be restarted, or given a provider of its own. */
  readonly driven: 'command' | 'module' | 'url'
  readonly redirectMatching: 'exact' | 'ignore-query'
}

interface ClientConfiguration {
  readonly target: TargetConfiguration
  readonly provider: ProviderConfiguration
  readonly declares: {
    readonly pendingTimeout?: number | undefined
    readonly refreshTokens: boolean
    readonly tokenStore?: readonly StoreConfiguration[] | undefined
    readonly logs?: readonly string[] | undefined
  }
}

export function clientDeclared(
  { target, provider, declares }: ClientConfiguration,
  scopes: readonly string[] | undefined,
): ClientDeclared {
  return {
    pendingTimeoutMs: declares.pendingTimeout,
    // Nobody uses what the provider that is imitated never issues.
    refreshTokens:
      declares.refreshTokens && !presetsWithoutRefreshTokens.includes(provider.preset ?? ''),
    scopes,
    tokenStore: declares.tokenStore,
    logs: declares.logs,
    driven: target.command ? 'command' : target.module ? 'module' : 'url',
    redirectMatching: provider.redirectMatching,
  }
}
