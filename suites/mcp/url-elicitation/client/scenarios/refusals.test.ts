import { describeExamples } from '../../../../testing.ts'
import { inputKey } from '../asking.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { refusalScenarios } from './refusals.ts'
import { byInput, byRequest, consent } from './testing.ts'

const answers = (action: string, other: string): Cases => {
  const decided = () => recording().asked().prompt().decide(action)
  return {
    pass: { 'as the user said': decided().answer({ action }) },
    violation: {
      'the other refusal': decided().answer({ action: other }),
      accepted: decided().answer(),
      'accepted before the user could say so': recording().asked().prompt().answer().decide(action),
      'an error': decided().refuse(-32603),
      'no answer': decided().gaveUp(),
    },
    inconclusive: {
      'the user said nothing': recording().asked().prompt(),
      'it was answered before': recording().asked().answer({ action }).prompt().decide(action),
      'the run did not wait for the answer': decided(),
    },
  }
}

const retries = (action: string, other: string): Cases => {
  const decided = () =>
    recording()
      .client({ url: {} }, { modern: true })
      .begin()
      .attempt()
      .input()
      .prompt()
      .decide(action)
  const retried = (answer: string) => decided().retry({}, { [inputKey]: { action: answer } })
  return {
    pass: {
      'as the user said': retried(action),
      'the call is not made again': decided().window(),
    },
    violation: { 'the other refusal': retried(other), accepted: retried('accept') },
    inconclusive: {
      'the user said nothing': byInput().prompt(),
      'nobody watched': decided(),
    },
  }
}

/** What a retry after a refusal carries. */
const carried = (leftOut: (decided: Recording) => Recording): Cases => {
  const decided = () => byInput().prompt().decide('decline')
  return {
    pass: {
      'as in any retry': decided().retry({}, declined),
      'the call is not made again': decided().window(),
    },
    violation: { 'left out': leftOut(decided()) },
    inconclusive: { 'nobody watched': decided() },
  }
}

const declined = { [inputKey]: { action: 'decline' } }
const retryCases = {
  'mcp-url-elicitation/client/echo-state': carried((decided) =>
    decided.retry({ requestState: undefined }, declined),
  ),
  'mcp-url-elicitation/client/answer-keys': carried((decided) => decided.retry({}, {})),
}

const casesOf = (modern: boolean, action: string, other: string) => ({
  'mcp-url-elicitation/client/decline-and-cancel': modern
    ? retries(action, other)
    : answers(action, other),
  'mcp-url-elicitation/client/consent-before-opening': consent(modern ? byInput : byRequest),
  ...(modern ? retryCases : {}),
})

describeExamples(
  refusalScenarios,
  {
    decline: casesOf(false, 'decline', 'cancel'),
    cancel: casesOf(false, 'cancel', 'decline'),
    'modern-decline': casesOf(true, 'decline', 'cancel'),
    'modern-cancel': casesOf(true, 'cancel', 'decline'),
  },
  options,
)
