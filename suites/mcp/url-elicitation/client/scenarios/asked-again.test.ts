import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { askedAgainScenarios } from './asked-again.ts'

const again = () => recording().accepted().opened().begin().attempt().elicit()

const opens: Cases = {
  pass: { 'the user reads another prompt': again().prompt().window() },
  violation: {
    'without a prompt': again().opened(),
    'before the user has read the prompt': again().opened().prompt().window(),
  },
  inconclusive: {
    'nothing was asked again': recording().accepted().opened().begin().attempt(),
    'nobody watched': again().prompt(),
  },
  'not-applicable': {
    'a client that opens nothing': [again().prompt().window(), { opens: false }],
  },
}

const accepts: Cases = {
  pass: { 'the user reads another prompt': again().prompt().window() },
  violation: { 'for the user': again().answer() },
  inconclusive: {
    'nothing was asked again': recording().accepted().opened().begin().attempt(),
    'nobody watched': again().prompt(),
  },
}

describeExamples(
  askedAgainScenarios,
  Object.fromEntries(
    askedAgainScenarios.map(({ id }) => [
      id,
      {
        'mcp-url-elicitation/client/consent-before-opening': opens,
        'mcp-url-elicitation/client/accept-after-consent': accepts,
      },
    ]),
  ),
  options,
)
