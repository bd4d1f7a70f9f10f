/** What the vendor of a RAP tool configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, logFiles } from '../../../harness/parties/configuration.ts'
import {
  canBeMoved,
  clock,
  onlyMoved,
  targetSchema,
} from '../../../harness/parties/target-settings.ts'
import {
  clientDeclared,
  pendingTimeout,
  refreshLeeway,
  refreshTokens,
  tokenStore,
  type ClientDeclared,
} from '../../oauth-client/declarations.ts'

export const toolConfiguration = commonSchema.extend({
  profile: z.literal('rap-oauth/tool'),
  target: targetSchema
    .safeExtend({
      clock,
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
    })
    .refine(canBeMoved, onlyMoved),
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
        .describe('The scopes that it needs, no more; an empty list: none. Default: not declared.')
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
      pendingTimeout,
      refreshTokens,
      refreshLeeway,
      anonymous: z
        .boolean()
        .default(true)
        .describe('Whether it is meant for callers without a user_id at all.'),
      tokenStore,
      logs: logFiles,
    })
    .prefault({}),
})

export type ToolConfiguration = z.infer<typeof toolConfiguration>

/** The declarations as checks see them. */
export interface Declared extends ClientDeclared {
  readonly anonymous: boolean
}

export function declaredBy(configuration: ToolConfiguration): Declared {
  const { declares, operation } = configuration
  return { ...clientDeclared(configuration, operation.scopes), anonymous: declares.anonymous }
}
