/** Whether a runtime works on several conversations side by side: "MAY" (RAP Lifecycle, Runtime Concurrency). */

import { Unreached, type Transcript } from '../../../../harness/engine/index.ts'
import type { Fixtures } from '../test-bed.ts'
import { heldBack } from './held-back.ts'

/** Milliseconds that the turns of other conversations have at least. */
const shortest = 2000
/** As many times as the first turn has taken may the others take. */
const times = 4

const oneAtATime = 'one turn at a time'
const noneWaited = 'no turn was seen to wait'

/** Conversations that are to be worked on side by side with the first one: scenarios hold back no more of them at a time. */
const others = 3

/**
 * The model is answering in one conversation while the users of others say something, and is kept from answering these,
 * too; what came of it is marked, also where nothing did.
 */
export async function tryTurnsAtOnce({ converse, mark }: Fixtures): Promise<void> {
  const first = converse()
  const { held, release } = heldBack()
  const begun = performance.now()
  try {
    await first.awaitTurn(first.say({ delayUntil: held }))
    const within = Math.max(shortest, times * (performance.now() - begun))
    const heard = await Promise.all(
      Array.from({ length: others }, () => {
        const other = converse()
        return other.isHeard(other.say({ delayUntil: held }), within)
      }),
    )
    mark(heard.every(Boolean) ? noneWaited : oneAtATime)
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    mark(noneWaited)
  } finally {
    release()
  }
}

const isMarked = (t: Transcript, ...names: readonly string[]): boolean =>
  t.steps('mark').some(({ detail }) => names.includes(String(detail['name'])))

/** Whether it is known by now. */
export const triedTurnsAtOnce = (t: Transcript): boolean => isMarked(t, oneAtATime, noneWaited)

/** Whether one conversation had to wait for others. */
export const takesOneAtATime = (t: Transcript): boolean => isMarked(t, oneAtATime)
