import { describeExamples } from '../../../testing.ts'
import { options, recording, sighting } from '../../testing.ts'
import { severalScenarios } from './several.ts'

type Recording = ReturnType<typeof recording>

const served = recording().served()
const beside = (recorded: Recording) => [recorded, {}, served] as const

const two = () => recording().served('user-1').served('user-2')
const bothTools = () => recording().begin('user-1', 'items_list', 'notes_list')
const goesOn = (recorded: Recording) => recorded.consent().granted().resume()
const waiting = ['notes_list', 'The user is asked first.'] as const
const endedFor = (recorded: Recording) => recorded.consent().granted().resume().called().finished()
const ran = (recorded: Recording) =>
  recorded.access().access({ token: 'access_token-2' }).finished()
/** The second call is said to wait, and both are served. */
const bothAfter = (words: string) =>
  beside(
    ran(
      goesOn(
        goesOn(bothTools().paused())
          .told(['items_list', 'Welcome'], ['notes_list', words])
          .paused({ provider: 'notes' }),
      ),
    ),
  )
const inUrlAlone = (state: string, user = 'user-1', recorded = recording()) =>
  recorded.begin(user).paused({ state: undefined, auth_url: `https://as/authorize?state=${state}` })
/** The newer conversation has its consent, and has ended. */
const both = () =>
  recording().asked().asked().consent().granted().resume().called().access().finished().on('call-1')
/** Both tools are called, and have run, while one of the providers was asked for. */
const bothToldOf = (recorded: Recording) =>
  recorded.told(['items_list', 'Welcome, subject-of-user-1'], ['notes_list', 'subject-of-user-1'])
const secondBoth = () => recording().served().begin('user-1', 'items_list', 'notes_list')
const withToken = () => recording().served().begin().paused({ provider: 'notes' })

