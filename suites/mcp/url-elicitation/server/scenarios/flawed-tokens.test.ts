import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { flawedTokenScenarios } from './access-tokens.ts'

const control = recording('connect-and-complete').served()
const cases: Cases = {
  pass: {
    'the handshake is refused': [recording().begin({}, 401), {}, control],
    'the call is refused': [recording().connect().begin({}, 403), {}, control],
    'its user was asked in the control': [recording().begin({}, 401), {}, recording().agreed()],
    'the call fails in words': [recording().connect().begin().failed('log in'), {}, control],
  },
  violation: {
    'its user is asked': [recording().connect().begin().elicit(), {}, control],
    'its user is asked by an error': [recording().connect().begin().required(), {}, control],
    'the call is served': [recording().connect().begin().result(), {}, control],
  },
  inconclusive: {
    'there is no control': recording().begin({}, 401),
    'its user was not asked in it': [recording().begin({}, 401), {}, recording().begin().failed()],
    'there was no answer': [recording().connect().begin({}, 'open'), {}, control],
  },
}

describeExamples(
  flawedTokenScenarios,
  Object.fromEntries(
    flawedTokenScenarios.map(({ id }) => [
      id,
      { 'mcp-url-elicitation/server/validate-tokens': cases },
    ]),
  ),
  options,
)
