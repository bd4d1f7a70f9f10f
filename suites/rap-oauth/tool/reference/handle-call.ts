/** The life of a call from its acknowledgement to its result, or to the wait for its user. */

import type { Invocation } from './call.ts'
import { runWithStoredTokens } from './run-operation.ts'
import { disarmTimer, fail, sendResult, type Work } from './work.ts'

export async function handleCall(work: Work, invocation: Invocation): Promise<void> {
  const { parts } = work
  const address = parts.addressOf(invocation)
  parts.log({ event: 'call-accepted', id: address.id })
  try {
    const text = await runWithStoredTokens(work, parts.checkCall(invocation))
    if (text !== undefined) await sendResult(work, address, text)
  } catch (error) {
    await fail(work, address, error)
  }
}

/** Drops a call that waits for its user: its link stops working and no result will come. */
export async function cancelCall(work: Work, groupId: string, id: string): Promise<void> {
  for (const flow of await work.flows.pending()) {
    if (!work.parts.isCancelled(flow.call, groupId, id)) continue
    if (!(await work.flows.claim(flow))) continue
    disarmTimer(work, flow)
    await work.flows.finish(flow)
    work.parts.log({ event: 'call-cancelled', id })
  }
}
