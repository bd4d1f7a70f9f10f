import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said, standIn } from '../testing.ts'
import { twoArguments, twoPauses, twoSessions } from './two-pauses.ts'

type Events = Parameters<ReturnType<typeof recording>['events']>[0]

/** Called again while pending; what comes with the second call, by default a request of its own. */
const again = (
  states: readonly [string, string] = ['s1', 's2'],
  events: Events = [said.request('request-2', 'paused-2'), said.result(standIn, 'paused-2')],
) =>
  recording()
    .asked()
    .authorizationRequest(states[0])
    .begin()
    .model([], 'list_items')
    .events([said.call('paused-2'), ...events])
    .authorizationRequest(states[1])

const first = said.result(items(), 'paused-1')
const second = said.result(items(), 'paused-2')

const both = (of: ReturnType<typeof again>, one: Events, other: Events) =>
  of.on('call-1').callback().back(one).on('call-2').callback().back(other)

const once = (events: Events, one: Events) =>
  again(['s1', 's1'], events).on('call-1').callback().back(one)

/** A call, and one of other arguments; what the API is asked for each, and what comes with each answer. */
const searched = (searches: readonly (string | undefined)[], one: Events, other: Events) => {
  const written = recording()
    .asked('user-1', said.request(), { search: 'tea' })
    .begin('user-1', 'list_items', { search: 'coffee' })
    .model([], 'list_items')
    .events([said.call('paused-2'), said.request('request-2', 'paused-2')])
  for (const [nth, events] of [one, other].entries()) {
    written.on(`call-${nth + 1}`).callback()
    if (searches[nth]) written.upstream(`/resource/items?search=${searches[nth]}`)
    written.back(events)
  }
  return written
}
const usual = recording()
  .asked('user-1', said.request(), { search: 'tea' })
  .callback()
  .upstream('/resource/items?search=tea')
  .back([first])
const failed = (id: string) => said.result({ error: 'the other one came first' }, id)

describeExamples(
  [twoPauses, twoArguments, twoSessions],
  {
    'two-sessions-of-one-user': {
      'adk-credential/agent/several-requests-distinct': {
        pass: { 'each has its result': both(again(), [first], [second]) },
        violation: {
          'the first was forgotten': both(again(), [], [second]),
          'one state for both': both(again(['s', 's']), [first], [second]),
        },
        inconclusive: {
          'it was not called again': recording().asked(),
          'nobody answered': again(),
        },
      },
    },
    'two-pauses-with-other-arguments': {
      'oauth-client/retry-operation': {
        pass: {
          'each has its own': [searched(['tea', 'coffee'], [first], [second]), {}, usual],
          'both are carried out after the last answer': [
            searched(['coffee', 'tea'], [], [first, second]),
            {},
            usual,
          ],
          'the first gave way': [
            searched([undefined, 'coffee'], [failed('paused-1')], [second]),
            {},
            usual,
          ],
          'the second gave way': [searched(['tea'], [first], [failed('paused-2')]), {}, usual],
        },
        violation: {
          'the first has those of the second': [
            searched(['coffee', 'coffee'], [first], [second]),
            {},
            usual,
          ],
          'the second has those of the first': [
            searched(['tea', 'tea'], [first], [second]),
            {},
            usual,
          ],
          'neither has any': [searched(['all', 'all'], [first], [second]), {}, usual],
        },
        inconclusive: {
          'nothing was asked for': recording().begin(),
          'the second has no result': [searched(['coffee'], [first], []), {}, usual],
          'neither has a result': [searched(['tea', 'coffee'], [], []), {}, usual],
          'the API was not asked': [searched([], [first], [second]), {}, usual],
        },
      },
    },
    'two-pauses': {
      'adk-credential/agent/several-requests-distinct': {
        pass: {
          'each has its result': both(again(), [first], [second]),
          'the open request is shown once more': both(
            again(['s1', 's2'], [said.request('request-1'), said.request('request-2', 'paused-2')]),
            [first],
            [second],
          ),
          'all that is open is shown once more': both(
            again(
              ['s1', 's2'],
              ['request-2', 'request-1', 'request-2'].map((id) =>
                said.request(id, id.replace('request', 'paused')),
              ),
            ),
            [first],
            [second],
          ),
          'both come with the first answer': both(again(), [first, second], []),
          'both come with the last one': both(again(), [], [first, second]),
          'the second ended in an error': both(
            again(),
            [first],
            [said.result({ error: 'x' }, 'paused-2')],
          ),
          'one request for both': once([], [first, second]),
          'the later call ended at once': once(
            [said.result({ error: 'wait' }, 'paused-2')],
            [first],
          ),
        },
        violation: {
          'one state for both': both(again(['s', 's']), [first], [second]),
          'the first was forgotten': both(again(), [], [second]),
          'the second was forgotten': both(again(), [first], []),
          'what stood in for it once more': both(
            again(),
            [first],
            [said.result(standIn, 'paused-2')],
          ),
          'one request, and the later call was forgotten': once([], [first]),
        },
        inconclusive: {
          'nothing was asked for': recording().begin(),
          'it was not called again': recording().asked(),
          'one was not answered': again().on('call-1').callback().back([first]),
          'nobody answered': again(),
        },
      },
    },
  },
  options,
)
