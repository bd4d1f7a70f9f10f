import { expect, test } from 'vitest'
import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../../testing.ts'
import { resumingScenarios } from './resuming.ts'
import { inventedLike } from './unknown-handles.ts'

type Recording = ReturnType<typeof recording>

const served = recording().served()
/** What must not have an effect is judged beside the undisturbed run. */
const beside = (recorded: Recording) => [recorded, {}, served] as const

const early = () => recording().asked().mark('early').resume()
const unknown = () => recording().asked().consent().granted().mark('unknown').resume()
const again = () => recording().served().mark('again').resume()
const atOnce = () => recording().asked().consent().granted().resume().resume()
const denied = () => recording().asked().consent('user-1', 'deny').mark('denied').resume('no')
const restarted = () =>
  recording().asked().consent().granted().step('restart').step('restarted').resume()

const refusesUnknown: Cases = {
  pass: {
    refused: beside(unknown().failed()),
    'refused in words': beside(unknown().finished('Which one?')),
  },
  violation: {
    'it runs': beside(unknown().called('items_list').access().finished()),
    'the model goes on': beside(unknown().called().finished()),
    'it pauses': beside(unknown().paused()),
  },
  inconclusive: {
    'not at rest': beside(unknown()),
    'it does not run undisturbed': [unknown().failed(), {}, recording().asked()],
  },
}

const singleUse: Cases = {
  pass: {
    refused: beside(again().failed()),
    'refused in words': beside(again().finished('There is nothing to resume.')),
    'a conversation goes on whose handle was chosen': [
      again().called().finished(),
      { handles: 'chosen' },
      served,
    ],
  },
  violation: {
    'it runs again': beside(again().access().finished()),
    'the tool runs again': beside(again().toolRun().finished()),
    'the model goes on': beside(again().called().finished()),
    'it pauses': beside(again().paused()),
  },
  inconclusive: {
    'not at rest': beside(again()),
    'it did not run before': beside(
      recording().asked().consent().granted().resume().finished().mark('again').resume().failed(),
    ),
    'it does not run undisturbed': [again().failed(), {}, recording().asked()],
  },
}

const onceAtOnce: Cases = {
  pass: { 'one of them runs': beside(atOnce().failed().access().finished()) },
  violation: { 'both run': beside(atOnce().access().access().finished().finished()) },
  inconclusive: {
    'one is not at rest': beside(atOnce().access().finished()),
    'neither runs': beside(atOnce().failed().failed()),
    'it does not run undisturbed': [atOnce().access().finished().failed(), {}, recording().asked()],
  },
}

const asFirst = (since: string): Cases => {
  const second = () => recording().served().asked('user-2').mark(since).resume()
  return {
    pass: { refused: second().failed(), 'it asks again': second().paused() },
    violation: {
      'it runs with the token of the other': second().on('call-1').access().on('call-2').finished(),
    },
    inconclusive: {
      'not at rest': second(),
      'the other has no token': recording().asked().asked('user-2').mark(since).resume().failed(),
    },
  }
}
const other = () => recording().served().begin('user-2')
const boundToUser = asFirst('other')
const besideAnother = asFirst('early')

