/** What the vendor of a RAP runtime configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { duration } from '../../../harness/engine/index.ts'
import { commonSchema, logFiles } from '../../../harness/parties/configuration.ts'
import {
  canBeMoved,
  clock,
  onlyMoved,
  targetSchema,
} from '../../../harness/parties/target-settings.ts'
import { httpTemplate, watchedSurfaces } from '../../../harness/parties/host-user/configuration.ts'

const port = z.number().int().min(0).max(65535).default(0)

const messages = z.union([
  z.strictObject({ http: httpTemplate }),
  z.strictObject({ stdin: z.literal(true) }),
  z.strictObject({ adapter: z.literal(true) }),
])

const surface = z.union([
  z.strictObject({ output: z.union([z.literal(true), z.literal('stderr')]) }),
  z.strictObject({ response: z.literal(true) }),
  z.strictObject({ webhook: z.literal(true) }),
  z.strictObject({ adapter: z.literal(true) }),
  ...watchedSurfaces,
])
/** The two streams that a process prints on. */
export type OutputSource = 'stdout' | 'stderr'
export type SurfaceConfiguration = z.infer<typeof surface>

const storage = z.union([
  z.string().min(1),
  z.strictObject({ command: z.array(z.string()).min(1) }),
  z.strictObject({ adapter: z.literal(true) }),
])
export type StorageConfiguration = z.infer<typeof storage>

export const runtimeConfiguration = commonSchema
  .omit({ provider: true })
  .extend({
    profile: z.literal('rap-oauth/runtime'),
    target: targetSchema.safeExtend({ clock }).refine(canBeMoved, onlyMoved),
    messages: messages.describe(
      'How a user says something: {http: {method, path, headers, body}} with {conversation}, {user} and {text}, {stdin: true} (a line each; every conversation has a process of its own), or {adapter: true}.',
    ),
    surface: z
      .array(surface)
      .min(1)
      .describe(
        'Where the user sees things: {output: true} (what the process prints on standard output), {output: "stderr"} (what it prints on standard error, where that is shown to users and is no log), {response: true} (the answer to the message, at once or as a stream), {webhook: true} (posted to {webhook.url}), {poll: {path}}, {sse: {path}}, {websocket: {path}} with {conversation}, or {adapter: true}.',
      ),
    listen: z
      .strictObject({ toolset: port, toolset2: port, model: port, webhook: port })
      .prefault({})
      .describe('Ports of what the runtime is told about; 0 takes a free one.'),
    declares: z
      .strictObject({
        durable: z
          .boolean()
          .default(false)
          .describe('Whether a pending call survives a restart of the runtime.'),
        userTimeout: duration
          .optional()
          .describe('After how long the runtime itself ends a pending call with an error result.'),
        cancel: z
          .union([
            z.strictObject({ http: httpTemplate }),
            z.strictObject({ adapter: z.literal(true) }),
          ])
          .optional()
          .describe('How a user interrupts what is pending in a conversation.'),
        surfaceWithin: duration
          .default(5_000)
          .describe('How long it may take until an authorization URL is shown.'),
        storage: z
          .array(storage)
          .optional()
          .describe(
            'Files or folders in which it stores conversations, for example ["{data.dir}"], or {command: [...]} that prints them.',
          ),
        logs: logFiles,
      })
      .prefault({}),
  })
  .superRefine((value, context) => {
    const issue = (where: string[], message: string): void =>
      context.addIssue({ code: 'custom', path: where, message })
    const adapted = 'adapter' in value.messages
    if (value.target.clock === 'jump' && !('http' in value.messages)) {
      issue(
        ['target', 'clock'],
        'the run cannot move the clock of an adapter (it does so itself: advance_clock) or of a console',
      )
    }
    if (value.target.module) issue(['target', 'module'], 'a runtime cannot run inside this process')
    if (adapted && !value.target.command) {
      issue(['target', 'command'], 'an adapter is started by a command')
    }
    if ('stdin' in value.messages && !value.target.command) {
      issue(['messages', 'stdin'], 'only a runtime that is started by a command has an input')
    }
    if ('stdin' in value.messages && !value.target.url.includes('{port}')) {
      issue(
        ['target', 'url'],
        'every conversation gets a process of its own, so it needs a {port} of its own',
      )
    }
    if (!adapted && value.surface.some((each) => 'adapter' in each)) {
      issue(['surface'], 'without {adapter: true} in messages there is no adapter')
    }
    if (value.surface.some((each) => 'response' in each) && !('http' in value.messages)) {
      issue(['surface'], 'only a message that is sent by http has a response')
    }
  })

