import { describeExamples, withoutShared } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { clockScenarios } from './clocks.ts'

const late = () => recording().asked().step('mark', { name: 'away' }).consent().callback()
const control = late().granted()
const used = () => recording().served().begin().finished().mark('expired').begin()
const refusedToken = { token: 'access_token-1', outcome: 'expired' }

const unusedWhenExpired: Cases = {
  pass: {
    'it pauses': used().paused(),
    'it fails': used().failed(),
    'it is refreshed': used().on('call-1').refreshed().access().on('call-3').finished(),
  },
  violation: {
    'it is used': used().on('call-1').access(refusedToken).on('call-3').paused(),
    'it is used, and the run fails': used().on('call-1').access(refusedToken).on('call-3').failed(),
  },
  inconclusive: {
    'there was none': recording().asked().asked().mark('expired').begin().paused(),
    'not at rest': used(),
    'the API still serves it': used().on('call-1').access().on('call-3').finished(),
  },
}

describeExamples(
  clockScenarios.map(withoutShared),
  {
    'callback-in-time': {
      'penguiflow-oauth/manager/pending-expires': {
        pass: { 'a token': late().granted().took() },
        violation: { refused: [late().took('refused', { message: 'expired' }), {}, control] },
        inconclusive: {
          'nothing came of it': late(),
          'it is refused at once as well': [late().took('refused'), {}, late().took('refused')],
          'no callback': recording().asked().step('mark', { name: 'away' }),
          'the clock stood still': recording().asked().consent().callback().granted(),
        },
      },
    },
    'callback-too-late': {
      'penguiflow-oauth/manager/pending-expires': {
        pass: { refused: [late().took('refused'), {}, control] },
        violation: { 'a token': [late().granted(), {}, control] },
        inconclusive: {
          'it is refused in time as well': [late().took('refused'), {}, late()],
          'no callback': [recording().asked().step('mark', { name: 'away' }), {}, control],
        },
      },
    },
    'token-expires': { 'penguiflow-oauth/manager/expired-token': unusedWhenExpired },
    'refresh-refused': { 'penguiflow-oauth/manager/expired-token': unusedWhenExpired },
  },
  options,
)
