/** What the vendor of a RAP tool configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, duration } from '../../../harness/index.ts'

export const toolConfiguration = commonSchema.extend({
  profile: z.literal('rap-oauth/tool'),
  operation: z
    .strictObject({
      name: z
        .string()
        .min(1)
        .optional()
        .describe('Default: the first one that is annotated requiresAuth.'),
      arguments: z.record(z.string(), z.unknown()).default({}),
      scopes: z
        .array(z.string())
        .optional()
        .describe('The scopes that it needs, no more; default: not declared.'),
    })
    .prefault({})
    .describe('An operation that needs authorization and calls the protected API.'),
  declares: z
    .strictObject({
      pendingTimeout: duration
        .optional()
        .describe('After how long an abandoned authorization ends the call with an error result.'),
      refreshTokens: z.boolean().default(true).describe('Whether it uses refresh tokens.'),
      anonymous: z
        .boolean()
        .default(true)
        .describe('Whether it is meant for callers without a user_id at all.'),
      tokenStore: z
        .array(z.string())
        .optional()
        .describe('Files or folders in which it keeps tokens, for example ["{data.dir}"].'),
      logs: z.array(z.string()).optional().describe('Log files that it writes, beside its output.'),
    })
    .prefault({}),
})

export type ToolConfiguration = z.infer<typeof toolConfiguration>

/** The declarations as checks see them. */
export interface Declared {
  readonly pendingTimeoutMs: number | undefined
  readonly refreshTokens: boolean
  readonly anonymous: boolean
  readonly scopes: readonly string[] | undefined
  readonly tokenStore: readonly string[] | undefined
  readonly logs: readonly string[] | undefined
  /** How the implementation runs: only one that we start can be restarted, or given a provider of its own. */
  readonly driven: 'command' | 'module' | 'url'
  readonly redirectMatching: 'exact' | 'ignore-query'
}

export function declaredBy({ declares, operation, target, provider }: ToolConfiguration): Declared {
  return {
    pendingTimeoutMs: declares.pendingTimeout,
    refreshTokens: declares.refreshTokens,
    anonymous: declares.anonymous,
    scopes: operation.scopes,
    tokenStore: declares.tokenStore,
    logs: declares.logs,
    driven: target.command ? 'command' : target.module ? 'module' : 'url',
    redirectMatching: provider.redirectMatching,
  }
}
