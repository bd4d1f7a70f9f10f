import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases } from '../testing.ts'
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

const [before, now] = [urlOf('call-1'), urlOf('call-2')]
const shows: Cases = {
  pass: {
    'in its prompt': again().prompt(promptText(now)),
    'beside the one before': again().prompt(`${before} was opened. ${promptText(now)}`),
  },
  violation: {
    'the one before in its place': again().prompt(promptText(before)),
    'by the call that it seems to be about': again().on('call-1').prompt(promptText(before)),
    'without its end': again().prompt(promptText(now.slice(0, -1))),
  },
  inconclusive: {
    'nothing was asked again': recording().accepted().opened().begin().attempt(),
    'nobody was asked': again(),
    'without any URL': again().prompt('Go there?'),
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
        ...(id === 'asked-again' ? { 'mcp-url-elicitation/client/show-full-url': shows } : {}),
      },
    ]),
  ),
  options,
)
