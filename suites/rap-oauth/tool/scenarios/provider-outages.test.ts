import { describeChecks, recording } from '../testing.ts'
import { providerOutageScenarios } from './provider-outages.ts'

const byId = (id: string) => providerOutageScenarios.find((each) => each.id === id)!

const paths: Readonly<Record<string, string>> = {
  discovery: '/.well-known/oauth-authorization-server',
  registration: '/register',
  par: '/par',
}

for (const [name, metadata] of Object.entries(paths)) {
  describeChecks(byId(`${name}-held-back`), {
    'rap-oauth/tool/acknowledge-immediately': {
      pass: {
        'acknowledged while the metadata is held back': recording()
          .invoke({}, 'open')
          .upstream(metadata, 'open')
          .ack(200)
          .step('release'),
        'acknowledged before it was asked for': recording()
          .invoke()
          .upstream(metadata, 'open')
          .step('release'),
        'the tool gave the request up': recording()
          .invoke()
          .upstream(metadata, 'refused')
          .result('Error: provider')
          .step('release'),
      },
      violation: {
        'acknowledged after the release': recording()
          .invoke({}, 'open')
          .upstream(metadata, 'open')
          .step('release')
          .ack(200),
        'acknowledged late': recording()
          .invoke({}, 'open')
          .upstream(metadata, 'open')
          .after(2001)
          .ack(200)
          .step('release'),
        'never acknowledged': recording()
          .invoke({}, 'open')
          .upstream(metadata, 'open')
          .step('release'),
        'the connection broke': recording()
          .invoke({}, 'open')
          .upstream(metadata, 'open')
          .ack('refused')
          .step('release'),
      },
      inconclusive: {
        'the call was not made': recording().upstream(metadata, 'open').step('release'),
        'no request was held back': recording().invoke().upstream(metadata).step('release'),
        'another request was held back': recording().invoke().upstream('/token', 'open'),
        'it was asked for only after the release': recording()
          .invoke()
          .step('release')
          .upstream(metadata, 'open'),
      },
    },
    'oauth-client/never-permanently-pending': {
      pass: {
        'the call ends': recording().invoke().upstream(metadata, 'open').result('Error: provider'),
      },
      violation: {
        'the call does not end': recording().invoke().upstream(metadata, 'open').gaveUp(30_000),
      },
      inconclusive: {
        'no request was held back': recording().invoke().upstream(metadata).gaveUp(),
        'nobody waited': recording().invoke().upstream(metadata, 'open'),
        'it goes on once the metadata comes': recording()
          .invoke()
          .upstream(metadata, 'open')
          .gaveUp(30_000)
          .step('release')
          .oauth(),
      },
    },
  })

  const failing = () => recording().invoke().upstream(metadata, 500)
  describeChecks(byId(`${name}-fails`), {
    'oauth-client/never-permanently-pending': {
      pass: {
        'an error result': failing().result('Error: the provider is unavailable'),
        'an oauth message all the same': failing().oauth(),
      },
      violation: { 'not a word': failing().gaveUp() },
      inconclusive: {
        'it was not asked': recording().invoke().oauth(),
        'nobody waited': failing(),
      },
    },
  })
}

/** The second call of a user whose expired token cannot be refreshed. */
const unrefreshed = () => recording().completed().invoke().upstream('/token', 500)

describeChecks(byId('refresh-fails'), {
  'oauth-client/never-permanently-pending': {
    pass: {
      'an error result': unrefreshed().result('Error: try again later'),
      'the user is asked again': unrefreshed().oauth(),
    },
    violation: { 'not a word': unrefreshed().gaveUp() },
    inconclusive: {
      'nothing was refreshed': recording().completed().invoke().oauth(),
      'nobody waited': unrefreshed(),
    },
  },
})
