/** Whether the scripted model got as far as asking for the tool, as `model-script.ts` records it. */

import { cite, type Evidence, type Transcript } from '../engine/index.ts'

/** The model asked for the tool. Where it did not, nothing that follows says anything about who drives the model. */
export function modelCalled(t: Transcript, name = 'call-1'): readonly Evidence[] | string {
  const called = t.steps('model-called', name)[0]
  return called ? cite(called) : 'the model was not asked, or was not offered the tool'
}
