import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { callbackScenarios } from './callbacks.ts'

const control = recording().served()
const stored = recording().served().begin().on('call-1').access()
const came = () =>
  recording().asked().consent().callback({ error: 'access_denied', code: 'c', state: 's' })

const exchangesNothing: Cases = {
  pass: { 'no token request': [came().took('refused').window(), {}, control] },
  violation: { 'a token request': [came().tokenRequest(), {}, control] },
  inconclusive: {
    'no callback': [recording().asked().consent(), {}, control],
    'no exchange either where it should be': [came(), {}, recording().asked()],
    'no control': came(),
  },
}

/** Both have paused; the callback of the first names the other, who says it again, and then the first does. */
const named = () =>
  recording().asked('user-1').asked('user-2').on('call-1').consent().granted().mark('named')

describeExamples(
  callbackScenarios,
  {
    denied: {
      'penguiflow-oauth/manager/no-exchange-after-denial': exchangesNothing,
      'penguiflow-oauth/manager/clear-errors': {
        pass: { 'in words': came().took('refused', { kind: 'Refused', message: 'access_denied' }) },
        violation: {
          'no words': came().took('refused', { kind: 'Refused', message: '' }),
          'a stray error': came().took('refused', { kind: 'KeyError', message: "'code'" }),
        },
        inconclusive: {
          'no callback': recording().asked().took('refused', { message: 'x' }),
          'nothing is said': came(),
        },
      },
    },
    'other-error-beside-code': {
      'penguiflow-oauth/manager/no-exchange-after-denial': exchangesNothing,
    },
    'error-beside-code': { 'penguiflow-oauth/manager/no-exchange-after-denial': exchangesNothing },
    'callback-names-other-user': {
      'penguiflow-oauth/manager/user-from-flow': {
        pass: {
          'the first is served': named()
            .asked('user-2')
            .begin('user-1')
            .on('call-1')
            .access()
            .on('call-4')
            .finished(),
          'the first is served, and pauses for something else': named()
            .asked('user-2')
            .begin('user-1')
            .on('call-1')
            .access()
            .on('call-4')
            .paused({ pause_type: undefined, auth_url: undefined }),
          'the other is told to wait, and the first is served': named()
            .begin('user-2')
            .finished('A consent is still open.')
            .begin('user-1')
            .on('call-1')
            .access()
            .on('call-4')
            .finished(),
          'the other fails, and the first is served': named()
            .begin('user-2')
            .failed('PermissionError', 'a consent is still open')
            .begin('user-1')
            .on('call-1')
            .access()
            .on('call-4')
            .finished(),
        },
        violation: {
          'the other is served, and paused': named()
            .begin('user-2')
            .on('call-1')
            .access()
            .on('call-3')
            .paused()
            .asked('user-1'),
          'the other is served': named()
            .begin('user-2')
            .on('call-1')
            .access()
            .on('call-3')
            .finished()
            .asked('user-1'),
          'the tool runs for the other': named()
            .begin('user-2')
            .toolRun()
            .finished()
            .asked('user-1'),
          'nobody is served': [named().asked('user-2').asked('user-1'), {}, stored],
        },
        inconclusive: {
          'no token': recording().asked('user-1').asked('user-2').mark('named').asked('user-2'),
          'the first said nothing more': named().asked('user-2'),
          'nobody is ever served': named().asked('user-2').asked('user-1'),
        },
      },
    },
  },
  options,
)
