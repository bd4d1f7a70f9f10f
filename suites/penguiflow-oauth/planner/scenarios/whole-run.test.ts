import { describeExamples } from '../../../testing.ts'
import { options, recording, sighting, type Cases } from '../../testing.ts'
import { wholeRun } from './whole-run.ts'

const run = () => recording().served().modelRequest()

const toldNothing = (kind: string): Cases => ({
  pass: {
    'nothing secret': run(),
    'what is not asked about': run().modelRequest(sighting('model_api_key')),
  },
  violation: { 'a secret': run().modelRequest(sighting(kind)) },
  inconclusive: {
    'no token was issued': recording().asked().modelRequest(sighting(kind)),
    'the model was not asked': recording().served(),
    'too deep': run().modelRequest(sighting('unread')),
  },
})

const handles = (...facts: readonly object[]) =>
  facts.reduce<ReturnType<typeof recording>>(
    (all, each) => all.begin().paused({}, { facts: each }),
    recording(),
  )

const good = { length: 32, bits: 120, holds: [] }

describeExamples(
  [wholeRun],
  {
    'whole-run': {
      'penguiflow-oauth/planner/no-token-in-model': toldNothing('access_token'),
      'penguiflow-oauth/planner/no-state-in-model': toldNothing('pending_state'),
      'penguiflow-oauth/planner/no-secrets-in-output': {
        pass: {
          'nothing secret': recording().served().printed('shared stderr', 'paused'),
          'in a store': recording()
            .served()
            .printed('store token t', 'x', sighting('access_token')),
          'a state in a payload': recording().served(),
        },
        violation: {
          'a token in a log': recording()
            .served()
            .printed('shared stderr', 'x', sighting('access_token')),
          'a secret in an answer': recording()
            .served()
            .event(
              { type: 'step', action: 'finished', call: 'call-1', detail: { text: 'x' } },
              sighting('client_secret'),
            ),
        },
        inconclusive: {
          'no token was issued': recording()
            .asked()
            .printed('shared stderr', 'x', sighting('access_token')),
        },
      },
      'penguiflow-oauth/planner/handle-opaque': {
        pass: { 'two of them': handles(good, good) },
        violation: {
          counted: handles(good, { ...good, bits: 4 }),
          'with the user inside': handles(good, { ...good, holds: ['user'] }),
        },
        inconclusive: { 'one alone': handles({ ...good, bits: 4 }), none: recording().begin() },
        'not-applicable': { chosen: [handles(good, good), { handles: 'chosen' }] },
      },
    },
  },
  options,
)
