import type { Sighting } from '../../../../harness/engine/index.ts'
import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import { describeChecks, recording, sighting } from '../testing.ts'
import { redirectedApi } from './redirected-api.ts'

const redirected = () =>
  recording().authorized().upstream('/resource/items', 307).access({ outcome: 'refused' })

/** What the redirect led to arrives at another origin. */
function arrived(...secrets: Sighting[]) {
  const t = redirected()
  const place = { channel: 'callback', exchange: 'e1', call: elsewhereCall } as const
  const url = 'http://127.0.0.1:4000/elsewhere'
  t.event({ type: 'request', ...place, method: 'GET', url, headers: {} }, ...secrets)
  return t.result('Error: no')
}

describeChecks(redirectedApi, {
  'rap-oauth/tool/no-token-elsewhere': {
    pass: {
      'nothing arrives there': redirected().result('Error: no').window(),
      'a request without anything': arrived().window(),
    },
    violation: {
      'the token arrives there': arrived(sighting('access_token')).window(),
      'the token arrives there, and nobody watched on': arrived(sighting('access_token')),
    },
    inconclusive: {
      'the API was not asked': recording().authorized().result('Error: no').window(),
      'nobody watched': redirected().result('Error: no'),
    },
  },
})
