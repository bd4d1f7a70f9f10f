import { cite, inconclusive, pass, show, violation } from '../../../../../harness/engine/index.ts'
import { membersOf } from '../../../wire/values.ts'
import { asksForInput, elicitationRequired, inputRequestsIn, urlMode } from '../../elicitation.ts'
import { check, citeAskings, endsAfterRefusal, servedEnd } from '../checks.ts'
import { serverFrames } from '../../../wire/frames.ts'
import type { Answer } from '../session.ts'
import { callOf } from '../view.ts'
import { needsModern } from '../conditions.ts'
import { control, scenario } from './define.ts'
import { asksUndeclared } from './gates.ts'

export const modernRevision = '2026-07-28'
const revision = modernRevision

const modern = scenario({
  id: 'modern',
  title: 'the user agrees and authorizes, on revision 2026-07-28',
  control,
  notApplicable: needsModern,
  async drive({ begin, user, observe, oauthClient }) {
    const call = begin(user, { revision })
    if (oauthClient) {
      await user.approve(call)
      await call.ended()
    } else {
      await call.awaitUrl()
    }
    await observe()
  },
  checks: [
    check('mcp-url-elicitation/server/input-required-valid', 'asks for input as it must', (t) => {
      const results = callOf(t).replies.flatMap(({ event, message }) =>
        message.kind === 'result' && (asksForInput(message.result) || hasRequests(message.result))
          ? [{ event, result: membersOf(message.result) }]
          : [],
      )
      for (const { event, result } of results) {
        const actual = wrongInput(result)
        if (actual !== undefined)
          return violation('a result asks for input as it must not', actual, cite(event))
      }
      if (results.length === 0) return inconclusive('no result asked for input')
      return pass(`${results.length} results`, cite(...results.map(({ event }) => event)))
    }),
    check('mcp-url-elicitation/server/gate-mode', 'asks for what was declared only', (t) => {
      const { replies, askings } = callOf(t)
      const wrong = asksUndeclared(replies, urlMode)
      if (wrong) return wrong
      const asked = [
        ...askings.map(({ frame }) => frame),
        ...replies.filter(
          ({ message }) => message.kind === 'result' && asksForInput(message.result),
        ),
      ]
      if (asked.length === 0) return inconclusive('no input was asked for')
      return pass('it asked in URL mode', cite(...asked.map(({ event }) => event)))
    }),
    check('mcp-url-elicitation/server/removed-features', 'asks in results only', (t) => {
      const removed = serverFrames(t, 'call-1').find(
        ({ message }) =>
          message.kind === 'request' ||
          (message.kind === 'error' && message.code === elicitationRequired),
      )
      if (removed) {
        const { message } = removed
        const actual = message.kind === 'request' ? message.method : 'the error -32042'
        return violation(
          'the client was asked as earlier revisions do',
          { expected: 'an input_required result', actual },
          cite(removed.event),
        )
      }
      const call = callOf(t)
      const served = servedEnd(t)
      if (!served) return inconclusive('the call was not served on this revision')
      return pass('it asked in results', [...citeAskings(...call.askings), ...cite(served.event)])
    }),
  ],
})

/** The kinds of requests that may be made of a client. */
const allowed = ['elicitation/create', 'sampling/createMessage', 'roots/list']

/** Whether a result has requests for its client, whatever it says that it is. */
function hasRequests(result: unknown): boolean {
  const { inputRequests } = membersOf(result)
  return Object.values(membersOf(inputRequests)).some((request) =>
    allowed.includes(String(membersOf(request)['method'])),
  )
}

function wrongInput(result: Readonly<Record<string, unknown>>) {
  if (!asksForInput(result))
    return { expected: 'resultType "input_required"', actual: show(result['resultType']) }
  const { requestState } = result
  const requests = Object.values(inputRequestsIn(result) ?? {})
  if (requests.length === 0 && requestState === undefined)
    return { expected: 'inputRequests or requestState', actual: 'neither' }
  if (requestState !== undefined && typeof requestState !== 'string')
    return { expected: 'a string as requestState', actual: typeof requestState }
  const odd = requests.find((each) => !allowed.includes(String(membersOf(each)['method'])))
  return odd === undefined
    ? undefined
    : { expected: allowed.join(', '), actual: show(membersOf(odd)['method']) }
}

const refused = (['decline', 'cancel'] as const satisfies readonly Answer[]).map((answer) =>
  scenario({
    id: `modern-${answer}`,
    title: `the retry says ${answer}, on revision 2026-07-28`,
    control,
    notApplicable: needsModern,
    async drive({ begin, user, observe }) {
      const call = begin(user, { revision })
      await call.awaitUrl()
      await call.answer(answer)
      await call.retry()
      await call.settle()
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/server/end-after-refusal',
        'ends the call, and redeems nothing',
        endsAfterRefusal(answer),
      ),
    ],
  }),
)

export const modernScenarios = [modern, ...refused]
