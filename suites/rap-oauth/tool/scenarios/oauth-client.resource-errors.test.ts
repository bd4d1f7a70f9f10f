import { expect, test } from 'vitest'
import type { Sighting } from '../../../../harness/engine/index.ts'
import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import { describeChecks, judge, recording, sighting, type Cases } from '../testing.ts'
import { exchangeErrorScenarios, resourceErrorScenarios } from './oauth-client.ts'
import { providerOutageScenarios } from './provider-outages.ts'

const [hanging, redirecting, ...failing] = resourceErrorScenarios

const retried = () => recording().authorized().access({ outcome: 'refused' })
const held = () => recording().authorized().upstream('/resource/items', 'open')

const single = (begin: typeof retried): Cases => ({
  pass: { one: begin().result('Error: 500').window() },
  violation: { two: begin().result('Error: 500').result('3 items').window() },
  inconclusive: { none: begin().window(), 'nobody watched': begin().result('Error: 500') },
})

for (const scenario of failing) {
  describeChecks(scenario, {
    'oauth-client/end-when-retry-fails': {
      pass: {
        'the failure is reported': retried().result('Error: 500'),
        'the retry was served': recording().completed(),
      },
      violation: { 'nothing comes': retried().gaveUp(30_000) },
      inconclusive: {
        'it was not retried': recording().authorized().result('Error: ?'),
        'nobody waited': retried(),
      },
    },
    'rap-oauth/tool/single-result': single(retried),
  })
}

describeChecks(hanging!, {
  'oauth-client/never-permanently-pending': {
    pass: { 'the call ends': held().after(9000).result('Error: no answer') },
    violation: { 'it does not': held().gaveUp(30_000) },
    inconclusive: {
      'it was not retried': recording().authorized().gaveUp(),
      'nobody waited': held(),
    },
  },
  'rap-oauth/tool/single-result': single(held),
})

/** What hangs, as the run has given up after 30 seconds, and lets it go. */
const hangs = {
  'retry-never-answered': held(),
  'exchange-never-answered': recording().asked().callback().upstream('/token', 'open'),
  'discovery-held-back': recording()
    .invoke()
    .upstream('/.well-known/oauth-authorization-server', 'open'),
}

test.each(Object.entries(hangs))(
  '%s: a client that waits for 45 seconds is not judged by a run that waits for 30',
  (id, t) => {
    const all = [...resourceErrorScenarios, ...exchangeErrorScenarios, ...providerOutageScenarios]
    const scenario = all.find((each) => each.id === id)!
    const found = judge(
      scenario,
      'oauth-client/never-permanently-pending',
      t.gaveUp(30_000).step('release').result('Error: no answer'),
    )
    expect(found.outcome).toBe('inconclusive')
    expect(found.message).toContain('pending for 30000 ms')
    expect(found.message).toContain('--max-wait')
  },
)

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

describeChecks(redirecting!, {
  'oauth-client/no-token-elsewhere': {
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
