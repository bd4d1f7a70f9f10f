import { describeExamples } from '../../../testing.ts'
import { options, recording } from '../testing.ts'
import { waits } from '../vocabulary.ts'
import { givenToEach, identified, keptApart } from './testing.ts'
import { userScenarios } from './users.ts'

const both = () => recording().ask().invoke().oauth().ask(2).invoke().oauth()
const interrupted = () => both().step('cancel').window().on(1)

describeExamples(
  userScenarios,
  {
    'user-identity': { 'rap-oauth/runtime/user-id-of-own-user': identified },
    'users-alike': keptApart(2),
    'users-of-other-case': {
      ...keptApart(2),
      'rap-oauth/runtime/user-id-of-own-user': identified,
    },
    'one-user-two-conversations': givenToEach(2, true),
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
