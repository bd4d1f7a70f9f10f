import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { inSession } from './testing.ts'
import { twoUsers, usersOfOtherCase } from './two-users.ts'

/** Two users who are asked, each sent away from their own conversation. */
const two = (second = 'v') =>
  recording()
    .by('conv-1', { userId: 'u', sessionId: 's' })
    .asked()
    .opened()
    .by('conv-2', { userId: second, sessionId: 't' })
    .asked()
    .opened()

const shownTo = (conversation?: string) => {
  const written = two()
  return written.shown(`Sign in: ${written.url()}`, conversation)
}

const apart: Cases = {
  pass: {
    'each is a user of their own': two(),
    'each reads their own': shownTo('conv-2'),
    'a page of nobody in particular': shownTo(),
    'other words on the page of the other': two().shown(
      'https://127.0.0.1:4300/authorize',
      'conv-1',
    ),
  },
  violation: {
    'one user of the agent': two('u'),
    'what the second is asked for is shown to the first': shownTo('conv-1'),
  },
  inconclusive: {
    'one was asked': recording().asked().opened(),
    'one was sent away': recording().asked().opened().by('conv-2', { userId: 'v' }).asked(),
  },
}

const answeredIn = (at: Readonly<Record<string, unknown>>) => {
  const written = recording()
    .by('conv-1', { userId: 'u', sessionId: 's' })
    .approved()
    .answer()
    .by('conv-2', { userId: 'v', sessionId: 't' })
    .approved()
  const functionResponse = { id: written.ask.id, name: 'adk_request_credential', response: {} }
  return written.send([{ functionResponse }], [], at)
}

const unanswered = { 'nothing was answered': two() }

/** The answer to the first user may have what belongs to the second. */
function bothAnswered({ config = 'first', callback = 'first' } = {}) {
  const written = recording().by('conv-1', { userId: 'u', sessionId: 's' }).asked().opened()
  const first = { ask: written.ask, url: written.redirect() }
  written.by('conv-2', { userId: 'v', sessionId: 't' }).asked().opened()
  const second = { ask: written.ask, url: written.redirect() }
  const of = (name: string) => (name === 'first' ? first : second)
  written.back().answer()
  written.by('conv-1', { userId: 'u', sessionId: 's' }).back(first.url)
  const response = written.config(of(callback).url, {}, of(config).ask)
  return written.answer({ id: first.ask.id }, response)
}

describeExamples(
  [twoUsers, usersOfOtherCase],
  {
    'users-of-other-case': { 'adk-credential/client/users-apart': apart },
    'two-users': {
      'adk-credential/client/users-apart': apart,
      'adk-credential/client/same-session': {
        pass: { 'each in their own': answeredIn({}) },
        violation: {
          ...inSession.violation,
          'the second in that of the first': answeredIn({ userId: 'u', sessionId: 's' }),
          'a credential for another user': madeFor('w'),
        },
        inconclusive: {
          'the second was not asked': recording().approved().answer(),
          'the second was not answered': two(),
        },
      },
      'adk-credential/client/answer-carries-auth-config': {
        pass: { 'each their own': bothAnswered() },
        violation: { 'the first with that of the second': bothAnswered({ config: 'second' }) },
        inconclusive: {
          'the second was not asked': recording().approved().answer(),
          ...unanswered,
        },
      },
      'adk-credential/client/callback-verbatim': {
        pass: { 'each their own': bothAnswered() },
        violation: { 'the first with that of the second': bothAnswered({ callback: 'second' }) },
        inconclusive: {
          'the second was not asked': recording().approved().answer(),
          ...unanswered,
        },
      },
    },
  },
  options,
)

function madeFor(userId: string) {
  return recording('response').asked().begun().opened().back().completed({ userId }).answer()
}
