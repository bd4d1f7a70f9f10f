/** What the vendor of any MCP server configures: where it is, which revision it speaks, which tool is called. */

import { z } from 'zod'
import {
  canBeMoved,
  clock,
  onlyMoved,
  targetSchema,
} from '../../../harness/parties/target-settings.ts'
import { revisions } from '../wire/revisions.ts'

/** Members of `target`. */
export const endpoint = z
  .string()
  .default('/mcp')
  .describe('The MCP endpoint, absolute or relative to url.')
  .meta({ flag: '--endpoint <url>', help: 'the MCP endpoint, if it is not /mcp' })

export const revision = z
  .enum(revisions)
  .default('2025-11-25')
  .describe('The revision of the protocol that is offered.')
  .meta({ flag: '--revision <date>', help: 'the revision of MCP that is offered' })

/** Why a module is refused where an MCP server is to be driven. */
export const noModule = {
  message: 'an MCP server is a command or a url here, not a module',
  path: ['module'],
}

/** Where a server is that may be driven over either transport, and may demand tokens of its clients. */
export const serverTarget = targetSchema
  .safeExtend({
    transport: z
      .enum(['http', 'stdio'])
      .default('http')
      .describe('Streamable HTTP, or standard input and output: then every user has a process.')
      .meta({ flag: '--transport <name>', help: 'http or stdio' }),
    endpoint,
    clock,
    revision,
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
    scopes: z
      .array(z.string().min(1))
      .default([])
      .describe('The scopes that the endpoint demands in such a token; default: none.')
      .meta({
        flag: '--endpoint-scopes <scopes>',
        reads: 'words',
        help: 'the scopes that it demands in an access token; separated by blanks or commas',
        example: ['mcp:tools'],
      }),
  })
  .refine(({ module }) => module === undefined, noModule)
  .refine(({ transport, command }) => transport === 'http' || command !== undefined, {
    message: 'a server that speaks over stdio is started by its client: give the command',
    path: ['command'],
  })
  .refine(canBeMoved, onlyMoved)
  .refine(({ transport, clock }) => transport === 'http' || clock === 'real', {
    message: 'jump needs transport http, whose answers show the time of the server',
    path: ['clock'],
  })
  .refine(({ transport, authorization }) => transport === 'http' || !authorization, {
    message: 'MCP authorization is for HTTP',
    path: ['authorization'],
  })
  .refine(({ authorization, scopes }) => authorization || scopes.length === 0, {
    message: 'scopes are those of an access token: set authorization',
    path: ['scopes'],
  })

/** The tool to call. */
export const toolSchema = z.strictObject({
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
export type ToolConfiguration = z.infer<typeof toolSchema>

/** A member of `declares`. */
export const modern = z
  .boolean()
  .default(false)
  .describe('Whether it speaks revision 2026-07-28 beside the one that is offered.')
  .meta({
    flag: '--modern <yes|no>',
    reads: 'yes or no',
    help: 'whether it speaks revision 2026-07-28 as well, yes or no',
  })
