/** Drives that whole families of scenarios share. */

import type { World } from '../world.ts'

type Drive = (world: World) => Promise<void>

/** The user approves, something goes wrong on the way, and the call must end: watched until after its result. */
export function approveWith(fault: string): Drive {
  return async ({ tool, user, observe }) => {
    const call = tool.invoke({ as: user })
    await user.approve(call, { faults: [fault] })
    await call.awaitResult()
    await observe()
  }
}

/** The same where an upstream holds its answer back until the call has ended without it. */
export function approveWithHeld(fault: string): Drive {
  return async ({ tool, user, aside, observe }) => {
    const call = tool.invoke({ as: user })
    const flow = await user.consent(call, { faults: [fault] })
    const page = user.follow(flow)
    await call.awaitResult().finally(() => user.release(flow))
    await aside(page)
    await observe()
  }
}
