import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases } from '../testing.ts'
import { inputKey } from '../asking.ts'
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
    'the first one again, in its place': asked().prompt(promptText(second)).decide().opened(first),
    'the first one': recording().client().begin().attempt().required('first').opened(first),
    'by a client that says it opens nothing': [asked().opened(second), { opens: false }],
  },
  inconclusive: {
    'the second one, altered': asked().prompt(promptText(second)).decide().opened(`${second}#x`),
    'asked once': askedOnce(),
    'not asked again': asked(),
    'nothing was opened': asked().prompt(promptText(second)).decide(),
  },
  'not-applicable': { 'a client that opens nothing': [asked(), { opens: false }] },
}

const showsUrl: Cases = {
  pass: {
    'in the second prompt': asked().prompt(promptText(second)),
    'beside the first one': asked().prompt(`Opened ${first}. ${promptText(second)}`),
  },
  violation: {
    'the first one in its place': asked().prompt(promptText(first)),
    'without its end': asked().prompt(promptText(second.slice(0, -3))),
  },
  inconclusive: {
    'asked once': askedOnce(),
    'not asked again': asked(),
    'without any URL': asked().prompt('And there?'),
  },
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

/** Two rounds of a call in which its user agrees to the first URL. */
const agreedOnce = () =>
  recording()
    .client({ url: {} }, { modern: true })
    .begin()
    .attempt()
    .inputAt(first)
    .prompt(promptText(first))
    .decide()
    .retry()
    .inputAt(second)

const acceptsSecond: Cases = {
  pass: { 'once its user has agreed': agreedOnce().prompt(promptText(second)).decide().retry() },
  violation: {
    'without asking': agreedOnce().retry(),
    'while its user reads': agreedOnce().prompt(promptText(second)).retry(),
    'after a refusal': agreedOnce().prompt(promptText(second)).decide('decline').retry(),
  },
  inconclusive: {
    'one round': once(),
    'no answer': agreedOnce(),
    'a decline': agreedOnce().retry({}, { [inputKey]: { action: 'decline' } }),
  },
}

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
      'mcp-url-elicitation/client/show-full-url': showsUrl,
      'mcp-url-elicitation/client/accept-after-consent': acceptsSecond,
      'mcp-url-elicitation/client/echo-state': {
        pass: { 'that of the second round': rounds('other') },
        violation: { 'that of the first round': rounds('s') },
        inconclusive: { 'one round': once() },
      },
      'mcp-url-elicitation/client/new-id': newId,
    },
    'modern-second-without-state': {
      'mcp-url-elicitation/client/consent-before-opening': consent,
      'mcp-url-elicitation/client/show-full-url': showsUrl,
      'mcp-url-elicitation/client/accept-after-consent': acceptsSecond,
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
    'required-error-asked-twice': {
      'mcp-url-elicitation/client/consent-before-opening': consent,
      'mcp-url-elicitation/client/show-full-url': showsUrl,
    },
  },
  options,
)
