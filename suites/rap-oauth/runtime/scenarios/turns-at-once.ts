/** Whether a runtime works on two conversations side by side: "MAY" (RAP Lifecycle, Runtime Concurrency). */

import { Unreached, type Transcript } from '../../../../harness/engine/index.ts'
import type { Fixtures } from '../test-bed.ts'
import { heldBack } from './held-back.ts'

/** Milliseconds that the turn of another conversation has at least. */
const shortest = 2000
/** As many times as the first turn has taken may the other one take. */
const times = 4

const oneAtATime = 'one turn at a time'

/** The model is answering in one conversation while the user of another says something; it is marked where that waits. */
export async function tryTwoTurns({ converse, mark }: Fixtures): Promise<void> {
  const [one, other] = [converse(), converse()]
  const { held, release } = heldBack()
  const begun = performance.now()
  try {
    await one.awaitTurn(one.say({ delayUntil: held }))
    const within = Math.max(shortest, times * (performance.now() - begun))
    if (!(await other.isHeard(other.say(), within))) mark(oneAtATime)
  } catch (error) {
    // Whoever cannot be driven at all fails in what comes next.
    if (!(error instanceof Unreached)) throw error
  } finally {
    release()
  }
}

/** Whether that was marked. */
export function takesOneAtATime(t: Transcript): boolean {
  return t.steps('mark').some(({ detail }) => detail['name'] === oneAtATime)
}
