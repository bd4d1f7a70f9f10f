import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases, type Recording } from '../testing.ts'
import { askedAgainScenarios } from './asked-again.ts'

/** What was agreed to once, or twice, and the call for which the server asks again. */
const once = () => recording().accepted().opened().begin().attempt()
const twice = () => once().elicit().prompt().decide().opened().answer().begin().attempt()
const again = () => once().elicit()

const opens = (called: () => Recording): Cases => ({
  pass: { 'the user reads another prompt': called().elicit().prompt().window() },
  violation: {
    'without a prompt': called().elicit().opened(),
    'before the user has read the prompt': called().elicit().opened().prompt().window(),
  },
  inconclusive: {
    'nothing was asked again': called(),
    'nobody watched': called().elicit().prompt(),
  },
  'not-applicable': {
    'a client that opens nothing': [called().elicit().prompt().window(), { opens: false }],
  },
})

const accepts = (called: () => Recording): Cases => ({
  pass: { 'the user reads another prompt': called().elicit().prompt().window() },
  violation: { 'for the user': called().elicit().answer() },
  inconclusive: {
    'nothing was asked again': called(),
    'nobody watched': called().elicit().prompt(),
  },
})

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

const examples = (called: () => Recording): Record<string, Cases> => ({
  'mcp-url-elicitation/client/consent-before-opening': opens(called),
  'mcp-url-elicitation/client/accept-after-consent': accepts(called),
})

describeExamples(
  askedAgainScenarios,
  {
    'asked-again': {
      ...examples(once),
      'mcp-url-elicitation/client/show-full-url': shows,
    },
    'asked-again-same-url': examples(once),
    'asked-after-restart': examples(once),
    'asked-a-third-time': examples(twice),
  },
  options,
)
