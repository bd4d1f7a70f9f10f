/** Delivers an invocation to its tool, with the retries that RAP asks for. */

import { pause } from './deadline.ts'
import type { Acknowledgement, Arguments } from './invocation.ts'
import type { Call } from './records.ts'
import { settle } from './settle.ts'
import type { Work } from './work.ts'

export interface Dispatch {
  readonly call: Call
  readonly args: Arguments
  readonly endpoint: string
  readonly toolset: string
  readonly requiresAuth: string | undefined
  /** The secret in the call's callback URL; stored as its hash only. */
  readonly token: string
}

const attempts = 5

/** All attempts carry the same ids and the same callback URL, so that a tool can tell a repetition. */
export async function dispatch(work: Work, { call, args, token, ...target }: Dispatch) {
  const { parts, store, settings, exchange, closing } = work
  const callbackUrl = `${settings.publicUrl}/callbacks/${token}`
  const invocation = parts.buildInvocation(call, args, callbackUrl)
  parts.log({ event: 'call-made', id: call.id })
  for (let attempt = 1; ; attempt += 1) {
    const acknowledgement = await parts.postInvocation(invocation, target, settings, exchange)
    // A call that is left alone here is reported by the next start as interrupted.
    if (closing.aborted || !isUndelivered(work, call)) return
    if (isSuccess(acknowledgement)) {
      store.markArrived(call.seq)
      parts.log({ event: 'call-acknowledged', id: call.id })
      return
    }
    if (attempt === attempts || !parts.shouldRetryInvocation(acknowledgement, attempt)) {
      parts.log({ event: 'call-undeliverable', id: call.id, outcome: String(acknowledgement) })
      parts.reportUndeliverable(call, acknowledgement, (text) =>
        settle(work, call, { text, status: 'failed' }),
      )
      return
    }
    await pause(parts.retryDelay(attempt), closing)
    if (closing.aborted || !isUndelivered(work, call)) return
  }
}

/** False once the tool called back, whatever it answered, and once the user cancelled. */
function isUndelivered({ store }: Work, call: Call): boolean {
  return store.call(call.seq)?.state === 'sending'
}

function isSuccess(acknowledgement: Acknowledgement): boolean {
  return typeof acknowledgement === 'number' && acknowledgement >= 200 && acknowledgement < 300
}
