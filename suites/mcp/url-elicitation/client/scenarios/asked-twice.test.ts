import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases } from '../testing.ts'
import { askedTwiceScenarios } from './asked-twice.ts'

const [first, second] = [urlOf('first', 'first'), urlOf('second', 'second')]
const askedOnce = () =>
  recording()
    .client()
    .begin()
    .attempt()
    .required('first')
    .prompt(promptText(first))
    .decide()
    .opened(first)
const asked = () => askedOnce().attempt().required('second')

const consent: Cases = {
  pass: {
    'asked for each': asked().prompt(promptText(second)).decide().opened(second),
    'in prompts without the URL': recording()
      .client()
      .begin()
      .attempt()
      .required('first')
      .prompt('Go there?')
      .decide()
      .opened(first)
      .attempt()
      .required('second')
      .prompt('And there?')
      .decide()
      .opened(second),
  },
  violation: {
    'the second one at once': asked().opened(second),
    'the second one while its user reads': asked().prompt(promptText(second)).opened(second),
    'the second one after a refusal': asked()
      .prompt(promptText(second))
      .decide('decline')
      .opened(second),
    'the first one': recording().client().begin().attempt().required('first').opened(first),
    'by a client that says it opens nothing': [asked().opened(second), { opens: false }],
  },
  inconclusive: {
    'asked once': askedOnce(),
    'not asked again': asked(),
    'nothing was opened': asked().prompt(promptText(second)).decide(),
  },
  'not-applicable': { 'a client that opens nothing': [asked(), { opens: false }] },
}

const once = () => recording().client().begin().attempt().input().retry()

/** Two rounds of a call, of which the second one has this state. */
const secondRound = (requestState?: string) =>
  recording()
    .client({ url: {} }, { modern: true })
    .begin()
    .attempt()
    .input({ requestState: 's' })
    .retry()
    .input({ requestState })

/** Each with a state of its own. */
const rounds = (state: string, id = 3) =>
  secondRound('other').attempt({ requestState: state, inputResponses: {} }, id)

const newId: Cases = {
  pass: { 'another id': rounds('other') },
  violation: {
    'that of the first retry': rounds('other', 2),
    'the first': rounds('other', 1),
  },
  inconclusive: { 'one round': once() },
}

describeExamples(
  askedTwiceScenarios,
  {
    'modern-asked-twice': {
      'mcp-url-elicitation/client/consent-before-opening': consent,
      'mcp-url-elicitation/client/echo-state': {
        pass: { 'that of the second round': rounds('other') },
        violation: { 'that of the first round': rounds('s') },
        inconclusive: { 'one round': once() },
      },
      'mcp-url-elicitation/client/new-id': newId,
    },
    'modern-second-without-state': {
      'mcp-url-elicitation/client/consent-before-opening': consent,
      'mcp-url-elicitation/client/echo-state': {
        pass: { none: secondRound().attempt({ inputResponses: {} }, 3) },
        violation: {
          'that of the first round': secondRound().attempt(
            { requestState: 's', inputResponses: {} },
            3,
          ),
        },
        inconclusive: { 'one round': once() },
      },
      'mcp-url-elicitation/client/new-id': newId,
    },
    'required-error-asked-twice': { 'mcp-url-elicitation/client/consent-before-opening': consent },
  },
  options,
)
