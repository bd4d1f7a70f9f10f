import { describeExamples, withoutShared } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { clockScenarios } from './clocks.ts'

const late = () => recording().asked().step('mark', { name: 'away' }).consent().callback()
const control = late().granted()
const used = () => recording().served().begin().finished().mark('expired').begin()
const anew = () => used().paused().consent().granted().resume()
const deniedThen = () => used().paused().failed().begin()
/** Somebody else has a token, and says it again when both times are over. */
const overRestart = () =>
  recording()
    .asked()
    .consent()
    .served('user-2')
    .step('restarted')
    .begin('user-2')
    .on('call-2')
    .access()
    .on('call-3')
    .finished()
    .step('mark', { name: 'away' })
    .begin('user-2')
/** It was used after a restart as well. */
const kept = () =>
  recording()
    .served()
    .step('restarted')
    .begin()
    .on('call-1')
    .access()
    .on('call-2')
    .finished()
    .mark('expired')
    .begin()
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
      'penguiflow-oauth/manager/clear-errors': {
        pass: { 'in words': late().took('refused', { kind: 'Refused', message: 'too late' }) },
        violation: {
          'a stray error': late().took('refused', { kind: 'KeyError', message: "'s'" }),
        },
        inconclusive: {
          'nothing is said': late(),
          'no time passed': recording()
            .asked()
            .consent()
            .callback()
            .took('refused', { message: 'x' }),
        },
      },
      'penguiflow-oauth/manager/pending-expires': {
        pass: { refused: [late().took('refused'), {}, control] },
        violation: { 'a token': [late().granted(), {}, control] },
        inconclusive: {
          'it is refused in time as well': [late().took('refused'), {}, late()],
          'no callback': [recording().asked().step('mark', { name: 'away' }), {}, control],
        },
      },
    },
    'callback-too-late-after-restart': {
      'penguiflow-oauth/manager/pending-expires': {
        pass: { refused: [late().took('refused'), {}, control] },
        violation: { 'a token': [late().granted(), {}, control] },
        inconclusive: {
          'it is refused in time as well': [late().took('refused'), {}, late()],
          'no callback': [recording().asked().step('mark', { name: 'away' }), {}, control],
        },
      },
    },
    'callback-too-late-over-restart': {
      'penguiflow-oauth/manager/pending-expires': {
        pass: {
          refused: [overRestart().paused().on('call-1').callback().took('refused'), {}, control],
          'where the token of the other was refreshed': [
            overRestart()
              .on('call-2')
              .refreshed()
              .access()
              .on('call-4')
              .finished()
              .on('call-1')
              .callback()
              .took('refused'),
            {},
            control,
          ],
        },
        violation: {
          'a token': [overRestart().paused().on('call-1').callback().granted(), {}, control],
        },
        inconclusive: {
          'the clock is as it was': [
            overRestart()
              .on('call-2')
              .access()
              .on('call-4')
              .finished()
              .on('call-1')
              .callback()
              .granted(),
            {},
            control,
          ],
          'the other had no token': [
            recording()
              .asked()
              .consent()
              .asked()
              .step('mark', { name: 'away' })
              .begin('user-2')
              .paused()
              .on('call-1')
              .callback()
              .granted(),
            {},
            control,
          ],
          'no callback': [overRestart().paused(), {}, control],
        },
      },
    },
    'token-expires': {
      'penguiflow-oauth/manager/expired-token': unusedWhenExpired,
      'penguiflow-oauth/manager/token-stored': {
        pass: {
          'it is used': anew().access().finished(),
          'it is refreshed': used().on('call-1').refreshed().access().on('call-3').finished(),
        },
        violation: {
          'it asks once more': anew().paused(),
          'it ends without': anew().finished(),
        },
        inconclusive: {
          'nobody consents': used().paused(),
          'it ends without asking': used().finished(),
          'not at rest': anew(),
        },
      },
    },
    'token-expires-in-store': {
      'penguiflow-oauth/manager/expired-token': {
        pass: { 'it pauses': kept().paused() },
        violation: {
          'it is used': kept().on('call-1').access(refusedToken).on('call-3').paused(),
        },
        inconclusive: {
          'it was not used after the restart': used().paused(),
          'not at rest': kept(),
        },
      },
    },
    'refresh-refused': { 'penguiflow-oauth/manager/expired-token': unusedWhenExpired },
    'token-expires-then-denied': {
      'penguiflow-oauth/manager/expired-token': {
        pass: {
          'it pauses once more': deniedThen().paused(),
          'it is refreshed': used().on('call-1').refreshed().access().on('call-3').finished(),
        },
        violation: {
          'it is used': deniedThen().on('call-1').access(refusedToken).on('call-4').failed(),
          'it is used by the run whose user has denied': used()
            .paused()
            .on('call-1')
            .access(refusedToken)
            .on('call-3')
            .failed()
            .begin()
            .paused(),
        },
        inconclusive: { 'the run after the denial is not at rest': deniedThen() },
      },
    },
  },
  options,
)
