import { describeExamples, describeJudge, withoutShared } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { severalScenarios } from './several.ts'

const other = () => recording().served().begin('user-2')

const pausesAgain: Cases = {
  pass: { 'it pauses': other().paused(), 'it fails': other().failed() },
  violation: {
    'the tool runs': other().toolRun().finished(),
    'the token is used': other().on('call-1').access().on('call-2').finished(),
  },
  inconclusive: {
    'no token': recording().asked().begin('user-2').paused(),
    'not at rest': other(),
  },
}

/** The user has a token of one provider, and comes back from the other. */
const atSecond = () =>
  recording().served().begin('user-1', 'notes_list').paused({ provider: 'notes' }).callback()
const again = () => atSecond().granted().resume().access().finished().mark('again').begin()

const back = () => recording().asked().consent().step('restarted').callback()

const two = () => recording().asked().begin().paused().consent().callback()
const waits = () => recording().asked().begin().finished('Open.').on('call-1').consent().callback()

describeJudge(
  'the code of the newer URL of a user',
  severalScenarios.find(({ id }) => id === 'two-conversations-of-one-user')!.checks[0]!.judge,
  {
    pass: {
      'a token': two().granted(),
      'a token by the older URL, where there is no newer one': waits().granted(),
    },
    violation: {
      'it is refused': two().notGranted().finished(),
      'it is not redeemed': two().took('refused').resume().finished(),
    },
    inconclusive: { 'no callback': recording().asked().begin().paused().consent() },
  },
  options,
)

const secondPaused = (payload: object) =>
  recording()
    .asked()
    .begin('user-1', 'notes_list')
    .paused({ state: 's', ...payload })

describeExamples(
  severalScenarios.filter(({ id }) => id !== 'two-conversations-of-one-user').map(withoutShared),
  {
    'other-tenant': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'other-ending': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'other-punctuation': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'other-separators': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'other-accents': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'other-form-of-a-digit': {
      'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain,
    },
    'other-blanks': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'other-end-of-a-long-name': {
      'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain,
    },
    'other-user-of-tenant': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'other-end-of-a-name-of-350': {
      'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain,
    },
    'other-case': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'second-provider': { 'penguiflow-oauth/manager/token-per-user-and-provider': pausesAgain },
    'both-providers': {
      'penguiflow-oauth/manager/payload-matches-url': {
        pass: { 'both are the same': secondPaused({}).requested() },
        violation: {
          'another scope': secondPaused({ scopes: ['items'] }).requested(),
          'another state': secondPaused({ state: 'other' }).requested(),
        },
        inconclusive: { 'not visited': secondPaused({}), 'no second run': recording().asked() },
      },
      'penguiflow-oauth/manager/token-per-user-and-provider': {
        pass: {
          'each its own': again().on('call-1').access().on('call-3').finished(),
          'a token that is kept for one use': again().paused(),
        },
        violation: {
          'as one client at both': recording()
            .asked()
            .requested()
            .consent()
            .granted()
            .resume()
            .access()
            .finished()
            .begin('user-1', 'notes_list')
            .paused({ provider: 'notes' })
            .requested()
            .callback()
            .granted()
            .resume()
            .access()
            .finished(),
          'the second is asked for anew': atSecond().granted().resume().paused(),
          'its code is refused': atSecond().notGranted().resume().paused(),
          'the second serves the first': again().on('call-2').access().on('call-3').finished(),
        },
        inconclusive: {
          'no token': recording().asked().begin('user-1', 'notes_list').paused(),
          'no callback': recording().served().begin('user-1', 'notes_list').paused(),
          'no token request': atSecond(),
          'not at rest': atSecond().granted(),
          'not at rest at last': again(),
        },
      },
    },
    'ten-users': {
      'penguiflow-oauth/manager/token-per-user-and-provider': {
        pass: { 'each their own': recording().served('user-1').served('user-2') },
        violation: {
          'one of another': recording()
            .served('user-1')
            .asked('user-2')
            .consent('user-2')
            .granted()
            .resume()
            .told(['items_list', 'Welcome, subject-of-user-1']),
        },
        inconclusive: { 'one alone': recording().served('user-1') },
      },
    },
    'restart-before-callback': {
      'penguiflow-oauth/manager/pending-survives-restart': {
        pass: { 'a token': back().granted() },
        violation: {
          'it is refused': [
            back().took('refused', { message: 'unknown state' }),
            {},
            recording().asked().consent().callback().granted(),
          ],
        },
        inconclusive: {
          'no callback': recording().asked().consent().step('restarted'),
          'no restart': recording().asked().consent().callback(),
          'nothing came of it': back(),
          'nothing comes of any callback': [
            back().took('refused'),
            {},
            recording().asked().consent().callback().took('refused'),
          ],
        },
      },
    },
  },
  options,
)
