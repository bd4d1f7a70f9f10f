import type { Sighting } from '../../../../harness/engine/index.ts'
import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import { describeChecks, recording, sighting, type Recording } from '../testing.ts'
import { refreshingScenarios } from './oauth-client.ts'

const [overRestart, unrotated, together, redirected] = refreshingScenarios

const refreshed = (...presented: readonly string[]) => {
  const t = recording().completed()
  for (const token of presented) t.refresh(token)
  return t
}

/** Two refreshes, each for a later call. */
const later = (...presented: readonly string[]) => {
  const t = refreshed()
  for (const token of presented) t.invoke().on('call-1').refresh(token).on('call-2')
  return t
}

const reused = {
  violation: {
    'the same one twice': refreshed('refresh_token-1', 'refresh_token-1').window(),
    'the one before the restart': later('refresh_token-1', 'refresh_token-1').window(),
  },
}

describeChecks(together!, {
  'oauth-client/use-rotated-refresh-token': {
    pass: {
      'one refresh for all': refreshed('refresh_token-1').window(),
      'one after the other': refreshed('refresh_token-1', 'refresh_token-2').window(),
    },
    ...reused,
    inconclusive: { 'nothing was refreshed': refreshed().window() },
  },
  'oauth-client/reuse-stored-token': {
    pass: {
      'all are served': refreshed('refresh_token-1')
        .invoke()
        .result()
        .invoke()
        .result()
        .invoke()
        .result()
        .invoke()
        .result(),
    },
    violation: { 'one is asked': refreshed('refresh_token-1').invoke().result().invoke().oauth() },
    inconclusive: {
      'the first call was not served': recording().asked().invoke().oauth(),
      'there is no refresh token': recording()
        .asked()
        .grant({ issued: ['access_token-1'] })
        .access()
        .result()
        .invoke()
        .oauth(),
      'not all were answered': refreshed('refresh_token-1').invoke().result(),
      'nothing was refreshed': refreshed()
        .invoke()
        .result()
        .invoke()
        .result()
        .invoke()
        .result()
        .invoke()
        .result(),
    },
  },
})

describeChecks(overRestart!, {
  'oauth-client/use-rotated-refresh-token': {
    pass: { 'a new one each time': later('refresh_token-1', 'refresh_token-2').window() },
    ...reused,
    inconclusive: { 'it refreshed once only': refreshed('refresh_token-1').window() },
  },
  'oauth-client/store-durably': {
    pass: {
      'both calls are served': refreshed('refresh_token-1').invoke().result().invoke().result(),
    },
    violation: {
      'asked after the restart': refreshed('refresh_token-1').invoke().result().invoke().oauth(),
    },
    inconclusive: { 'there was no third call': refreshed('refresh_token-1').invoke().result() },
  },
})

const refreshedOnce = (): Recording =>
  recording().completed().invoke().on('call-1').refresh('refresh_token-1').on('call-2').result('2')

describeChecks(unrotated!, {
  'oauth-client/refresh-expired-token': {
    pass: {
      'it is used again': refreshedOnce()
        .invoke()
        .on('call-1')
        .refresh('refresh_token-1')
        .on('call-3')
        .result(),
      'it was used ahead of time': refreshedOnce()
        .on('call-1')
        .refresh('refresh_token-1')
        .invoke()
        .result(),
    },
    violation: {
      'the user is asked': refreshedOnce().invoke().oauth(),
      'the call ends with an error': refreshedOnce().invoke().result('Error: expired'),
    },
    inconclusive: {
      'nothing was refreshed': recording().completed().invoke().result('2').invoke().oauth(),
      'no answer': refreshedOnce().invoke().gaveUp(),
      'it is asked too much': refreshedOnce().invoke().result('Error: 429 Too Many Requests'),
    },
  },
})

const beforeRedirect = () => recording().completed().invoke()
/** Who refreshes is known by the flow that the token is of. */
const redirecting = () => beforeRedirect().on('call-1').upstream('/token', 307).on('call-2')

/** What the redirect of the refresh led to arrives at another origin. */
function arrived(...secrets: Sighting[]) {
  const t = redirecting()
  const place = { channel: 'callback', exchange: 'e1', call: elsewhereCall } as const
  const url = 'http://127.0.0.1:4000/elsewhere'
  t.event({ type: 'request', ...place, method: 'POST', url, headers: {} }, ...secrets)
  return t.result('Error: no').window()
}

describeChecks(redirected!, {
  'oauth-client/no-credentials-elsewhere': {
    pass: {
      'nothing arrives there': redirecting().result('Error: no').window(),
      'a request without anything': arrived(),
    },
    violation: { 'the refresh token arrives there': arrived(sighting('refresh_token')) },
    inconclusive: {
      'it asks its user': beforeRedirect().oauth().window(),
      'nobody watched': redirecting().result('Error: no'),
    },
  },
})
