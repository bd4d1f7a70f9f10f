/** What the vendor of a RAP tool configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { duration } from '../../../harness/engine/index.ts'
import { commonSchema, targetSchema } from '../../../harness/parties/configuration.ts'
import { storeSchema, type StoreConfiguration } from '../../oauth-client/store.ts'

export const toolConfiguration = commonSchema.extend({
  profile: z.literal('rap-oauth/tool'),
  target: targetSchema.safeExtend({
    endpoint: z
      .string()
      .optional()
      .describe(
        'Where to invoke it, absolute or relative to url, if the endpoint in its manifest cannot be reached from here.',
      )
      .meta({
        flag: '--endpoint <url>',
        help: 'where to invoke it, if its manifest says something else',
        example: '/invoke',
      }),
  }),
  operation: z
    .strictObject({
      name: z
        .string()
        .min(1)
        .optional()
        .describe('Default: the first one that is annotated requiresAuth.')
        .meta({
          flag: '--operation <name>',
          help: 'an operation that needs authorization',
          example: 'list_items',
        }),
      arguments: z
        .record(z.string(), z.unknown())
        .default({})
        .meta({ flag: '--arguments <json>', reads: 'json', help: 'its arguments' }),
      scopes: z
        .array(z.string())
        .optional()
        .describe('The scopes that it needs, no more; default: not declared.')
        .meta({
          flag: '--scopes <scopes>',
          reads: 'words',
          help: 'the scopes that it needs, no more; separated by blanks or commas',
          example: ['items:read'],
        }),
    })
    .prefault({})
    .describe('An operation that needs authorization and calls the protected API.'),
  declares: z
    .strictObject({
      pendingTimeout: duration
        .optional()
        .describe('After how long an abandoned authorization ends the call with an error result.')
        .meta({
          flag: '--pending-timeout <duration>',
          help: 'after how long it gives up on an abandoned authorization, for example 10s',
          example: '10s',
        }),
      refreshTokens: z.boolean().default(true).describe('Whether it uses refresh tokens.').meta({
        flag: '--refresh-tokens <yes|no>',
        reads: 'yes or no',
        help: 'whether it uses refresh tokens, yes or no',
      }),
      anonymous: z
        .boolean()
        .default(true)
        .describe('Whether it is meant for callers without a user_id at all.'),
      tokenStore: z
        .array(storeSchema)
        .optional()
        .describe(
          'Files or folders in which it keeps tokens, for example ["{data.dir}"], or {command: [...]} that prints them.',
        )
        .meta({
          flag: '--token-store <path>',
          reads: 'paths',
          help: 'file or folder in which it keeps tokens; repeatable',
          example: ['{data.dir}'],
        }),
      logs: z
        .array(z.string())
        .optional()
        .describe('Log files that it writes, beside its output.')
        .meta({
          flag: '--log-file <path>',
          reads: 'paths',
          help: 'log file that it writes; repeatable',
          example: ['./server.log'],
        }),
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
  readonly tokenStore: readonly StoreConfiguration[] | undefined
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
