/** What the vendor of an MCP client that follows challenges configures and declares. */

import { z } from 'zod'
import { commonSchema, logFiles } from '../../../../harness/parties/configuration.ts'
import {
  clientDeclared,
  tokenStore,
  type ClientDeclared,
} from '../../../oauth-client/declarations.ts'
import {
  adapter,
  approval,
  callLine,
  clientTarget,
  line,
  modern,
  opens,
  pty,
  ready,
} from '../../client/configuration.ts'
import { hasHandshake, type Revision } from '../../wire/revisions.ts'
import { neededScope } from './vocabulary.ts'

const terminal = z.strictObject({
  call: callLine,
  ready,
  approval: approval.describe(
    'Where it asks something before it calls a tool or opens a page: a text of that question, and what is typed.',
  ),
  pty,
  signIn: line
    .optional()
    .describe(
      'The line by which its user signs in at a server that answers HTTP 401, if it takes one.',
    )
    .meta({ example: 'login {mcp.name}' }),
})

export const clientConfiguration = commonSchema.extend({
  profile: z.literal('mcp-auth-challenge/client'),
  target: clientTarget,
  drive: z
    .union([z.strictObject({ terminal }), adapter])
    .describe(
      'How it is made to act: {terminal: {call, approval, signIn}} for lines on its standard input, or {adapter: true}.',
    ),
  declares: z.strictObject({ modern, opens, tokenStore, logs: logFiles }).prefault({}),
})

export type ClientConfiguration = z.infer<typeof clientConfiguration>

/** The declarations as checks see them. */
export interface Declared extends ClientDeclared {
  readonly revision: Revision
  /** Whether it opens URLs itself. */
  readonly opens: boolean
  /** Whether it speaks 2026-07-28. */
  readonly modern: boolean
  /** Whether it is told of a second server. */
  readonly twoServers: boolean
}

export function declaredBy({ target, provider, drive, declares }: ClientConfiguration): Declared {
  const { modern: speaksModern, opens: opensItself, ...stores } = declares
  return {
    ...clientDeclared({ target, provider, declares: { ...stores, refreshTokens: true } }, [
      neededScope,
    ]),
    revision: target.revision,
    opens: opensItself,
    modern: speaksModern || !hasHandshake(target.revision),
    twoServers: 'adapter' in drive || JSON.stringify(target).includes('{mcp.url2}'),
  }
}
