/** How far a message got that a framework may refuse at once: to the model, or not even there. */

import { cite, type Evidence, type Transcript } from '../../harness/engine/index.ts'
import { modelCalled } from '../../harness/parties/model-called.ts'
import { callOf } from './view.ts'

/**
 * The model asked for the tool, or the run failed before the model was asked for anything: then nothing has run. Such a
 * failure is a refusal only where the framework works otherwise, which whoever judges has to know.
 */
export function calledOrRefused(
  t: Transcript,
  name: string,
  works: boolean,
): readonly Evidence[] | string {
  const called = modelCalled(t, name)
  const { modelAsked, outcomes } = callOf(t, name)
  const [outcome] = outcomes
  if (typeof called !== 'string' || !works || modelAsked.length > 0) return called
  return outcome?.action === 'run-failed' ? cite(outcome) : called
}
