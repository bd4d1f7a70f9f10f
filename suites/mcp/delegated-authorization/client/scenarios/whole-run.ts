import {
  cite,
  inconclusive,
  pass,
  unreadKind,
  violation,
  type RecordedEvent,
} from '../../../../../harness/engine/index.ts'
import { unscanned } from '../../../../oauth-client/scenarios/index.ts'
import { browserChannel } from '../vocabulary.ts'
import { callsOf } from '../view.ts'
import { check, scenario, type Judge } from './define.ts'

const code = 'authorization_code'

const carries = (event: RecordedEvent, secret: string): boolean =>
  event.secrets?.some(({ kind }) => kind === secret) === true

/** No code in any event of a kind, where clients got codes at all. `kinds`: of output, which has to be read to its end. */
const nowhere =
  (
    what: string,
    isPlace: (event: RecordedEvent, t: Parameters<Judge>[0]) => boolean,
    ...kinds: readonly string[]
  ): Judge =>
  (t) => {
    const came = t.requests(browserChannel).filter((each) => t.answer(each)?.type === 'response')
    const brought = came.filter((each) => carries(each, code))
    if (brought.length === 0) return inconclusive('no client got a code')
    const places = t.events.filter((event) => isPlace(event, t))
    const leaks = places.filter((event) => carries(event, code))
    const [first] = leaks
    if (first) {
      const text = first.type === 'output' ? first.text : 'body' in first ? first.body?.text : ''
      return violation(
        `an authorization code was found ${what}`,
        { expected: 'none', actual: (text ?? '').slice(0, 300) },
        cite(...leaks.slice(0, 5)),
      )
    }
    const unread = places.find((event) => carries(event, unreadKind))
    if (unread || unscanned(t, ...kinds))
      return inconclusive('there is more than is scanned; declare a smaller part', cite(unread))
    return pass(`${brought.length} codes, none ${what}`, cite(...brought.slice(0, 3)))
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
      nowhere(
        'in what the client printed, logged or kept',
        (event) => event.type === 'output',
        'output',
        'log',
        'store',
      ),
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
