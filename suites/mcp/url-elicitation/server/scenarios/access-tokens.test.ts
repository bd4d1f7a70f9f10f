import { describeExamples } from '../../../../testing.ts'
import { tokenExamples } from '../../../server/testing.ts'
import type { Declared } from '../configuration.ts'
import { options, recording, type Recording } from '../testing.ts'
import {
  accessTokenScenarios,
  expiredAfterUse,
  flawedTokenScenarios,
  ownSessionScenarios,
  rows,
} from './access-tokens.ts'

const examples = tokenExamples<Recording, Declared>({
  rows,
  recording,
  ask: (t) => t.elicit(),
  asking: {
    'its user is asked': (t) => t.elicit(),
    'its user is asked by an error': (t) => t.required(),
  },
})

describeExamples(accessTokenScenarios, examples.access, options)
describeExamples(flawedTokenScenarios, examples.flawed(flawedTokenScenarios), options)
describeExamples(ownSessionScenarios, examples.ownSession, options)
describeExamples([expiredAfterUse], examples.expiredAfterUse, options)
