/** What the vendor of any MCP client configures: how it is started and made to act, what it speaks. */

import { z } from 'zod'
import { targetSchema } from '../../../harness/parties/target-settings.ts'

/** Text that is typed, without the end of the line. */
export const line = z.string().describe('What is typed, without the end of the line.')

/** Members of `drive.terminal`. */
export const callLine = z
  .string()
  .default('call {tool} {arguments}')
  .describe('The line that calls a tool; {arguments} is a JSON object.')

export const pty = z
  .boolean()
  .default(false)
  .describe(
    'Whether it is to have a terminal, where it asks its user at none but that; takes python3.',
  )

export const ready = z
  .string()
  .min(1)
  .optional()
  .describe(
    'A text that it prints whenever, and only when, it takes a command, not once at its start; many lose what is typed before. Waited for up to readyTimeout.',
  )
  .meta({ example: '> ' })

export const approval = z
  .strictObject({ text: z.string().min(1), line })
  .optional()
  .describe(
    'Where it asks whether a tool may be called at all: a text of that question, and what is typed.',
  )

/** A client that is started by a command, and the revision that it is asked in. */
export const clientTarget = targetSchema
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
  })

/** The other way to make it act. */
export const adapter = z.strictObject({ adapter: z.literal(true) })

/** Members of `declares`. */
export const modern = z
  .boolean()
  .default(false)
  .describe('Whether it speaks revision 2026-07-28 beside the one that it is asked in.')
  .meta({
    flag: '--modern <yes|no>',
    reads: 'yes or no',
    help: 'whether it speaks revision 2026-07-28 as well, yes or no',
  })

export const opens = z
  .boolean()
  .default(true)
  .describe('Whether it opens URLs itself; otherwise its user copies what it shows.')
  .meta({
    flag: '--opens <yes|no>',
    reads: 'yes or no',
    help: 'whether it opens URLs itself, yes or no',
  })

export const httpsOnly = z
  .boolean()
  .default(false)
  .describe(
    'Whether it opens no URLs but https ones, so that the site of the URLs has to have TLS.',
  )
  .meta({
    flag: '--https-only <yes|no>',
    reads: 'yes or no',
    help: 'whether it opens https URLs alone, yes or no',
  })

/** What a configuration may say in braces about the servers. */
export const serverPlaceholders = {
  'mcp.name': 'what the first server is to be called',
  'mcp.url': 'its endpoint, over Streamable HTTP',
  'mcp.name2': 'what the second server is to be called',
  'mcp.url2': 'its endpoint',
} as const