describeExamples(
  severalScenarios,
  {
    'ten-users': {
      'penguiflow-oauth/planner/isolate-pauses': {
        pass: {
          'all end': beside(two()),
          'the states stand in the URLs alone': beside(
            endedFor(inUrlAlone('b', 'user-2', endedFor(inUrlAlone('a')))),
          ),
        },
        violation: {
          'one handle': beside(
            recording()
              .begin()
              .paused({}, { handle: 'h' })
              .begin('user-2')
              .paused({}, { handle: 'h' }),
          ),
          'one state': beside(
            recording().begin().paused({ state: 's' }).begin('user-2').paused({ state: 's' }),
          ),
          'one state, in the URLs alone': beside(
            inUrlAlone('a', 'user-2', inUrlAlone('a', 'user-1')),
          ),
          'one is lost': beside(
            recording().served().asked('user-2').consent().granted().resume().failed(),
          ),
          'one is lost, in words': beside(
            recording()
              .served()
              .asked('user-2')
              .consent()
              .granted()
              .resume()
              .finished('There is nothing to resume.'),
          ),
        },
        inconclusive: {
          'one user': beside(recording().served()),
          'nobody is resumed': beside(recording().asked().asked('user-2')),
          'it does not run for one': [two(), {}, recording().asked()],
        },
      },
      'penguiflow-oauth/planner/own-token-at-api': {
        pass: { 'each has their own': two() },
        violation: {
          'one has the data of another': two().told(['items_list', 'Welcome, subject-of-user-1']),
        },
        inconclusive: { 'one result': served, 'no result': recording().asked().asked('user-2') },
      },
    },
    'two-conversations-of-one-user': {
      'penguiflow-oauth/planner/isolate-pauses': {
        pass: {
          'both end': beside(both().resume().called().finished()),
          'one is not sent away twice': beside(
            recording()
              .asked()
              .begin()
              .finished('A consent is still open.')
              .on('call-1')
              .consent()
              .granted()
              .resume()
              .called()
              .finished(),
          ),
        },
        violation: {
          'one is lost': beside(both().resume().failed()),
          'one is lost, in words': beside(both().resume().finished('There is nothing to resume.')),
        },
        inconclusive: {
          'one is not resumed': beside(both()),
          'nobody consents': beside(recording().asked().asked()),
          'one conversation': beside(recording().served()),
          'one is not at rest': beside(recording().served().begin()),
          'it does not run in one': [both().resume().called().finished(), {}, recording().asked()],
        },
      },
    },
    'two-providers-in-one-step': {
      'penguiflow-oauth/planner/pauses-of-one-step': {
        pass: {
          'with a pause for something else': beside(
            ran(
              goesOn(
                goesOn(bothTools().paused())
                  .paused({ pause_type: undefined, provider: undefined })
                  .resume()
                  .told(['items_list', 'Welcome'], waiting)
                  .paused({ provider: 'notes' }),
              ),
            ),
          ),
          'one after the other': bothAfter('The user is asked first.'),
          'the second waits, and its error is null': bothAfter('{"status":"waiting","error":null}'),
          'the same as Python writes it': bothAfter("{'status': 'waiting', 'error': None}"),
          'the second is no error': bothAfter('Not an error: waits for consent'),
        },
        violation: {
          'the second is called failed': beside(
            goesOn(bothTools().paused())
              .told(['items_list', 'Welcome'], ['notes_list', 'Error: paused'])
              .finished(),
          ),
          'the second is called failed in an observation': beside(
            goesOn(bothTools().paused())
              .observed({ node: 'notes_list', error: 'failed' })
              .finished(),
          ),
          'the second is called failed by a member': beside(
            goesOn(bothTools().paused())
              .told(['items_list', 'Welcome'], ['notes_list', '{"error":"nullified"}'])
              .finished(),
          ),
          'the second resumption fails': beside(
            goesOn(goesOn(bothTools().paused()).access().paused({ provider: 'notes' })).failed(),
          ),
          'the second call never runs': beside(
            goesOn(goesOn(bothTools().paused()).access().paused({ provider: 'notes' })).finished(),
          ),
          'the second is lost': beside(
            goesOn(bothTools().paused())
              .told(['items_list', 'Welcome'], ['notes_list', 'done'])
              .finished(),
          ),
        },
        inconclusive: {
          'one tool': beside(goesOn(recording().asked()).finished()),
          'it does not end': beside(goesOn(bothTools().paused()).told(waiting).paused()),
          'not resumed': beside(bothTools().paused()),
          'no provider is named': beside(
            goesOn(bothTools().paused({ provider: undefined })).finished(),
          ),
          'it does not run for one': [
            goesOn(bothTools().paused()).finished(),
            {},
            recording().asked(),
          ],
        },
      },
      'penguiflow-oauth/planner/pause-without-token': {
        pass: {
          'one after the other': bothAfter('The user is asked first.'),
          'both run after both': goesOn(
            goesOn(bothTools().paused()).paused({ provider: 'notes' }),
          ).toolRun(),
        },
        violation: {
          'both are answered after one consent': bothToldOf(
            goesOn(bothTools().paused()).access(),
          ).finished(),
          'both are said to run': goesOn(bothTools().paused())
            .toolRun()
            .step('tool-run', { tool: 'notes_list' })
            .paused({ provider: 'notes' }),
        },
        inconclusive: {
          'one tool': goesOn(recording().asked()).finished(),
          'no consent': bothToldOf(bothTools().paused()),
          'one of them is lost': goesOn(bothTools().paused())
            .told(['items_list', 'subject-of-user-1'], ['notes_list', 'done'])
            .finished(),
        },
      },
    },
    'paused-with-token': {
      'penguiflow-oauth/planner/pause-without-token': {
        pass: {
          'it pauses': secondBoth().paused({ provider: 'notes' }),
          'it pauses after the other has run': secondBoth().toolRun().paused({ provider: 'notes' }),
        },
        violation: {
          'both are answered': bothToldOf(secondBoth()).finished(),
          'both are said to run': secondBoth()
            .toolRun()
            .step('tool-run', { tool: 'mine.notes_list' })
            .finished(),
        },
        inconclusive: {
          'one tool': withToken(),
          'one of them is left out': secondBoth()
            .told(['items_list', 'subject-of-user-1'])
            .finished(),
          'no token before': recording()
            .asked()
            .begin('user-1', 'items_list', 'notes_list')
            .toolRun()
            .paused({ provider: 'notes' }),
        },
      },
      'penguiflow-oauth/planner/no-token-in-record': {
        pass: {
          'no token': withToken().printed('store pause p', '{}'),
          'a token elsewhere': withToken()
            .printed('store pause p', '{}')
            .printed('store token t', 'x', sighting('access_token')),
        },
        violation: {
          'a token': withToken().printed('store pause p', 'x', sighting('access_token')),
        },
        inconclusive: {
          'no record': withToken().printed('store token t', '{}'),
          'no pause': recording().served().begin().finished().printed('store pause p', '{}'),
          'no token was issued': recording().asked().asked().printed('store pause p', '{}'),
        },
      },
    },
  },
  options,
)
