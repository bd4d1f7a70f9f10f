/** What the vendor of an MCP server configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { duration } from '../../../../harness/engine/index.ts'
import { commonSchema, targetSchema } from '../../../../harness/parties/configuration.ts'
import { storeSchema, type StoreConfiguration } from '../../../oauth-client/store.ts'
import { hasHandshake, revisions, type Revision } from '../../wire/revisions.ts'

export const serverConfiguration = commonSchema.extend({
  profile: z.literal('mcp-url-elicitation/server'),
  target: targetSchema
    .safeExtend({
      transport: z
        .enum(['http', 'stdio'])
        .default('http')
        .describe('Streamable HTTP, or standard input and output: then every user has a process.')
        .meta({ flag: '--transport <name>', help: 'http or stdio' }),
      endpoint: z
        .string()
        .default('/mcp')
        .describe('The MCP endpoint, absolute or relative to url.')
        .meta({ flag: '--endpoint <url>', help: 'the MCP endpoint, if it is not /mcp' }),
      revision: z
        .enum(revisions)
        .default('2025-11-25')
        .describe('The revision of the protocol that is offered.')
        .meta({ flag: '--revision <date>', help: 'the revision of MCP that is offered' }),
      authorization: z
        .boolean()
        .default(false)
        .describe(
          'Whether the endpoint demands an access token of the provider, for the endpoint as audience.',
        )
        .meta({
          flag: '--authorization <yes|no>',
          reads: 'yes or no',
          help: 'whether the endpoint demands an access token, yes or no',
        }),
    })
    .refine(({ module }) => module === undefined, {
      message: 'an MCP server is a command or a url here, not a module',
      path: ['module'],
    })
    .refine(({ transport, command }) => transport === 'http' || command !== undefined, {
      message: 'a server that speaks over stdio is started by its client: give the command',
      path: ['command'],
    })
    .refine(({ transport, authorization }) => transport === 'http' || !authorization, {
      message: 'MCP authorization is for HTTP',
      path: ['authorization'],
    }),
  tool: z
    .strictObject({
      name: z
        .string()
        .min(1)
        .optional()
        .describe('Default: the only one in tools/list, or the first that needs no argument.')
        .meta({
          flag: '--tool <name>',
          help: 'a tool that needs authorization',
          example: 'list_items',
        }),
      arguments: z
        .record(z.string(), z.unknown())
        .default({})
        .meta({ flag: '--tool-arguments <json>', reads: 'json', help: 'its arguments' }),
    })
    .prefault({})
    .describe('A tool that needs authorization and calls the protected API.'),
  declares: z
    .strictObject({
      scopes: z
        .array(z.string())
        .optional()
        .describe('The scopes that the tool needs, no more; default: not declared.')
        .meta({
          flag: '--tool-scopes <scopes>',
          reads: 'words',
          help: 'the scopes that it needs, no more; separated by blanks or commas',
          example: ['items:read'],
        }),
      pendingTimeout: duration
        .optional()
        .describe('After how long an abandoned authorization ends the call with an error.')
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
      login: z
        .string()
        .optional()
        .describe(
          'Where a browser logs in at the server through the provider, absolute or relative to url.',
        )
        .meta({
          flag: '--login <url>',
          help: 'where a browser logs in at the server',
          example: '/login',
        }),
      modern: z
        .boolean()
        .default(false)
        .describe('Whether it speaks revision 2026-07-28 beside the one that is offered.')
        .meta({
          flag: '--modern <yes|no>',
          reads: 'yes or no',
          help: 'whether it speaks revision 2026-07-28 as well, yes or no',
        }),
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

export type ServerConfiguration = z.infer<typeof serverConfiguration>

/** The declarations as checks see them. */
export interface Declared {
  readonly pendingTimeoutMs: number | undefined
  readonly refreshTokens: boolean
  readonly scopes: readonly string[] | undefined
  /** Whether a browser can log in at the server, so that it can tell who opens a link. */
  readonly login: boolean
  readonly revision: Revision
  /** Whether it speaks 2026-07-28, which has no handshake and asks in results. */
  readonly modern: boolean
  readonly transport: 'http' | 'stdio'
  /** Whether the endpoint demands a token of each user. */
  readonly authorization: boolean
  /** How the implementation runs: only one that we start can be restarted, or given a provider of its own. */
  readonly driven: 'command' | 'module' | 'url'
  readonly redirectMatching: 'exact' | 'ignore-query'
  readonly tokenStore: readonly StoreConfiguration[] | undefined
  readonly logs: readonly string[] | undefined
}

export function declaredBy({ declares, target, provider }: ServerConfiguration): Declared {
  return {
    pendingTimeoutMs: declares.pendingTimeout,
    refreshTokens: declares.refreshTokens,
    scopes: declares.scopes,
    login: declares.login !== undefined && target.transport === 'http',
    revision: target.revision,
    modern: declares.modern || !hasHandshake(target.revision),
    transport: target.transport,
    authorization: target.authorization,
    driven: target.command ? 'command' : 'url',
    redirectMatching: provider.redirectMatching,
    tokenStore: declares.tokenStore,
    logs: declares.logs,
  }
}
