/** What the vendor of an MCP client configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, targetSchema } from '../../../../harness/parties/configuration.ts'
import { hasHandshake, type Revision } from '../../wire/revisions.ts'

const line = z.string().describe('What is typed, without the end of the line.')

const terminal = z.strictObject({
  call: z
    .string()
    .default('call {tool} {arguments}')
    .describe('The line that calls a tool; {arguments} is a JSON object.'),
  prompt: z
    .string()
    .min(1)
    .describe('A text that it prints when, and only when, it waits for consent to open a URL.'),
  accept: line,
  decline: line,
  cancel: line,
  approval: z
    .strictObject({ text: z.string().min(1), line })
    .optional()
    .describe(
      'Where it asks whether a tool may be called at all: a text of that question, and what is typed.',
    ),
})
export type Terminal = z.infer<typeof terminal>

export const clientConfiguration = commonSchema.omit({ provider: true }).extend({
  profile: z.literal('mcp-url-elicitation/client'),
  target: targetSchema
    .safeExtend({
      revision: z
        .enum(['2025-11-25', '2026-07-28'])
        .default('2025-11-25')
        .describe(
          'The revision of the protocol that it is asked in; 2025-11-25 stands for the older ones, too.',
        )
        .meta({ flag: '--revision <date>', help: 'the revision of MCP that the server speaks' }),
    })
    .refine(({ command }) => command !== undefined, {
      message: 'an MCP client is started by a command, and so is an adapter',
      path: ['command'],
    }),
  drive: z
    .union([z.strictObject({ terminal }), z.strictObject({ adapter: z.literal(true) })])
    .describe(
      'How it is made to act: {terminal: {call, prompt, accept, decline, cancel}} for lines on its standard input and prompts on its output, or {adapter: true}.',
    ),
  declares: z
    .strictObject({
      modern: z
        .boolean()
        .default(false)
        .describe('Whether it speaks revision 2026-07-28 beside the one that it is asked in.')
        .meta({
          flag: '--modern <yes|no>',
          reads: 'yes or no',
          help: 'whether it speaks revision 2026-07-28 as well, yes or no',
        }),
      opens: z
        .boolean()
        .default(true)
        .describe('Whether it opens URLs itself; otherwise its user copies what it shows.')
        .meta({
          flag: '--opens <yes|no>',
          reads: 'yes or no',
          help: 'whether it opens URLs itself, yes or no',
        }),
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
