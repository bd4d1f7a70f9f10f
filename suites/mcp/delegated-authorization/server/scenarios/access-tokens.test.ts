import { describeExamples } from '../../../../testing.ts'
import { tokenExamples } from '../../../server/testing.ts'
import type { Declared } from '../configuration.ts'
import { examples, recording, type Recording } from '../testing.ts'
import {
  accessTokenScenarios,
  expiredAfterUse,
  flawedTokenScenarios,
  ownSessionScenarios,
  rows,
} from './access-tokens.ts'

const tables = tokenExamples<Recording, Declared>({
  rows,
  recording,
  ask: (t) => t.ask(),
  asking: { 'its user is asked': (t) => t.ask() },
})

describeExamples(accessTokenScenarios, tables.access, examples)
describeExamples(flawedTokenScenarios, tables.flawed(flawedTokenScenarios), examples)
describeExamples(ownSessionScenarios, tables.ownSession, examples)
describeExamples([expiredAfterUse], tables.expiredAfterUse, examples)
