import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said } from '../testing.ts'
import { credentialKeyScenarios } from './credential-keys.ts'

const control = recording()
  .served()
  .begin()
  .on('call-1')
  .access()
  .on('call-2')
  .events([said.call(), said.result(items())])

const added = said.result({ id: '2' }, 'paused-2', 'add_item')
const asksToAdd = [said.call('paused-2', 'add_item'), said.request('request-2', 'paused-2')]

/** A call of the other tool. */
const adding = () => recording().served().begin('user-1', 'add_item').model([], 'add_item')

/** Both tools were served, each with a token of its own, and the first is called once more. */
const both = (outcome = 'served') =>
  adding()
    .events(asksToAdd)
    .decision()
    .callback()
    .grant({ issued: ['access_token-2'] })
    .access({ token: 'access_token-2', outcome })
    .back([added])
    .begin()

describeExamples(
  credentialKeyScenarios,
  {
    'another-tool-of-the-same-credential': {
      'adk-credential/agent/credential-shared-by-key': {
        pass: {
          'it is served': recording()
            .served()
            .begin('user-1', 'count_items')
            .on('call-1')
            .access()
            .on('call-2')
            .events([
              said.call('paused-2', 'count_items'),
              said.result({ count: 1 }, 'paused-2', 'count_items'),
            ]),
        },
        violation: { 'it asks again': recording().served().asked() },
        inconclusive: {
          'the first was not served': recording().asked().asked(),
          'it was not carried out': recording()
            .served()
            .begin('user-1', 'count_items')
            .events([said.text()]),
        },
      },
    },
    'another-tool-of-another-credential': {
      'adk-credential/agent/credential-of-its-key': {
        pass: {
          'it asks': adding().events(asksToAdd),
          'it asks when the token that there is does not do': adding()
            .on('call-1')
            .access({ outcome: 'refused' })
            .on('call-2')
            .events(asksToAdd),
        },
        violation: {
          'it takes the token that there is': adding()
            .on('call-1')
            .access()
            .on('call-2')
            .events([added]),
          'it tries no other': adding()
            .on('call-1')
            .access({ outcome: 'refused' })
            .on('call-2')
            .events([said.result({ error: 'HTTP 403' }, 'paused-2', 'add_item')]),
        },
        inconclusive: {
          'the first was not served': recording().asked().begin('user-1', 'add_item'),
          'it was not carried out': adding().events([said.text()]),
        },
      },
    },
    'tools-of-two-credentials-in-turn': {
      'adk-credential/agent/credential-of-its-key': {
        pass: {
          'the first is served': [
            both()
              .on('call-1')
              .access()
              .on('call-3')
              .events([said.call(), said.result(items())]),
            {},
            control,
          ],
          'the API did not like what the other was to add': [
            both('refused')
              .on('call-1')
              .access()
              .on('call-3')
              .events([said.call(), said.result(items())]),
            {},
            control,
          ],
        },
        violation: {
          'it asks again': [both().events([said.call(), said.request('request-3')]), {}, control],
          'it takes the other token': [
            both()
              .on('call-2')
              .access({ token: 'access_token-2', outcome: 'refused' })
              .on('call-3')
              .events([said.call(), said.result({ error: 'HTTP 403' })]),
            {},
            control,
          ],
        },
        inconclusive: {
          'nothing is ever reused': [
            both().events([said.call(), said.request('request-3')]),
            {},
            recording().served().asked(),
          ],
          'the other did not call the API': [adding().events([added]).begin(), {}, control],
          'no result': [both().events([said.text()]), {}, control],
        },
      },
    },
  },
  options,
)
