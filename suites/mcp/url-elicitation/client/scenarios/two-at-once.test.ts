import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases, type Recording } from '../testing.ts'
import { twoAtOnceScenarios } from './two-at-once.ts'

const [first, second] = ['first', 'second'].map((name) => urlOf(name, name)) as [string, string]

/** How both come, and how one of them is answered. */
interface Way {
  readonly asked: () => Recording
  readonly answers: (from: Recording, one: string, other?: string) => Recording
}

const byRequests: Way = {
  asked: () => recording().askedTwice(),
  answers: (from, one, other) => {
    from.answer({ action: one }, 'first')
    return other === undefined ? from : from.answer({ action: other }, 'second')
  },
}
const byInput: Way = {
  asked: () => recording().inputTwice(),
  answers: (from, one, other) =>
    from.retry(
      {},
      {
        first: { action: one },
        ...(other === undefined ? {} : { second: { action: other } }),
      },
    ),
}

/** Both are shown; the user agrees to the first one and declines the other. */
const decided = ({ asked }: Way) =>
  asked()
    .prompt(promptText(first))
    .prompt(promptText(second))
    .decide('accept', 1)
    .decide('decline', 2)

const unproven = (way: Way) => ({
  'one was asked for': recording().asked().prompt().decide(),
  'nobody was asked': way.asked(),
})

const accepts = (way: Way): Cases => ({
  pass: { 'one accepted, one declined': way.answers(decided(way), 'accept', 'decline') },
  violation: {
    'the other one': way.answers(decided(way), 'decline', 'accept'),
    both: way.answers(decided(way), 'accept', 'accept'),
    'none, and declined the one to which its user agreed': way.answers(decided(way), 'decline'),
  },
  inconclusive: { ...unproven(way), neither: decided(way) },
})

const declines = (way: Way): Cases => ({
  pass: { 'one accepted, one declined': way.answers(decided(way), 'accept', 'decline') },
  violation: {
    'accepted as well': way.answers(decided(way), 'accept', 'accept'),
    cancelled: way.answers(decided(way), 'accept', 'cancel'),
  },
  inconclusive: { ...unproven(way), 'nobody watched': way.answers(decided(way), 'accept') },
})

const opens = (way: Way): Cases => ({
  pass: { 'one of them': decided(way).opened(first).window() },
  violation: {
    'the other one': decided(way).opened(second),
    'before the user agreed': way
      .asked()
      .prompt(promptText(first))
      .opened(first)
      .decide('accept', 1),
  },
  inconclusive: { ...unproven(way), 'nobody watched': decided(way).opened(first) },
})

const keys: Cases = {
  pass: { both: byInput.answers(decided(byInput), 'accept', 'decline') },
  violation: { 'one only': byInput.answers(decided(byInput), 'accept') },
  inconclusive: { 'no retry': decided(byInput) },
}

const cases = (way: Way) => ({
  'mcp-url-elicitation/client/accept-after-consent': accepts(way),
  'mcp-url-elicitation/client/decline-and-cancel': declines(way),
  'mcp-url-elicitation/client/consent-before-opening': opens(way),
})

describeExamples(
  twoAtOnceScenarios,
  {
    'two-at-once': cases(byRequests),
    'modern-two-at-once': {
      ...cases(byInput),
      'mcp-url-elicitation/client/answer-keys': keys,
    },
  },
  options,
)