describeExamples(
  resumingScenarios,
  {
    'resume-early': {
      'penguiflow-oauth/planner/pause-without-token': {
        pass: { 'no request': recording().asked(), 'one afterwards': early().apiRequest() },
        violation: { 'a request before': recording().begin().apiRequest().paused() },
        inconclusive: {
          'no pause': recording().begin().apiRequest().finished(),
          'the model was not asked': recording().step('begin').step('message').paused(),
        },
      },
      'penguiflow-oauth/planner/resume-before-consent': {
        pass: {
          'it pauses again': beside(early().paused()),
          'it explains': beside(early().finished('No.')),
        },
        violation: {
          'the API is asked': beside(early().apiRequest().finished()),
          'the tool runs': beside(early().toolRun().paused()),
        },
        inconclusive: {
          'not at rest': beside(early()),
          'not resumed': beside(recording().asked()),
          'it does not run undisturbed': [early().paused(), {}, recording().asked()],
        },
      },
    },
    'resume-unknown': { 'penguiflow-oauth/planner/unknown-handle': refusesUnknown },
    'resume-unknown-ending-without-store': {
      'penguiflow-oauth/planner/unknown-handle': refusesUnknown,
    },
    'resume-unknown-ending': { 'penguiflow-oauth/planner/unknown-handle': refusesUnknown },
    'resume-unknown-cut': { 'penguiflow-oauth/planner/unknown-handle': refusesUnknown },
    'resume-unknown-extended': { 'penguiflow-oauth/planner/unknown-handle': refusesUnknown },
    'resume-unknown-other-case': { 'penguiflow-oauth/planner/unknown-handle': refusesUnknown },
    'resume-unknown-beginning': { 'penguiflow-oauth/planner/unknown-handle': refusesUnknown },
    'resume-twice': { 'penguiflow-oauth/planner/handle-single-use': singleUse },
    'resume-twice-after-restart': { 'penguiflow-oauth/planner/handle-single-use': singleUse },
    'resume-twice-without-store': { 'penguiflow-oauth/planner/handle-single-use': singleUse },
    'resume-at-once': { 'penguiflow-oauth/planner/handle-single-use': onceAtOnce },
    'resume-at-once-without-store': { 'penguiflow-oauth/planner/handle-single-use': onceAtOnce },
    'resume-early-beside-another': {
      'penguiflow-oauth/planner/resume-before-consent': besideAnother,
    },
    'resume-as-other-user': { 'penguiflow-oauth/planner/handle-bound-to-user': boundToUser },
    'resume-as-user-of-other-case': {
      'penguiflow-oauth/planner/handle-bound-to-user': boundToUser,
      'penguiflow-oauth/planner/own-token-at-api': {
        pass: {
          'it asks them': other().paused(),
          'it runs with that token when it is resumed as the first': other()
            .paused()
            .resume()
            .on('call-1')
            .access()
            .on('call-2')
            .finished(),
        },
        violation: {
          'it runs with the token of the first': other()
            .on('call-1')
            .access()
            .on('call-2')
            .finished(),
        },
        inconclusive: {
          'not at rest': other(),
          'the first has no token': recording().asked().begin('user-2').paused(),
        },
      },
    },
    'resume-as-other-without-store': {
      'penguiflow-oauth/planner/handle-bound-to-user': boundToUser,
    },
    'restart-while-paused': {
      'penguiflow-oauth/planner/durable-pause': {
        pass: {
          'it runs': beside(restarted().access().finished()),
          'the model is asked': beside(restarted().called().finished()),
          'it asks again': beside(restarted().paused()),
          'it fails, and runs after that': beside(
            restarted().told(['items_list', 'ValueError: an error']).access().finished(),
          ),
        },
        violation: {
          'its tool fails': beside(
            restarted().told(['items_list', 'ToolAuthError: an error: no user']).finished(),
          ),
          'it is lost': beside(restarted().failed()),
          'it is lost, in words': beside(restarted().finished('There is nothing to resume.')),
        },
        inconclusive: {
          'not at rest': beside(restarted()),
          'no token': beside(
            recording().asked().step('restart').step('restarted').resume().failed(),
          ),
          'it does not run undisturbed': [restarted().failed(), {}, recording().asked()],
        },
      },
    },
    denied: {
      'penguiflow-oauth/planner/denial': {
        pass: {
          'the model is told': beside(denied().called().finished()),
          'it ends in words': beside(denied().finished('As you like.')),
          'the model is told, and it asks again': beside(denied().called().paused()),
        },
        violation: {
          'the tool runs': beside(denied().called().toolRun().finished()),
          'nobody is told': beside(denied().failed()),
          'it asks again at once': beside(denied().paused()),
          'it ends without a word': beside(denied().finished(' \n')),
          'it never comes to rest': beside(denied().step('gave-up', { within: 5000 })),
        },
        inconclusive: {
          'not at rest': beside(denied()),
          'the model works on': beside(denied().called().step('gave-up', { within: 5000 })),
          'it does not run undisturbed': [denied().failed(), {}, recording().asked()],
        },
      },
    },
  },
  options,
)

test('an invented handle has the form of a given one, and is none', () => {
  expect(inventedLike('66f6a0')).toBe('99a9b3')
  expect(inventedLike('XYZ')).toBe('XYZx')
})
