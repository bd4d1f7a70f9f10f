/** What the vendor of an MCP server that challenges in tool results configures and declares. */

import { z } from 'zod'
import { commonSchema, logFiles } from '../../../../harness/parties/configuration.ts'
import { targetSchema } from '../../../../harness/parties/target-settings.ts'
import { endpoint, modern, noModule, revision, toolSchema } from '../../server/configuration.ts'
import { toolScopes } from '../../../oauth-client/declarations.ts'
import { hasHandshake } from '../../wire/revisions.ts'

export const serverConfiguration = commonSchema.extend({
  profile: z.literal('mcp-auth-challenge/server'),
  target: targetSchema
    .safeExtend({ endpoint, revision })
    .refine(({ module }) => module === undefined, noModule)
    .refine(
      ({ headers }) => !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'),
      {
        message: 'the Authorization header is what is tried here: it comes from the flow',
        path: ['headers'],
      },
    ),
  tool: toolSchema.prefault({}).describe('A tool that needs authorization.'),
  declares: z
    .strictObject({
      scopes: toolScopes,
      modern,
      logs: logFiles,
    })
    .prefault({}),
})

export type ServerConfiguration = z.infer<typeof serverConfiguration>

/** The declarations as checks see them. */
export interface Declared {
  /** The scopes that the tool needs, no more. */
  readonly scopes: readonly string[] | undefined
  /** Whether it speaks 2026-07-28. */
  readonly modern: boolean
  readonly logs: readonly string[] | undefined
  /** How the implementation runs: only one that the harness starts prints where that is seen. */
  readonly driven: 'command' | 'url'
}

export function declaredBy({ target, declares }: ServerConfiguration): Declared {
  return {
    scopes: declares.scopes,
    modern: declares.modern || !hasHandshake(target.revision),
    logs: declares.logs,
    driven: target.command === undefined ? 'url' : 'command',
  }
}
