import { describeChecks, recording, type Cases } from '../testing.ts'
import { resourceErrorScenarios } from './oauth-client.ts'

const [hanging, ...failing] = resourceErrorScenarios

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
