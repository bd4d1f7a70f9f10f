/** What scenarios of a manager act with: those of its framework, as every OAuth client is driven. */

import type { TestBed } from '../../../harness/engine/index.ts'
import type { ClientFixtures } from '../../oauth-client/handoff.ts'
import type { PendingCall } from '../../oauth-client/pending-call.ts'
import type { User } from '../../oauth-client/user.ts'
import type { Tool } from '../configuration.ts'
import type { Call, CallOptions } from '../session.ts'
import type { Setup, State } from '../start-framework.ts'
import type { Fixtures } from '../test-bed.ts'
import type { ManagerConfiguration } from './configuration.ts'

export interface ManagerFixtures
  extends ClientFixtures, Omit<Fixtures, 'begin' | 'ownInstance' | 'timed'> {
  readonly begin: (as: User, beside?: PendingCall, options?: CallOptions) => Call
  readonly ownInstance: (setup?: State | Setup) => Promise<ManagerFixtures>
  readonly timed: (timers: boolean, state?: State) => Promise<ManagerFixtures>
  /** Tools beside the operation, where they are configured. */
  readonly tools: { readonly second: Tool | undefined; readonly unknown: Tool | undefined }
  /** How long a user may be away, in milliseconds. */
  readonly pendingFor: number
}

/** The fixtures of a framework as those of an OAuth client. */
function asClient(fixtures: Fixtures, configuration: ManagerConfiguration): ManagerFixtures {
  const { others, declares } = configuration
  return {
    ...fixtures,
    tools: { second: others.secondProvider, unknown: others.unknownProvider },
    pendingFor: declares.pendingFor,
    begin: (as, beside, options) =>
      fixtures.speak(as, { ...options, ...(beside ? { beside } : {}) }),
    timed: async (...how) => asClient(await fixtures.timed(...how), configuration),
    async ownInstance(setup) {
      // What is not asked of a store is asked of a manager without one as well.
      const usual = fixtures.declared.durable ? 'durable' : 'none'
      return asClient(await fixtures.ownInstance(setup ?? usual), configuration)
    },
  }
}

export function clientBed(
  bed: TestBed<Fixtures>,
  configuration: ManagerConfiguration,
): TestBed<ManagerFixtures> {
  return { ...bed, fixtures: (context) => asClient(bed.fixtures(context), configuration) }
}
