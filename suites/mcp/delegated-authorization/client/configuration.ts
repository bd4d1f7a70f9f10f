/** What the vendor of an MCP client configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, logFiles } from '../../../../harness/parties/configuration.ts'
import { store } from '../../../oauth-client/declarations.ts'
import {
  adapter,
  approval,
  callLine,
  clientTarget,
  line,
  opens,
  pty,
  ready,
  httpsOnly,
} from '../../client/configuration.ts'
import { hasHandshake } from '../../wire/revisions.ts'
import { notCarried } from '../specification.ts'

const terminal = z.strictObject({
  call: callLine,
  ready,
  prompt: z
    .string()
    .min(1)
    .describe('A text that it prints when, and only when, it waits for consent to open a URL.'),
  accept: line,
  decline: line,
  approval,
  pty,
})

export const clientConfiguration = commonSchema.omit({ provider: true }).extend({
  profile: z.literal('mcp-delegated-authorization/client'),
  target: clientTarget.refine(({ revision }) => hasHandshake(revision), {
    message: notCarried,
    path: ['revision'],
  }),
  drive: z
    .union([z.strictObject({ terminal }), adapter])
    .describe(
      'How it is made to act: {terminal: {call, prompt, accept, decline}} for lines on its standard input and prompts on its output, or {adapter: true}.',
    ),
  declares: z
    .strictObject({
      opens,
      httpsOnly,
      logs: logFiles,
      stores: z
        .array(store)
        .default(['{data.dir}'])
        .describe(
          'Files or folders in which it keeps anything, for example ["{data.dir}"], or {command: [...]} that prints them.',
        )
        .meta({
          flag: '--store <path>',
          reads: 'paths',
          help: 'file or folder in which it keeps anything; repeatable',
        }),
    })
    .prefault({}),
})

export type ClientConfiguration = z.infer<typeof clientConfiguration>

/** The declarations as checks see them. */
export interface Declared {
  readonly opens: boolean
  readonly logs: readonly string[] | undefined
}

export function declaredBy({ declares }: ClientConfiguration): Declared {
  return { opens: declares.opens, logs: declares.logs }
}
