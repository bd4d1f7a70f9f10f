import {
  cite,
  inconclusive,
  pass,
  unreadKind,
  violation,
  withoutEscapes,
  type RecordedEvent,
} from '../../../../../harness/engine/index.ts'
import { partsOf } from '../../../../oauth-client/parts.ts'
import { unscanned } from '../../../../oauth-client/scenarios/index.ts'
import { browserChannel } from '../vocabulary.ts'
import { callsOf } from '../view.ts'
import { fetchesNothing, opensAsAgreed, opensOnce, opensWhole } from '../prompts.ts'
import { check, scenario, type CallJudge, type Judge } from './define.ts'
import { substitutesNothing } from './options.ts'

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

/** Of the callbacks with an error what tells each from every other: that no code is in them makes them no secret less. */
function errorCallbacks(t: Parameters<Judge>[0]) {
  return [...partsOf(t)].flatMap(([, part]) =>
    callsOf(part).flatMap(({ callbacks }) => {
      const last = callbacks.at(-1)
      const query = new URL(last?.url ?? 'http://none.example').search.slice(1)
      return last && new URLSearchParams(query).has('error') ? [{ callback: last, query }] : []
    }),
  )
}

const writesNoCode = nowhere(
  'in what the client printed, logged or kept',
  (event) => event.type === 'output',
  'output',
  'log',
  'store',
)

/** Neither a code nor a callback URL: one with an error, which has no code, is found by its whole query. */
const writesNoCallback: Judge = (t, context) => {
  const judgement = writesNoCode(t, context)
  if (judgement.outcome === 'violation') return judgement
  const brought = errorCallbacks(t)
  for (const written of t.outputs()) {
    const text = withoutEscapes(written.text)
    const found = brought.find(({ query }) => text.includes(query))
    if (!found) continue
    return violation(
      'a callback URL was found in what the client printed, logged or kept',
      { expected: 'none', actual: text.slice(0, 300) },
      cite(found.callback, written),
    )
  }
  return judgement
}

/** The answers to what servers have asked. */
function answersIn(t: Parameters<Judge>[0]): ReadonlySet<string> {
  const scenarios = [...new Set(t.events.map(({ scenario }) => scenario))]
  const replies = scenarios.flatMap((id) => callsOf(t.of(id)).flatMap((call) => call.replies))
  return new Set(replies.map(({ event }) => `${event.scenario} ${event.seq}`))
}

/** Where anything may be opened that is not: the check of those scenarios says so. */
const isUnsafe = (id: string): boolean => id.startsWith('unsafe-url-')

/** Every call of the run, in whichever scenario. */
const throughout =
  (judge: CallJudge): Judge =>
  (t, context) => {
    const judgements = [...partsOf(t)]
      .filter(([id]) => !isUnsafe(id))
      .flatMap(([, part]) => callsOf(part).map((call) => judge(call, part, context)))
    const passed = judgements.filter(({ outcome }) => outcome === 'pass')
    const [first] = passed
    const decisive = judgements.find(({ outcome }) => !['pass', 'inconclusive'].includes(outcome))
    if (decisive) return decisive
    if (!first) return judgements[0] ?? inconclusive('the tool was never called')
    return pass(
      `${passed.length} calls`,
      passed.slice(0, 3).flatMap(({ evidence }) => evidence),
    )
  }

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  drive: ({ recordOutputFiles }) => recordOutputFiles(),
  checks: [
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens nothing without consent',
      throughout(opensAsAgreed),
    ),
    check(
      'mcp-delegated-authorization/client/open-complete-url',
      'opens every URL with all its parameters',
      throughout(opensWhole),
    ),
    check(
      'mcp-delegated-authorization/client/open-once',
      'opens every URL once',
      throughout(opensOnce),
    ),
    check(
      'mcp-delegated-authorization/client/no-own-request',
      'fetches nothing itself at any time',
      throughout(fetchesNothing),
    ),
    check(
      'mcp-delegated-authorization/client/no-substitution',
      'uses no redirect URI of its own',
      throughout(substitutesNothing),
    ),
    check(
      'mcp-delegated-authorization/client/no-logging',
      'writes no code and no callback URL anywhere',
      writesNoCallback,
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
