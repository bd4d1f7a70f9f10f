/** Drives that whole families of scenarios share. */

import type { FaultId } from '../../../../harness/parties/user/user-agent.ts'
import type { Fixtures } from '../test-bed.ts'

type Drive = (fixtures: Fixtures) => Promise<void>

/** The user approves, something goes wrong on the way, and the call must end: watched until after its result. */
export function approveWith(fault: FaultId): Drive {
  return async ({ tool, user, observe }) => {
    const call = tool.invoke({ as: user })
    await user.approve(call, { faults: [fault] })
    await call.awaitResult()
    await observe()
  }
}

/** The same where an upstream holds its answer back until the call has ended without it. */
export function approveWithHeld(fault: FaultId): Drive {
  return async ({ tool, user, offSlot, observe, timing }) => {
    const call = tool.invoke({ as: user })
    const flow = await user.consent(call, { faults: [fault] })
    const page = user.follow(flow)
    await call.settle()
    // What has not ended may end now that it gets its answer: then it only waits longer than this run.
    user.release(flow)
    await call.awaitResult(timing.stepMs)
    await offSlot(page)
    await observe()
  }
}
