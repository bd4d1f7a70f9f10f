import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said, standIn } from '../testing.ts'
import { outcomeScenarios } from './outcomes.ts'

const denied = () => recording().asked().callback({ error: 'access_denied', state: 's' })
const again = (request = said.request('request-2')) =>
  denied()
    .back([said.result({ error: 'denied' })])
    .begin()
    .model([], 'list_items')
    .events([said.call(), request, said.result(standIn)])
const second = () => recording().served().begin()

describeExamples(
  outcomeScenarios,
  {
    'denied-consent': {
      'oauth-client/report-denial': {
        pass: {
          'an error': denied().back([said.result({ error: 'the user has denied it' })]),
          'an error that says what is over': denied().back([
            said.result({ error: 'access_denied', message: 'Nothing is pending any more' }),
          ]),
          'words that name what was pending': denied().back([
            said.result({ status: 'denied', message: 'The pending request was declined.' }),
          ]),
          'words of any kind': denied().back([said.result({ result: 'Fine.' })]),
          'it asks anew': denied().back([said.request('request-2'), said.result(standIn)]),
        },
        violation: {
          'the model is told that it is pending': denied().back([said.result(standIn)]),
          'in other words': denied().back([said.result({ status: 'awaiting authorization' })]),
          'no words at all': denied().back([said.result({ result: null })]),
          'a result as of the tool': [
            denied().back([said.result({ titles: [] })]),
            {},
            recording().served(),
          ],
          nothing: denied().back().step('gave-up', { what: 'no result', within: 30_000 }),
        },
        inconclusive: {
          'nobody denied': recording().asked(),
          'the denial was not answered': denied(),
        },
      },
      'adk-credential/agent/denial-not-remembered': {
        pass: {
          'it asks and completes': again()
            .callback()
            .grant()
            .back([said.result(items())]),
        },
        violation: {
          'it does not ask': denied()
            .back([said.result({ error: 'denied' })])
            .begin()
            .events([said.call(), said.result({ error: 'denied' })]),
          'it does not complete': again().callback().back([said.text()]),
        },
        inconclusive: {
          'nobody denied': recording().served().begin().events([said.text()]),
          'there is no later call': denied().back([said.result({ error: 'denied' })]),
          'nobody answered the later request': again(),
          'no code is ever exchanged': [
            again()
              .callback()
              .back([said.result({ error: 'exchange failed' })]),
            {},
            recording()
              .asked()
              .callback()
              .back([said.result({ error: 'exchange failed' })]),
          ],
        },
      },
    },
    'answer-replayed': {
      'adk-credential/agent/replay-runs-no-tool': {
        pass: { 'nothing more': recording().served().mark('forged').callback().back().window() },
        violation: {
          'the API is called': recording()
            .served()
            .mark('forged')
            .callback()
            .access()
            .back([said.result(items())])
            .window(),
        },
        inconclusive: {
          'it was not repeated': recording().served().mark('forged').window(),
          'the tool was never served': recording()
            .asked()
            .mark('forged')
            .callback()
            .back()
            .window(),
          'nobody watched': recording().served().mark('forged').callback().back(),
        },
      },
    },
    'token-about-to-expire': {
      'adk-credential/agent/leeway': {
        pass: {
          'it is refreshed': second()
            .grant({ grantType: 'refresh_token' })
            .events([said.call(), said.result(items())]),
        },
        violation: {
          'it is used': second()
            .access()
            .events([said.call(), said.result(items())]),
        },
        inconclusive: {
          'no refresh token': recording()
            .asked()
            .callback()
            .grant({ issued: ['access_token-1'] })
            .back([said.result(items())])
            .begin()
            .events([said.call(), said.result(items())]),
          'no token': recording().asked(),
          'the user is asked': second().events([said.call(), said.request('request-2')]),
          'the second call was not answered': second(),
        },
      },
    },
  },
  options,
)
