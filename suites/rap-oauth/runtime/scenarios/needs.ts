/** What scenarios need and a correct runtime need not offer, and how a whole run shows that it is offered after all. */

import {
  NotOffered,
  type Need,
  type RecordedEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Call } from '../call.ts'
import { cancellationsOf } from '../interruption.ts'
import { firstGiven } from '../model-input.ts'
import { callsOf, delivered, isAfter } from '../view.ts'
import { goOn } from './define.ts'

export const groupPerConversation: Need = {
  what: 'a group_id of its own for every conversation',
  seen(run) {
    const calls = [...run.values()].flatMap(callsOf).filter(({ invocations }) => invocations[0])
    const [first] = calls
    const other = calls.find(
      ({ conversation, sent }) =>
        conversation !== first?.conversation && sent['group_id'] !== first?.sent['group_id'],
    )
    return other?.invocations[0]
  },
}

/** RAP Tool Invocation, Fields: it is not required, and a string comes back as it was sent. */
export const noCallId: Need = {
  what: 'an invocation without a call_id',
  seen(run) {
    const calls = [...run.values()].flatMap(callsOf).filter(({ invocations }) => invocations[0])
    return calls.find(({ sent }) => (sent['call_id'] ?? null) === null)?.invocations[0]
  },
}

/** RAP Lifecycle, Interruption, asks for it with SHOULD alone; `usable-while-pending` judges that. */
export const talkWhilePending: Need = {
  what: 'a conversation that goes on while a call is pending',
  seen: (run) => [...run.values()].map((t) => heardWhilePending(t)).find(Boolean),
}

/** RAP does not ask for it: a runtime may make the calls of a turn one after the other (reading 42). */
export const callsAtOnce: Need = {
  what: 'two calls of one conversation that are pending at once',
  seen: (run) => [...run.values()].map(pendingBesideAnother).find(Boolean),
}

/** Waits until all these calls of one turn are invoked. @throws NotOffered when they are not, all at once */
export async function awaitAtOnce(first: Call, ...others: readonly Call[]): Promise<void> {
  const calls = [first, ...others]
  await first.awaitInvocation({ orOf: calls })
  const areInvoked = (): boolean => calls.every(({ isInvoked }) => isInvoked)
  await goOn(first.awaitThat('the other call was not made', areInvoked))
  if (!areInvoked()) throw new NotOffered('it makes the calls of a turn one after the other')
}

/** RAP Tool Cancellation, Dispatch Behavior, asks for them with SHOULD alone; `cancelled-while-pending` judges that. */
export const notifications: Need = {
  what: 'a notification of the cancellation of a call',
  seen: (run) =>
    [...run.values()].flatMap((t) => callsOf(t).flatMap((call) => cancellationsOf(t, call)))[0],
}

/** An invocation in a conversation in which another call had none of its results yet. */
function pendingBesideAnother(t: Transcript): RecordedEvent | undefined {
  const calls = callsOf(t).filter(({ invocations }) => invocations[0])
  return calls.find(({ name, conversation, invocations }) =>
    calls.some((other) => {
      const result = other.deliveries.find(({ message }) => message['type'] === 'tool_result')
      return (
        other.name !== name &&
        other.conversation === conversation &&
        isAfter(invocations[0]!, other.invocations[0]) &&
        (!result || isAfter(result.step, invocations[0]))
      )
    }),
  )?.invocations[0]
}

/** The request by which the model heard of a user's message after an oauth message and before the result. */
export function heardWhilePending(t: Transcript, call = 'call-1'): RecordedEvent | undefined {
  const asks = delivered(t, 'oauth', call)?.request
  const ends = delivered(t, 'result', call)?.request
  return t
    .steps('say')
    .filter((said) => isAfter(said, asks))
    .map(({ detail }) => firstGiven(t, String(detail['reference']))?.asked.step)
    .find((heard) => heard !== undefined && (!ends || isAfter(ends, heard)))
}