export type RuntimeConfiguration = z.infer<typeof runtimeConfiguration>

/** The declarations as checks see them. */
export interface Declared {
  readonly durable: boolean
  readonly userTimeoutMs: number | undefined
  /** The timeout that a call has where it is not looked at; `undefined` where the harness lengthens it, or there is none. */
  readonly callTimeoutMs: number | undefined
  readonly cancels: boolean
  /** Whether whoever interrupts says in which conversation. */
  readonly cancelsConversations: boolean
  readonly surfaceMs: number
  /** Whether users are shown nothing but in the answers to what they say. */
  readonly answersOnly: boolean
  readonly storage: boolean
  readonly logs: boolean
  /** Whether the surfaces tell the conversations apart. */
  readonly separateSurfaces: boolean
  /** Whether a surface can be opened anew by who comes back. */
  readonly reopens: boolean
  /** Whether the runtime is told in which conversation its user speaks: otherwise each user has one. */
  readonly tellsConversations: boolean
  /** Whether the runtime is told which user speaks. */
  readonly tellsUsers: boolean
  /** What of its output is the user interface rather than a log. */
  readonly outputSurfaces: readonly OutputSource[]
  readonly owned: boolean
  /** Whether the harness can start further instances beside the shared one. */
  readonly multipliable: boolean
}

export function declaredBy(configuration: RuntimeConfiguration): Declared {
  const { declares, messages, surface, target } = configuration
  return {
    durable: declares.durable,
    userTimeoutMs: declares.userTimeout,
    callTimeoutMs: JSON.stringify(target).includes('{user.timeoutMs}')
      ? undefined
      : declares.userTimeout,
    cancels: declares.cancel !== undefined,
    cancelsConversations: namesConversation(declares.cancel),
    surfaceMs: declares.surfaceWithin,
    answersOnly: surface.every((each) => 'response' in each),
    storage: declares.storage !== undefined,
    logs: declares.logs !== undefined || target.command !== undefined,
    separateSurfaces: 'stdin' in messages || surface.some((each) => separates(each)),
    reopens: surface.some((each) => 'poll' in each || 'sse' in each || 'websocket' in each),
    tellsConversations:
      !('http' in messages) || JSON.stringify(messages).includes('{conversation}'),
    tellsUsers: 'adapter' in messages || JSON.stringify(messages).includes('{user}'),
    outputSurfaces: outputSurfaces(configuration),
    owned: target.command !== undefined,
    multipliable: target.command !== undefined && target.url.includes('{port}'),
  }
}

function namesConversation(cancel: RuntimeConfiguration['declares']['cancel']): boolean {
  if (!cancel) return false
  return 'adapter' in cancel || JSON.stringify(cancel).includes('{conversation}')
}

/** Where on its console users are shown anything. */
export function outputSurfaces({
  surface,
}: Pick<RuntimeConfiguration, 'surface'>): readonly OutputSource[] {
  return surface.flatMap((each) => {
    if (!('output' in each)) return []
    return each.output === 'stderr' ? ['stderr'] : ['stdout']
  })
}

/** The text of a console or of a posted message need not say whose conversation it is in. */
function separates(surface: SurfaceConfiguration): boolean {
  if ('output' in surface || 'webhook' in surface) return false
  const template = Object.values(surface)[0] as true | { path: string }
  return (
    template === true ||
    template.path.includes('{conversation}') ||
    template.path.includes('{user}')
  )
}
