/** What the vendor of an MCP server configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, logFiles } from '../../../../harness/parties/configuration.ts'
import {
  clientDeclared,
  pendingTimeout,
  refreshLeeway,
  refreshTokens,
  tokenStore,
  toolScopes,
  type ClientDeclared,
} from '../../../oauth-client/declarations.ts'
import { serverTarget, toolSchema } from '../../server/configuration.ts'
import { hasHandshake } from '../../wire/revisions.ts'
import type { Declaration } from '../auth-request.ts'
import { notCarried } from '../specification.ts'

export const serverConfiguration = commonSchema.extend({
  profile: z.literal('mcp-delegated-authorization/server'),
  target: serverTarget.refine(({ revision }) => hasHandshake(revision), {
    message: notCarried,
    path: ['revision'],
  }),
  tool: toolSchema
    .prefault({})
    .describe('A tool that needs authorization and calls the protected API.'),
  declares: z
    .strictObject({
      scopes: toolScopes,
      capability: z
        .enum(['standard', 'experimental'] satisfies Declaration[])
        .default('standard')
        .describe(
          'Where it looks for the capability: capabilities.delegated_authorization, or the same below experimental.',
        )
        .meta({
          flag: '--capability <place>',
          help: 'where it looks for the capability, standard or experimental',
        }),
      pendingTimeout,
      refreshTokens,
      refreshLeeway,
      tokenStore,
      logs: logFiles,
    })
    .prefault({}),
})

export type ServerConfiguration = z.infer<typeof serverConfiguration>

/** The declarations as checks see them. */
export interface Declared extends ClientDeclared {
  readonly capability: Declaration
  /** Whether the endpoint demands a token of each user. */
  readonly authorization: boolean
  /** What access tokens are: opaque ones are asked about, others say themselves until when they are valid. */
  readonly tokenFormat: 'opaque' | 'jwt'
}

export function declaredBy(configuration: ServerConfiguration): Declared {
  const { declares, target } = configuration
  return {
    ...clientDeclared(configuration, declares.scopes),
    capability: declares.capability,
    authorization: target.authorization,
    tokenFormat: configuration.provider.tokenFormat,
  }
}
