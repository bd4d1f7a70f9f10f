import { describeExamples } from '../../../testing.ts'
import { describe } from '../toolsets.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Recording } from '../testing.ts'
import { toolsetScenarios } from './fresh-toolsets.ts'

const [before, after] = [describe('items'), describe('items, newest first,')]

/** The model is offered the tools, so described. */
const offered = (t: Recording, description: string): Recording => t.model({ system: description })

/** The toolset changes after the first conversation; in the second one the model reads these descriptions. */
const second = (...descriptions: readonly string[]): Recording => {
  const t = offered(recording().running(), before).step('described', { description: after })
  return descriptions.reduce(offered, t.ask()).invoke()
}

describeExamples(
  toolsetScenarios,
  {
    'toolset-changed': {
      'rap-oauth/runtime/fresh-toolset-per-session': {
        pass: {
          'as it is now': second(after),
          'while the first conversation keeps what it has': offered(second(after).on(1), before),
        },
        violation: { 'as it was': second(before), 'as it was, at first': second(before, after) },
        inconclusive: {
          'no invocation': recording().ask().gaveUp(waits.invocation),
          'the toolset did not change': offered(recording().running().ask(), before),
          'it is not told': second(),
        },
      },
    },
  },
  options,
)
