/** What the vendor of a client application of ADK configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema } from '../../../harness/parties/configuration.ts'
import { targetSchema } from '../../../harness/parties/target-settings.ts'
import { httpTemplate, watchedSurfaces } from '../../../harness/parties/host-user/configuration.ts'
import type { Dialect } from '../wire.ts'

const http = z.strictObject({
  message: httpTemplate.describe(
    'How its user says something: {method, path, headers, body} with {text}, {conversation} and {user}.',
  ),
  surface: z
    .array(z.union([z.strictObject({ response: z.literal(true) }), ...watchedSurfaces]))
    .min(1)
    .describe(
      'Where its user reads what comes: {response: true} (the answer to the message; a redirect is followed), {poll: {path}}, {sse: {path}}, {websocket: {path}}.',
    ),
})

const stdin = z.strictObject({
  line: z.string().default('{text}').describe('The line that says something.'),
  paste: z
    .string()
    .optional()
    .describe(
      'Where its user pastes the callback, since nothing listens for it: the line, with {url}.',
    )
    .meta({ example: '{url}' }),
})

export const clientConfiguration = commonSchema.omit({ provider: true }).extend({
  profile: z.literal('adk-credential/client'),
  target: targetSchema.refine(({ command }) => command !== undefined, {
    message: 'a client application is started by a command, and so is an adapter',
    path: ['command'],
  }),
  agent: z
    .strictObject({
      app: z
        .string()
        .min(1)
        .default('helper')
        .describe('The name under which the scripted agent is served.')
        .meta({ flag: '--app <name>', help: 'the name under which the scripted agent is served' }),
      dialect: z
        .enum(['call', 'response'])
        .default('call')
        .describe(
          'How the agent asks for credentials: by a functionCall (Python, JavaScript) or by a functionResponse (adk-rs).',
        )
        .meta({
          flag: '--dialect <name>',
          help: 'how the agent asks for credentials: call or response',
        }),
    })
    .prefault({}),
  drive: z
    .union([
      z.strictObject({ http }),
      z.strictObject({ stdin }),
      z.strictObject({
        adapter: z.literal(true),
        visits: z
          .boolean()
          .default(false)
          .describe('Whether the adapter has a browser of its own in which callbacks are loaded.'),
        users: z
          .boolean()
          .default(false)
          .describe('Whether the application serves several users, each by the user of a message.'),
      }),
    ])
    .describe(
      'How its user is reached: {http: {message, surface}}, {stdin: {line}} with what it prints as the surface, or {adapter: true, visits, users}.',
    ),
})

export type ClientConfiguration = z.infer<typeof clientConfiguration>

/** The declarations as checks see them. */
export interface Declared {
  readonly dialect: Dialect
  /** Whether the user types what the browser brought back: whatever is typed before is taken for that. */
  readonly pastes: boolean
  /** Whether callbacks are loaded in a browser of which nothing is seen. */
  readonly ownBrowser: boolean
  /** Whether several users can be told apart in what is said. */
  readonly severalUsers: boolean
}

export function declaredBy({ agent, drive }: ClientConfiguration): Declared {
  const pastes = 'stdin' in drive && drive.stdin.paste !== undefined
  const ownBrowser = pastes || ('adapter' in drive && drive.visits)
  return { dialect: agent.dialect, pastes, ownBrowser, severalUsers: namesUsers(drive) }
}

function namesUsers(drive: ClientConfiguration['drive']): boolean {
  if ('http' in drive) return JSON.stringify(drive.http.message).includes('{user}')
  return 'adapter' in drive && drive.users
}
