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

const same = { handle: '[secret resume_handle-9]', facts: good }
/** What is put before the messages of a run. */
const remembered = (text: string) => ({ messages: [{ role: 'system', text }] })
const bothServed = () => recording().served('user-1').served('user-2')
const ofFirst = remembered('Before: subject-of-user-1')
const ofSecondClient = { auth_url: 'https://as/authorize?client_id=client-1-2&state=s' }
const approval = { pause_type: undefined, auth_url: undefined }

/** The page that the code is brought to sends the browser on. */
function redirected(location: string) {
  const place = { channel: 'browser', exchange: 'redirected' }
  const code = sighting('authorization_code')
  const url = 'http://127.0.0.1:9555/callback?code=c'
  return recording()
    .served()
    .event({ type: 'request', ...place, method: 'GET', url, headers: {} }, { ...code, at: 'url' })
    .event(
      { type: 'response', ...place, status: 307, headers: { location } },
      { ...code, at: 'headers.location' },
    )
}

describeExamples(
  [wholeRun],
  {
    'whole-run': {
      'penguiflow-oauth/planner/no-token-in-model': toldNothing('access_token'),
      'penguiflow-oauth/planner/no-credentials-in-model': toldNothing('client_secret'),
      'penguiflow-oauth/planner/pause-payload': {
        pass: {
          'every one': recording().asked().paused(),
          'the second provider': recording()
            .begin('user-1', 'notes_list')
            .paused({ provider: 'notes' }),
          'the second of two, in the URL of its client': recording()
            .begin('user-1', 'items_list', 'notes_list')
            .paused({ ...ofSecondClient, provider: 'notes' }),
          'with the prefix of a tool': recording().begin('user-1', 'mine.items_list').paused(),
          'one for something else': recording().asked().paused(approval),
          'nothing is known of its tool': recording().begin('user-1', 'other').paused(),
        },
        violation: {
          'another reason later': recording().asked().paused({}, { reason: 'await_input' }),
          'no type later': recording().asked().paused({ pause_type: undefined }),
          'no provider later': recording().asked().paused({ provider: undefined }),
          'another provider': recording().begin().paused({ provider: 'oauth' }),
          'the first one, in the URL of the client of the second': recording()
            .begin('user-1', 'items_list', 'notes_list')
            .paused(ofSecondClient),
          'that of the other tool': recording().begin('user-1', 'notes_list').paused(),
        },
        inconclusive: {
          'no pause': recording().begin().finished(),
          'none for a consent': recording().begin().paused(approval),
        },
      },
      'penguiflow-oauth/planner/payload-fields': {
        pass: { 'every one': recording().asked().paused() },
        violation: { 'no scopes later': recording().asked().paused({ scopes: undefined }) },
        inconclusive: { 'no pause': recording().begin().finished() },
      },
      'penguiflow-oauth/planner/no-state-in-model': toldNothing('pending_state'),
      'penguiflow-oauth/planner/no-secrets-in-output': {
        pass: {
          'nothing secret': recording().served().printed('shared stderr', 'paused'),
          'in a store': recording()
            .served()
            .printed('store token t', 'x', sighting('access_token')),
          'a state in a payload': recording().served(),
          'a redirect to itself that carries the query along': redirected('/callback/?code=c'),
        },
        violation: {
          'a token in a log': recording()
            .served()
            .printed('shared stderr', 'x', sighting('access_token')),
          'a redirect that carries a code to somebody else': redirected(
            'https://elsewhere.example/?code=c',
          ),
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
      'penguiflow-oauth/planner/isolate-pauses': {
        pass: {
          'each their own': bothServed(),
          'a memory of their own': bothServed()
            .begin('user-2')
            .step('model-asked', remembered('Before: subject-of-user-2')),
          'the result of a tool, which is judged elsewhere': bothServed()
            .begin('user-2')
            .told(['items_list', 'subject-of-user-1']),
          'a part of a name': bothServed()
            .begin('user-3')
            .step('model-asked', remembered('Before: subject-of-user')),
          'it is resumed by the other': bothServed()
            .asked('user-2')
            .resume('oauth_completed', 'user-1')
            .step('model-asked', ofFirst),
          'it is in the conversation of the other': bothServed()
            .on('call-3')
            .step('begin', { user: 'user-2', conversation: 'conversation-1' })
            .step('message', { user: 'user-2' })
            .step('model-asked', ofFirst),
        },
        violation: {
          'a memory of another': bothServed().begin('user-2').step('model-asked', ofFirst),
          'one of whoever has not consented': bothServed()
            .begin('user-3')
            .step('model-asked', ofFirst),
          'a result of another before any tool ran': bothServed()
            .on('call-3')
            .step('begin', { user: 'user-2', conversation: 'conversation-3' })
            .step('message', { user: 'user-2' })
            .told(['items_list', 'subject-of-user-1']),
        },
        inconclusive: {
          'one user': recording().served(),
          'nobody consents': recording().asked().asked('user-2'),
        },
      },
      'penguiflow-oauth/planner/handle-opaque': {
        pass: {
          'two of them': handles(good, good),
          'one twice in a run': recording().begin().paused({}, same).paused({}, same),
        },
        violation: {
          'one twice': recording().begin().paused({}, same).begin().paused({}, same),
          counted: handles(good, { ...good, bits: 4 }),
          'a digest of what its caller gave': handles(good, {
            ...good,
            derived: 'the sha256 of user and conversation',
          }),
          'a digest of its state': handles(good, { ...good, derived: 'the sha256 of state' }),
          'with the user inside': handles(good, { ...good, holds: ['user'] }),
        },
        inconclusive: { 'one alone': handles({ ...good, bits: 4 }), none: recording().begin() },
        'not-applicable': { chosen: [handles(good, good), { handles: 'chosen' }] },
      },
    },
  },
  options,
)
