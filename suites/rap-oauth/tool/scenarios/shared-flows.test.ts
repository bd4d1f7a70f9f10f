import { describeChecks, recording } from '../testing.ts'
import { sharedFlowScenarios } from './shared-flows.ts'

const [deniedTogether, oneThread, oneDenies] = sharedFlowScenarios

const denial = { error: 'access_denied', state: 's' }
const denied = () =>
  recording().asked().asked().on('call-1').callback(denial).result('Error: denied')

describeChecks(deniedTogether!, {
  'oauth-client/report-denial': {
    pass: {
      'a denial each': denied().on('call-2').callback(denial).result('Error: denied'),
      'one denial for both': denied().on('call-2').result('Error: denied'),
      'one denial for both, of the call that was made later': recording()
        .asked()
        .asked()
        .callback(denial)
        .result('Error: denied')
        .on('call-1')
        .result('Error: denied'),
      'the other one had a flow of its own, which was over before its turn': recording()
        .asked()
        .invoke()
        .oauth({ auth_url: 'https://provider.test/authorize?state=own' })
        .on('call-1')
        .callback(denial)
        .result('Error: denied')
        .after(4000)
        .on('call-2')
        .result('Error: late'),
      'the other one has given way to it before': recording()
        .asked()
        .asked()
        .on('call-1')
        .result('Error: another call asked later')
        .on('call-2')
        .callback(denial)
        .result('Error: denied'),
    },
    violation: {
      'the other one is forgotten': denied().on('call-2').gaveUp(),
      'the earlier one is forgotten': recording()
        .asked()
        .asked()
        .callback(denial)
        .result('Error: denied')
        .on('call-1')
        .gaveUp(),
      'the other one is left to its timeout': denied()
        .after(4000)
        .on('call-2')
        .result('Error: late'),
    },
    inconclusive: {
      'nobody denied': recording().asked().asked().gaveUp(),
      'nobody waited for the other one': denied(),
      'it came when the timeout was over': recording()
        .asked()
        .asked()
        .on('call-1')
        .after(4000)
        .callback(denial)
        .after(2000)
        .result('Error: timed out'),
    },
  },
})

const second = { auth_url: 'https://provider.test/authorize?state=other' }
const both = (changes = second) =>
  recording()
    .asked({ group_id: 'thread' })
    .invoke({ group_id: 'thread', user_id: 'user-2' })
    .oauth(changes)
    .on('call-1')
    .callback()

const approved = (changes = second) => both(changes).grant().access().result()

describeChecks(oneThread!, {
  'oauth-client/token-bound-to-user': {
    pass: { 'the other one still waits': approved().window() },
    violation: {
      'the other one is served': approved().on('call-2').result('3 items').window(),
      'both got the same link': approved({ auth_url: String(first()) }).window(),
    },
    inconclusive: {
      'nobody approved': both().window(),
      'nobody watched': approved(),
      'the result of the first call went astray': approved()
        .on('call-2')
        .result('3 items', { id: 'id of call-1' })
        .window(),
    },
  },
})

const oneDenied = () =>
  recording()
    .asked({ group_id: 'thread' })
    .invoke({ group_id: 'thread', user_id: 'user-2' })
    .oauth(second)
    .on('call-1')
    .callback(denial)
    .result('Error: denied')
    .on('call-2')

const control = recording().authorized().access().result()

describeChecks(oneDenies!, {
  'rap-oauth/tool/isolate-concurrent-calls': {
    pass: {
      'the other one is served': [oneDenied().callback().grant().access().result(), {}, control],
      'the other one is redeemed, and the API fails': [
        oneDenied().callback().grant().result('Error: not now'),
        {},
        control,
      ],
      'the first one had given way to it': [
        recording()
          .asked({ group_id: 'thread' })
          .invoke({ group_id: 'thread', user_id: 'user-2' })
          .oauth(second)
          .on('call-1')
          .result('Error: another call asked later')
          .callback(denial)
          .on('call-2')
          .callback()
          .grant()
          .access()
          .result(),
        {},
        control,
      ],
    },
    violation: {
      'both are ended by it': [oneDenied().result('Error: denied').callback(), {}, control],
      'the other flow is forgotten': [oneDenied().callback().gaveUp(), {}, control],
      'the consent is answered by an error': [
        oneDenied().callback().result('Error: unknown state'),
        {},
        control,
      ],
    },
    inconclusive: {
      'nobody denied': [both().on('call-2').result('Error: denied'), {}, control],
      'nobody else was asked': [denied(), {}, control],
      'the other one did not consent': [oneDenied().gaveUp(), {}, control],
      'its timeout was over': [oneDenied().after(4000).result('Error: timed out'), {}, control],
      'nobody waited for the end': [oneDenied().callback(), {}, control],
      'no consent is ever redeemed': [oneDenied().callback().gaveUp(), {}, recording().asked()],
    },
  },
})

/** The link of the first user. */
function first(): unknown {
  const { body } = recording().asked().transcript.requests('callback')[0] ?? {}
  return (JSON.parse(body?.text ?? '{}') as { auth_url?: unknown }).auth_url
}
