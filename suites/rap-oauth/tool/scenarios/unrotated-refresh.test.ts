import { describeChecks, recording, type Recording } from '../testing.ts'
import { unrotatedRefresh } from './unrotated-refresh.ts'

const once = (): Recording =>
  recording().completed().invoke().on('call-1').refresh('refresh_token-1').on('call-2').result('2')

describeChecks(unrotatedRefresh, {
  'oauth-client/refresh-expired-token': {
    pass: {
      'it is used again': once()
        .invoke()
        .on('call-1')
        .refresh('refresh_token-1')
        .on('call-3')
        .result(),
      'it was used ahead of time': once().on('call-1').refresh('refresh_token-1').invoke().result(),
    },
    violation: {
      'the user is asked': once().invoke().oauth(),
      'the call ends with an error': once().invoke().result('Error: expired'),
    },
    inconclusive: {
      'nothing was refreshed': recording().completed().invoke().result('2').invoke().oauth(),
      'no answer': once().invoke().gaveUp(),
      'it is asked too much': once().invoke().result('Error: 429 Too Many Requests'),
    },
  },
})
