import { describeExamples } from '../../../testing.ts'
import { options, recording, tokenOf, type Cases, type Recording } from '../testing.ts'
import { authUrl, waits } from '../vocabulary.ts'
import { givenToEach, identified, keptApart } from './testing.ts'
import { userScenarios } from './users.ts'

const both = () => recording().ask().invoke().oauth().ask(2).invoke().oauth()

/** Two calls that wait, the second of which is at the same URL, or at one of its own. */
const waiting = (url: string | undefined, shown: (t: Recording) => Recording): Recording =>
  shown(
    recording()
      .running()
      .oauth()
      .shows()
      .ask()
      .invoke()
      .oauth('oauth', url ? { url } : {}),
  )
const missed = (t: Recording): Recording => t.gaveUp(waits.surfaced, { of: 'oauth' })
const first = authUrl(tokenOf('url', 1))

const shownToEach: Cases = {
  pass: {
    'each in its conversation': waiting(undefined, (t) => t.shows()),
    'one in both': waiting(first, (t) => t.shows()),
  },
  violation: {
    'one of them not at all': waiting(undefined, missed),
    'one of them in the other': waiting(undefined, (t) =>
      missed(t.shows(undefined, tokenOf('conv', 1))),
    ),
    'that of both in one alone': waiting(first, missed),
  },
  inconclusive: {
    'no invocation': recording().ask().gaveUp(waits.invocation),
    'one call was made': recording().pending(),
    'the run did not wait for it': waiting(first, (t) => t),
  },
}

const interrupted = () => both().step('cancel').window().on(1)

describeExamples(
  userScenarios,
  {
    'user-identity': { 'rap-oauth/runtime/user-id-of-own-user': identified },
    'users-alike': { ...keptApart(4), 'rap-oauth/runtime/user-id-of-own-user': identified },
    'users-of-other-case': {
      ...keptApart(2),
      'rap-oauth/runtime/user-id-of-own-user': identified,
    },
    'one-user-two-conversations': {
      ...givenToEach(2, true),
      'rap-oauth/runtime/surface-auth-url': shownToEach,
    },
    'one-url-for-two-users': { 'rap-oauth/runtime/surface-auth-url': shownToEach },
    'other-conversation-cancelled': {
      'rap-oauth/runtime/deliver-result': {
        pass: { 'the model gets it': interrupted().result().given() },
        violation: {
          'it is refused': interrupted().result('result', { answer: 404 }).gaveUp(waits.given),
          'it goes nowhere': interrupted().result().gaveUp(waits.given),
        },
        inconclusive: {
          'nothing was interrupted': both().on(1).result().given(),
          'one call alone was pending': recording()
            .ask()
            .invoke()
            .oauth()
            .step('cancel')
            .result()
            .gaveUp(waits.given),
          'the run did not wait for it': interrupted().result(),
        },
      },
    },
  },
  options,
)
