import { describeExamples } from '../../../testing.ts'
import { options } from '../testing.ts'
import { unexposed } from './testing.ts'
import { wholeRun } from './whole-run.ts'

describeExamples(
  [wholeRun],
  { 'whole-run': { 'adk-credential/client/code-not-exposed': unexposed } },
  options,
)
