/** What the vendor of an MCP server configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, logFiles } from '../../../../harness/parties/configuration.ts'
import {
  clientDeclared,
  otherArguments,
  pendingTimeout,
  refreshLeeway,
  refreshTokens,
  tokenStore,
  toolScopes,
  type ClientDeclared,
} from '../../../oauth-client/declarations.ts'
import { modern, serverTarget, toolSchema } from '../../server/configuration.ts'
import { hasHandshake, type Revision } from '../../wire/revisions.ts'

export const serverConfiguration = commonSchema.extend({
  profile: z.literal('mcp-url-elicitation/server'),
  target: serverTarget,
  tool: toolSchema
    .safeExtend({ otherArguments })
    .prefault({})
    .describe('A tool that needs authorization and calls the protected API.'),
  declares: z
    .strictObject({
      oauthClient: z
        .boolean()
        .default(true)
        .describe(
          'Whether it gets tokens for its user where its URL leads; a server that sends its user away for anything else says no.',
        )
        .meta({
          flag: '--oauth-client <yes|no>',
          reads: 'yes or no',
          help: 'whether it gets tokens for its user, yes or no',
        }),
      scopes: toolScopes,
      pendingTimeout,
      refreshTokens,
      refreshLeeway,
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
      modern,
      tokenStore,
      logs: logFiles,
    })
    .prefault({}),
})

export type ServerConfiguration = z.infer<typeof serverConfiguration>

/** The declarations as checks see them. */
export interface Declared extends ClientDeclared {
  /** Whether it gets tokens where its URL leads; what OAuth demands of clients binds nobody else. */
  readonly oauthClient: boolean
  /** Whether a browser can log in at the server, so that it can tell who opens a link. */
  readonly login: boolean
  readonly revision: Revision
  /** Whether it speaks 2026-07-28, which has no handshake and asks in results. */
  readonly modern: boolean
  readonly transport: 'http' | 'stdio'
  /** Whether the endpoint demands a token of each user. */
  readonly authorization: boolean
  /** What access tokens are: opaque ones are asked about, others say themselves until when they are valid. */
  readonly tokenFormat: 'opaque' | 'jwt'
  /** Whether other arguments of the tool are known. */
  readonly otherArguments: boolean
}

export function declaredBy(configuration: ServerConfiguration): Declared {
  const { declares, target, tool } = configuration
  return {
    ...clientDeclared(configuration, declares.scopes),
    oauthClient: declares.oauthClient,
    login: declares.login !== undefined && target.transport === 'http',
    revision: target.revision,
    modern: declares.modern || !hasHandshake(target.revision),
    transport: target.transport,
    authorization: target.authorization,
    tokenFormat: configuration.provider.tokenFormat,
    otherArguments: tool.otherArguments !== undefined,
  }
}
