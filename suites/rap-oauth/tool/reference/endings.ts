/** The three ways in which a call comes to its end; each of them delivers exactly one result. */

import { CallFailure } from './failure.ts'
import type { Flow, FlowStore } from './flow-store.ts'

/** Tells the runtime of a failure. RAP OAuth, Error Handling: whatever fails, a result is sent. */
export async function reportFailure(
  error: unknown,
  describeError: (error: unknown) => string,
  sendResult: (text: string) => Promise<void>,
): Promise<void> {
  await sendResult(describeError(error))
}

/**
 * After the grant: retries the original operation, then sends what came out (RAP OAuth, Tool
 * Requirements). Undefined means that the operation is not at its end yet.
 */
export async function resumeCall(
  retry: () => Promise<string | undefined>,
  sendResult: (text: string) => Promise<void>,
): Promise<void> {
  const text = await retry()
  if (text !== undefined) await sendResult(text)
}

/** The user did not come in time: no call stays pending for ever (RAP OAuth, Error Handling). */
export async function expireFlow(
  flow: Flow,
  flows: FlowStore,
  fail: (error: CallFailure) => Promise<void>,
): Promise<void> {
  // Claimed first: an approval at this very moment either wins or finds the flow gone.
  if (!(await flows.claim(flow))) return
  await fail(new CallFailure('authorization-expired'))
  await flows.finish(flow)
}
