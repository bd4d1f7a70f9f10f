import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { callbackOfAnother, callbackOfAnotherRequest } from './callbacks-of-others.ts'

/** The second request is answered with the callback of the first. */
const crossed = (user: string) => recording().asked().asked(user).mark('forged').callback()

const ignored = (user: string): Record<string, Cases> => ({
  'adk-credential/agent/state-from-own-record': {
    pass: { 'it is ignored': crossed(user).back().window() },
    violation: {
      'its code is redeemed': crossed(user).on('call-1').grant().on('call-2').back().window(),
      'its code is tried for the other request': crossed(user)
        .grant({ outcome: 'refused' })
        .back()
        .window(),
      'the tool is run': crossed(user).on('call-1').access().on('call-2').back().window(),
    },
    inconclusive: {
      'it was not given': recording().asked().asked(user).mark('forged').window(),
      'it was not answered': crossed(user).window(),
    },
  },
})

describeExamples(
  [callbackOfAnother, callbackOfAnotherRequest],
  {
    'callback-of-another-user': ignored('user-2'),
    'callback-of-another-request': ignored('user-1'),
  },
  options,
)
