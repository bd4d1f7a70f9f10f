/** What the vendor of a planner or of a manager configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, logFiles, modelListens } from '../../harness/parties/configuration.ts'
import { targetSchema } from '../../harness/parties/target-settings.ts'

export const tool = z.strictObject({
  name: z
    .string()
    .min(1)
    .meta({ flag: '--tool <name>', help: 'the tool that needs authorization' }),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/** Tools beside the operation. */
export const otherTools = z.strictObject({
  secondProvider: tool
    .extend({ name: z.string().min(1) })
    .optional()
    .describe('A second tool, which does the same with the token of the second provider.')
    .meta({ example: { name: 'notes_list' } }),
})

export const frameworkDeclares = z.strictObject({
  durable: z
    .boolean()
    .default(false)
    .describe(
      'Whether it has a state store: told {state: durable}, it keeps pauses, and tokens, over a restart.',
    ),
  callPath: z
    .enum(['own', 'adapter'])
    .default('own')
    .describe('Whether the framework calls the API itself, or the adapter with its headers.')
    .meta({ flag: '--call-path <who>', help: 'who calls the API: own or adapter' }),
  handles: z
    .enum(['made', 'chosen'])
    .default('made')
    .describe('Whether the framework makes the handle of a pause, or its application does.')
    .meta({ flag: '--handles <how>', help: 'whether handles are made or chosen' }),
  listens: z
    .boolean()
    .default(true)
    .describe(
      'Whether the adapter listens at {callback.url}; otherwise it takes the command callback.',
    )
    .meta({
      flag: '--listens <yes|no>',
      reads: 'yes or no',
      help: 'whether the adapter listens for callbacks, yes or no',
    }),
  completed: z
    .string()
    .default('oauth_completed')
    .describe('What a pause is resumed with after the consent.'),
  denied: z
    .string()
    .default('oauth_denied')
    .describe('What a pause is resumed with after a denial.'),
  logs: logFiles,
})

/** What both roles configure: the adapter, its tools, and what it can. */
export const frameworkConfiguration = commonSchema.extend({
  target: targetSchema.refine(({ command }) => command !== undefined, {
    message: 'a framework is reached through an adapter, which is started by a command',
    path: ['command'],
  }),
  operation: tool.describe('A tool that acts for its user and calls GET {resource.url}/items.'),
  others: otherTools.prefault({}),
  declares: frameworkDeclares.prefault({}),
  listen: modelListens,
})

export type FrameworkConfiguration = z.infer<typeof frameworkConfiguration>
export type Tool = z.infer<typeof tool>

/** The client of the second provider, beside that of the first one. */
export const secondClientId = (client: string): string => `${client}-2`

/** The declarations as checks see them. */
export interface Declared {
  readonly durable: boolean
  readonly callPath: 'own' | 'adapter'
  readonly handles: 'made' | 'chosen'
  readonly tool: string
  readonly secondProvider: string | undefined
  /** What the client of the second provider is called. */
  readonly secondClient: string
  readonly logs: readonly string[] | undefined
}

export function declaredBy({
  operation,
  others,
  declares,
  provider,
}: FrameworkConfiguration): Declared {
  const { durable, callPath, handles, logs } = declares
  return {
    durable,
    callPath,
    handles,
    logs,
    tool: operation.name,
    secondProvider: others.secondProvider?.name,
    secondClient: secondClientId(provider.client.id),
  }
}
