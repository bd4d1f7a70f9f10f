/** Whether a runtime works on two conversations side by side: "MAY" (RAP Lifecycle, Runtime Concurrency). */

import { Unreached, type Transcript } from '../../../../harness/engine/index.ts'
import type { Fixtures } from '../test-bed.ts'
import { heldBack } from './held-back.ts'

/** Milliseconds that the turn of another conversation has at least. */
const shortest = 2000
/** As many times as the first turn has taken may the other one take. */
const times = 4

const oneAtATime = 'one turn at a time'
const noneWaited = 'no turn was seen to wait'

/**
 * The model is answering in one conversation while the user of another says something; what came of it is marked, also
 * where nothing did.
 */
export async function tryTwoTurns({ converse, mark }: Fixtures): Promise<void> {
  const [one, other] = [converse(), converse()]
  const { held, release } = heldBack()
  const begun = performance.now()
  try {
    await one.awaitTurn(one.say({ delayUntil: held }))
    const within = Math.max(shortest, times * (performance.now() - begun))
    mark((await other.isHeard(other.say(), within)) ? noneWaited : oneAtATime)
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
export const triedTwoTurns = (t: Transcript): boolean => isMarked(t, oneAtATime, noneWaited)

/** Whether the second conversation had to wait. */
export const takesOneAtATime = (t: Transcript): boolean => isMarked(t, oneAtATime)
