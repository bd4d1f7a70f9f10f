import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said, standIn } from '../testing.ts'
import { severalScenarios } from './several.ts'

const two = (...requests: readonly ReturnType<typeof said.request>[]) =>
  recording()
    .begin()
    .model([], 'list_items', 'add_item')
    .events([
      said.call('paused-1'),
      said.call('paused-2', 'add_item'),
      ...requests,
      said.result(standIn, 'paused-1'),
      said.result(standIn, 'paused-2', 'add_item'),
    ])
const both = () =>
  two(said.request('request-1', 'paused-1'), said.request('request-2', 'paused-2'))
    .authorizationRequest('s1')
    .authorizationRequest('s2')
const first = said.result(items(), 'paused-1')
const other = said.result({ id: '2' }, 'paused-2', 'add_item')

const beside = (...results: Record<string, unknown>[]) =>
  recording()
    .begin()
    .model([], 'list_items', 'tell_time')
    .events([
      said.call('paused-1'),
      said.call('open-1', 'tell_time'),
      said.request(),
      said.result(standIn, 'paused-1'),
      ...results,
    ])
    .callback()
const time = said.result({ time: 'noon' }, 'open-1', 'tell_time')
const same = (...more: Record<string, unknown>[]) =>
  recording()
    .begin()
    .model([], 'list_items', 'count_items')
    .events([
      said.call('paused-1'),
      said.call('paused-2', 'count_items'),
      said.result(standIn, 'paused-1'),
      ...more,
    ])
const second = said.result(standIn, 'paused-2', 'count_items')
const count = said.result({ count: 2 }, 'paused-2', 'count_items')

const strangers = {
  'oauth-client/token-bound-to-user': {
    pass: {
      'there is no such session': recording().served().begin('user-2').answered(404),
      'it fails': recording().served().begin('user-2').answered(500),
      'they are asked': recording().served().asked('user-2'),
    },
    violation: {
      'they are served': recording()
        .served()
        .begin('user-2')
        .on('call-1')
        .access()
        .on('call-2')
        .events([said.call(), said.result(items())]),
    },
    inconclusive: {
      'nobody was served': recording().asked().begin('user-2').answered(404),
      'it was not answered': recording().served().begin('user-2'),
    },
  },
}

describeExamples(
  severalScenarios,
  {
    'two-configurations': {
      'adk-credential/agent/several-requests-distinct': {
        pass: {
          'each has its result': both().callback().back([other]).callback().back([first]),
          'the open one is shown once more': both()
            .callback()
            .back([other, said.request('request-1', 'paused-1')])
            .callback()
            .back([first]),
          'one after the other': two(said.request('r-1', 'paused-1'))
            .callback()
            .back([first, said.request('r-2', 'paused-2')])
            .callback()
            .back([other]),
          'both come at last': both().callback().back().callback().back([other, first]),
        },
        violation: {
          'one id for both': two(said.request('r', 'paused-1'), said.request('r', 'paused-2')),
          'one state for both': two(
            said.request('r-1', 'paused-1'),
            said.request('r-2', 'paused-2'),
          )
            .authorizationRequest('s')
            .authorizationRequest('s'),
          'the second is forgotten': two(said.request('r-1', 'paused-1')).callback().back([first]),
          'one has no result': both().callback().back([other]).callback().back(),
        },
        inconclusive: {
          'the model asked for one': recording().asked(),
          'one was asked for, and not answered': two(said.request('r', 'paused-1')),
          'one request served both': two(said.request('r', 'paused-1'))
            .callback()
            .back([first, other]),
          'one was answered': both().callback().back([other]),
        },
      },
    },
    'open-tool-beside': {
      'adk-credential/agent/other-tools-unaffected': {
        pass: {
          'its result at once': beside(time).back([first]),
          'its result at last': beside().back([first, time]),
        },
        violation: {
          'no result': beside().back([first]),
          'two results': beside(time).back([first, time]),
        },
        inconclusive: {
          'the model asked for one': recording().asked().callback().back([first]),
          'the answer was not answered': beside(time),
        },
      },
    },
    'session-of-another-user': strangers,
    'session-of-the-same-id': strangers,
    'one-configuration-for-two-calls': {
      'adk-credential/agent/call-replayed': {
        pass: {
          'one request for both': same(said.request('r', 'paused-1'))
            .callback()
            .grant()
            .back([first, count]),
          'a request for each': same(
            said.request('r-1', 'paused-1'),
            said.request('r-2', 'paused-2'),
          )
            .callback()
            .grant()
            .back([first])
            .callback()
            .back([count]),
          'the second gave way': same(
            said.request('r', 'paused-1'),
            said.result({ error: 'asked already' }, 'paused-2', 'count_items'),
          )
            .callback()
            .grant()
            .back([first]),
        },
        violation: {
          'one of them alone': same(said.request('r', 'paused-1'), second)
            .callback()
            .grant()
            .back([first]),
          'what stood in for it': same(said.request('r', 'paused-1'), second)
            .callback()
            .grant()
            .back([first, second]),
          'under each other’s id': same(said.request('r', 'paused-1'))
            .callback()
            .grant()
            .back([
              said.result(items(), 'paused-2', 'list_items'),
              said.result({ count: 1 }, 'paused-1', 'count_items'),
            ]),
        },
        inconclusive: {
          'the model asked for one': recording().asked(),
          'no token was issued': same(said.request('r', 'paused-1')).callback().back([first]),
          'two requests have one state': same(
            said.request('r-1', 'paused-1'),
            said.request('r-2', 'paused-2'),
          )
            .authorizationRequest('s')
            .authorizationRequest('s')
            .callback()
            .grant()
            .back([first])
            .callback()
            .back(),
          'one request was not answered': same(
            said.request('r-1', 'paused-1'),
            said.request('r-2', 'paused-2'),
          )
            .callback()
            .grant()
            .back([first]),
        },
      },
    },
    'twelve-users': {
      'oauth-client/token-bound-to-user': {
        pass: { 'each their own': recording().served('user-1').served('user-2') },
        violation: {
          "another's": recording()
            .served('user-1')
            .asked('user-2')
            .decision('subject-of-user-2')
            .callback()
            .back([said.result(items('user-1'))]),
          "another's, in a later call": recording()
            .served('user-1')
            .served('user-2')
            .begin('user-1')
            .events([said.call(), said.result(items('user-2'))]),
        },
        inconclusive: {
          'only one was served': recording().served('user-1'),
          'results name no account': recording()
            .asked()
            .decision()
            .callback()
            .back([said.result({ count: 1 })]),
        },
      },
    },
  },
  options,
)
