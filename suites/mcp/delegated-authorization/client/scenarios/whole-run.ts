import {
  cite,
  inconclusive,
  pass,
  violation,
  type RecordedEvent,
} from '../../../../../harness/engine/index.ts'
import { browserChannel } from '../vocabulary.ts'
import { callsOf } from '../view.ts'
import { check, scenario, type Judge } from './define.ts'

const code = 'authorization_code'

const carries = (event: RecordedEvent): boolean =>
  event.secrets?.some(({ kind }) => kind === code) === true

/** No code in any event of a kind, where clients got codes at all. */
const nowhere =
  (what: string, isPlace: (event: RecordedEvent, t: Parameters<Judge>[0]) => boolean): Judge =>
  (t) => {
    const came = t.requests(browserChannel).filter((each) => t.answer(each)?.type === 'response')
    const brought = came.filter(carries)
    if (brought.length === 0) return inconclusive('no client got a code')
    const leaks = t.events.filter((event) => carries(event) && isPlace(event, t))
    const [first] = leaks
    if (!first) return pass(`${brought.length} codes, none ${what}`, cite(...brought.slice(0, 3)))
    const text = first.type === 'output' ? first.text : 'body' in first ? first.body?.text : ''
    return violation(
      `an authorization code was found ${what}`,
      { expected: 'none', actual: (text ?? '').slice(0, 300) },
      cite(...leaks.slice(0, 5)),
    )
  }

/** The answers to what servers have asked. */
function answersIn(t: Parameters<Judge>[0]): ReadonlySet<string> {
  const scenarios = [...new Set(t.events.map(({ scenario }) => scenario))]
  const replies = scenarios.flatMap((id) => callsOf(t.of(id)).flatMap((call) => call.replies))
  return new Set(replies.map(({ event }) => `${event.scenario} ${event.seq}`))
}

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  drive: ({ recordOutputFiles }) => recordOutputFiles(),
  checks: [
    check(
      'mcp-delegated-authorization/client/no-logging',
      'writes no code anywhere',
      nowhere('in what the client printed or logged', (event) => event.type === 'output'),
    ),
    check(
      'mcp-delegated-authorization/client/code-to-asker-only',
      'sends the code as an answer alone',
      nowhere('in another message than the answer', (event, t) => {
        const sent = event.type === 'request' && event.channel === 'mcp'
        return sent && !answersIn(t).has(`${event.scenario} ${event.seq}`)
      }),
    ),
  ],
})
