/** Hand-written recordings for the tests of the checks: those of the framework, with what a manager declares. */

import type { JudgingContext } from '../../../harness/engine/index.ts'
import type { Cases as CasesOf, ExampleOptions } from '../../testing.ts'
import { options as ofFramework } from '../testing.ts'
import type { Declared } from './configuration.ts'

export { recording, sighting } from '../testing.ts'

export type Cases = CasesOf<Declared>

export const declared: Declared = {
  ...ofFramework.context({}, undefined).declared,
  pendingTimeoutMs: undefined,
  refreshTokens: false,
  scopes: ['items:read'],
  tokenStore: undefined,
  driven: 'command',
  redirectMatching: 'exact',
  callback: 'url',
  clock: true,
  durableFlows: true,
  unknownProvider: 'mails_list',
}

export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    ...ofFramework.context({}, control),
    declared: { ...declared, ...declarations },
  }),
}
