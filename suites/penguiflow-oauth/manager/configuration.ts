/** What the vendor of a manager configures and declares, beside what every framework does. */

import { z } from 'zod'
import { duration } from '../../../harness/engine/index.ts'
import { canBeMoved, clock, onlyMoved } from '../../../harness/parties/target-settings.ts'
import { clientDeclared, type ClientDeclared } from '../../oauth-client/declarations.ts'
import {
  declaredBy as frameworkDeclared,
  frameworkConfiguration,
  frameworkDeclares,
  otherTools,
  tool,
  type Declared as FrameworkDeclared,
} from '../configuration.ts'

const tenMinutes = 600_000

const settings = frameworkConfiguration.extend({
  profile: z.literal('penguiflow-oauth/manager'),
  target: frameworkConfiguration.shape.target.safeExtend({ clock }).refine(canBeMoved, onlyMoved),
  others: otherTools
    .extend({
      unknownProvider: tool
        .optional()
        .describe('A tool whose provider the manager is not configured with.')
        .meta({ example: { name: 'mails_list' } }),
    })
    .prefault({}),
  declares: frameworkDeclares
    .extend({
      callback: z
        .enum(['url', 'code-state'])
        .default('url')
        .describe(
          'What the manager is given of a callback: the whole of it, or code and state alone, so that it hears of no error.',
        )
        .meta({ flag: '--callback <what>', help: 'what the manager is given: url or code-state' }),
      clock: z
        .boolean()
        .default(false)
        .describe('Whether the adapter takes advance_clock, and the manager goes by that clock.')
        .meta({
          flag: '--advances-clock <yes|no>',
          reads: 'yes or no',
          help: 'whether the clock of the manager can be moved, yes or no',
        }),
      pendingFor: duration
        .default(tenMinutes)
        .describe('How long a user who was sent away may take to come back.'),
      durableFlows: z
        .boolean()
        .default(false)
        .describe('Whether it keeps what it waits for over a restart too, told {state: durable}.'),
    })
    .prefault({}),
})

export const managerConfiguration = settings.refine(
  ({ target, declares }) => target.clock === 'real' || declares.listens,
  {
    path: ['target', 'clock'],
    message: 'jump needs an adapter that listens (declares.listens), whose answers show the time',
  },
)

export type ManagerConfiguration = z.infer<typeof managerConfiguration>

/** The declarations as checks see them. */
export interface Declared extends FrameworkDeclared, Omit<ClientDeclared, 'logs'> {
  readonly callback: 'url' | 'code-state'
  /** Whether time can pass without being waited for. */
  readonly clock: boolean
  readonly durableFlows: boolean
  readonly unknownProvider: string | undefined
}

/** The scopes that every adapter is told to ask for. */
const scopes = ['items:read']

export function declaredBy(configuration: ManagerConfiguration): Declared {
  const { target, provider, declares, others } = configuration
  const client = { target, provider, declares: { ...declares, refreshTokens: false } }
  return {
    ...clientDeclared(client, scopes),
    ...frameworkDeclared(configuration),
    callback: declares.callback,
    clock: declares.clock || target.clock === 'jump',
    durableFlows: declares.durableFlows,
    unknownProvider: others.unknownProvider?.name,
  }
}
