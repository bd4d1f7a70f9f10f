import { describeChecks, recording, type Recording } from '../testing.ts'
import { failingApi } from './failing-api.ts'

const user = 'subject-of-user'
const data = JSON.stringify({ items: [{ id: '1', title: `Welcome, ${user}` }] })

/** A later call of the user, whose token is stored. */
const later = (t: Recording, outcome: string, text: string): Recording =>
  t.invoke().access({ outcome }).result(text)

const two = (full: string, empty: string): Recording =>
  later(recording().authorized().access().result(full), 'served', empty)
const fails = (full: string, empty: string, text: string): Recording =>
  later(two(full, empty), 'refused', text)

describeChecks(failingApi, {
  'rap-oauth/tool/report-failed-operation': {
    pass: {
      'an error': fails('3 items', '0 items', 'Error: HTTP 500'),
      'an error in any words': fails('3 items', '0 items', 'Der Dienst antwortet nicht.'),
      'an error with a number': fails('HTTP 200', 'HTTP 204', 'HTTP 500'),
      'an error in place of data': fails(data, '{"items":[]}', '{"error":"HTTP 500"}'),
      'an error beside no data': fails(data, '{"items":[]}', '{"items":[],"error":"HTTP 500"}'),
      'an error with the numbers of nothing': fails(
        '{"total":1,"items":["Welcome"]}',
        '{"total":0,"items":[]}',
        '{"total":0,"items":[],"why":"HTTP 500"}',
      ),
      'an error as content': fails('[{"text":"Welcome"}]', '[]', '[{"text":"kaputt"}]'),
      'the same error each time': fails('Error: ?', 'Error: ?', 'Error: ?'),
      'asked for another scope': later(two('3 items', '0 items'), 'refused', 'Error: 500')
        .invoke()
        .access({ outcome: 'refused' })
        .oauth(),
    },
    violation: {
      'nothing was there': fails('3 items', '0 items', '0 items'),
      'as it was served': fails('3 items', '0 items', '3 items'),
      'as data that is empty': fails(data, 'none', '{"items":[]}'),
      'as nothing there, in another order': fails(
        '{"total":1,"items":["Welcome"]}',
        '{"total":0,"items":[]}',
        '{"items":[],"total":0}',
      ),
      'as data that is made up': fails(data, 'none', '{"items":[{"id":"7","title":"Sample"}]}'),
      'without words': fails('3 items', '0 items', ' '),
      'all the same to a tool that names its user': fails(`Hi ${user}`, `Hi ${user}`, `Hi ${user}`),
      'the last one': later(fails('3 items', '0 items', 'Error: HTTP 500'), 'refused', '0 items'),
    },
    inconclusive: {
      'nothing was served': later(recording().authorized().result('?'), 'refused', '?'),
      'no call failed': two('3 items', '0 items').invoke().result('0 items'),
      'it was served after all': later(two('3 items', '0 items'), 'served', '0 items'),
      'words that are always the same': fails('erledigt', 'erledigt', 'erledigt'),
      'too much was asked': fails('3 items', '0 items', 'Error: Too many requests'),
    },
  },
})
