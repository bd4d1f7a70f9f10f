/** What the vendor of an MCP client configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema } from '../../../../harness/parties/configuration.ts'
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
  httpsOnly,
} from '../../client/configuration.ts'
import { hasHandshake, type Revision } from '../../wire/revisions.ts'

const terminal = z.strictObject({
  call: callLine,
  ready,
  prompt: z
    .string()
    .min(1)
    .describe('A text that it prints when, and only when, it waits for consent to open a URL.'),
  accept: line,
  decline: line,
  cancel: line,
  retry: line
    .optional()
    .describe(
      'What its user types when they have finished at the URL, where it waits for that before it calls the tool again.',
    ),
  approval,
  pty,
})

export const clientConfiguration = commonSchema.omit({ provider: true }).extend({
  profile: z.literal('mcp-url-elicitation/client'),
  target: clientTarget,
  drive: z
    .union([z.strictObject({ terminal }), adapter])
    .describe(
      'How it is made to act: {terminal: {call, prompt, accept, decline, cancel}} for lines on its standard input and prompts on its output, or {adapter: true}.',
    ),
  declares: z
    .strictObject({
      modern,
      opens,
      httpsOnly,
      serverName: z
        .string()
        .optional()
        .describe('What it calls the first server, where it is not told {mcp.name}.')
        .meta({ example: 'items' }),
    })
    .prefault({}),
})

export type ClientConfiguration = z.infer<typeof clientConfiguration>

/** The declarations as checks see them. */
export interface Declared {
  readonly revision: Revision
  /** Whether it speaks 2026-07-28. */
  readonly modern: boolean
  readonly opens: boolean
  /** Whether it is told of a second server. */
  readonly twoServers: boolean
}

export function declaredBy({ target, drive, declares }: ClientConfiguration): Declared {
  return {
    revision: target.revision,
    modern: declares.modern || !hasHandshake(target.revision),
    opens: declares.opens,
    twoServers: 'adapter' in drive || /\{mcp\.(url2|command2)\}/.test(JSON.stringify(target)),
  }
}
