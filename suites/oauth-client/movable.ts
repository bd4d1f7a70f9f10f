/** Fixtures of an instance whose clock is moved, for what is about time: alike for every protocol. */

import type { ScenarioContext } from '../../harness/engine/index.ts'
import type {
  Clocked,
  Deployment,
  DeploymentOptions,
  Deployments,
  Jumps,
  MovedInstances,
} from '../../harness/parties/index.ts'
import type { SharedFixtures } from './fixtures.ts'
import type { PendingCall } from './pending-call.ts'
import type { User } from './user.ts'

/** What something can be made to wait for its user with. */
interface Pending {
  readonly user: User
  readonly begin: (as: User) => PendingCall | Promise<PendingCall>
}

/** How a protocol opens an instance, and makes fixtures of it. */
export interface MovableParts<Own, Fixtures extends Pending> {
  /** Absent where nobody asked for it. */
  readonly time: MovedInstances | undefined
  readonly context: ScenarioContext
  readonly open: (moved: Pick<DeploymentOptions, 'name' | 'clock'>) => Promise<Own>
  readonly clocked: (own: Own) => Clocked
  readonly make: (own: Own, more: { context: ScenarioContext; clock?: Jumps }) => Fixtures
  /** Whether what waits has to notice a jump; otherwise only the time of later requests matters. */
  readonly timers: boolean
}

/** `undefined` where the clock is not to be moved, or cannot be, which is recorded with the reason. */
export async function openMovable<Own, Fixtures extends Pending>({
  time,
  context,
  open,
  clocked,
  make,
  timers,
}: MovableParts<Own, Fixtures>): Promise<Fixtures | undefined> {
  if (!time) return undefined
  const { recorder, behind } = context
  const moved = await time.open({
    recorder,
    behind,
    open: (name, clock) => open({ name, clock }),
    clocked,
    async pend(own, as) {
      const { begin, user } = make(own, { context: { ...context, recorder: as } })
      await (await begin(user)).asked()
    },
    timers,
  })
  return moved && make(moved.own, { context, clock: moved.clock })
}

/** What a protocol is given for scenarios that have an instance of their own, where an instance is a deployment. */
export interface OwnDeployments<Fixtures> {
  readonly open: () => Promise<Deployment>
  readonly movable: () => Promise<Fixtures | undefined>
}

type OwnParts<Fixtures extends Pending> = Pick<
  MovableParts<Deployment, Fixtures>,
  'time' | 'context' | 'make'
> & { readonly deployments: Deployments }

/** Deployments of a scenario's own; only later requests are about their time. */
export function ownDeployments<Fixtures extends Pending>(
  { openOwn }: Pick<SharedFixtures, 'openOwn'>,
  { deployments, time, context, make }: OwnParts<Fixtures>,
): OwnDeployments<Fixtures> {
  const open = (moved?: Pick<DeploymentOptions, 'name' | 'clock'>): Promise<Deployment> =>
    openOwn((options) => deployments.openAlone({ ...options, ...moved }, context))
  const clocked = (own: Deployment): Clocked => own
  return {
    open: () => open(),
    movable: () => openMovable({ time, context, open, clocked, make, timers: false }),
  }
}

/** The clock of an instance where sessions get too old by it, which somebody holds who goes on with new ones. */
export function forgetting(
  clock: Jumps | undefined,
  forget: () => void,
): Pick<Jumps, 'jump'> | undefined {
  return (
    clock && {
      async jump(ms) {
        await clock.jump(ms)
        forget()
      },
    }
  )
}
