import { answeredCallback } from '../../../oauth-client/arrival.ts'
import {
  askedTooMuch,
  citeEvents,
  namesAccount,
  served,
  tokenAccesses,
} from '../../../oauth-client/view.ts'
import {
  anyName,
  cite,
  inconclusive,
  pass,
  violation,
  type Answer,
  type Need,
  gaveUpAfter,
} from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../checks.ts'
import { ends, handoff } from '../handoff.ts'
import type { InvokeOptions, Tool } from '../session.ts'
import { callOf, citeMessages, saysNotNow, wasNotTaken } from '../view.ts'
import { scenario } from './define.ts'

const control = 'authorize-and-complete'

interface Unusable {
  readonly id: string
  readonly title: string
  readonly change: (tool: Tool) => InvokeOptions
  readonly needs?: Need
}

const unusable: readonly Unusable[] = [
  {
    id: 'unknown-operation',
    title:
      'an operation that the tool does not have, and whose name only begins like one that it has',
    change: (tool) => ({ operation: anyName(tool.operation) }),
  },
  {
    id: 'unfitting-arguments',
    title: 'arguments that are not an object',
    change: () => ({ arguments: ['not', 'an', 'object'] as unknown as Record<string, unknown> }),
  },
  {
    id: 'arguments-against-schema',
    title: 'arguments that the inputSchema of the operation does not allow',
    change: (tool) => ({ arguments: tool.misfit() }),
    needs: { what: 'an inputSchema that does not allow every object', seen: () => undefined },
  },
]

/** The scenarios whose invocations may be refused by a status, which is only not recommended (Tool Invocation, Tool Validation). */
export const badInvocations = unusable.map(({ id }) => id)

/** Whoever is asked for their consent first, and is told then that this cannot be done, was told. */
function notCarriedOut(what: string): Judge {
  return (t, { control: twin }) => {
    const call = callOf(t)
    const { request, ended } = call
    const [end] = ended
    const isServed = twin && tokenAccesses(callOf(twin)).some(served)
    const real = isServed ? callOf(twin).ended[0] : undefined
    if (!request) return inconclusive('nothing was invoked')
    if (!real) return inconclusive('the operation that the tool has was not carried out')
    if (!end && wasNotTaken(call)) return pass('it was refused', cite(request))
    if (!end) return inconclusive('the call did not end', cite(request))
    const hasData = tokenAccesses(call).some(served) && namesAccount(t, end)
    const same = end.text !== '' && end.text === real.text
    const alike = hasData || same || handoff.readsAsServed?.(end, real)
    const evidence = [...cite(request), ...citeEvents(end)]
    if (end.error || !alike) return pass('it ended otherwise than a call that is served', evidence)
    const difference = { expected: 'an error description', actual: end.text }
    return violation(`${what} was carried out`, difference, evidence)
  }
}

const rejectsOperation = check(
  'rap-oauth/tool/validate-operation',
  'carries out no other operation',
  notCarriedOut('an operation that the tool does not have'),
)

/** That they are looked at is a MUST; that the call then ends by an error, and does not go on without them, only a SHOULD. */
const rejectsArguments = check(
  'rap-oauth/tool/report-bad-arguments',
  'ends by an error',
  notCarriedOut('an invocation with arguments that do not fit'),
)

const refused = unusable.map(({ id, title, change, needs }) =>
  scenario({
    id,
    title: `an invocation with ${title}`,
    control,
    ...(needs && { needs }),
    async drive({ tool, user }) {
      const call = tool.invoke({ as: user, ...change(tool) })
      await call.awaitAnswer()
      await call.awaitAck()
      if (!call.hasMessage('oauth')) return
      await user.follow(await user.consent(call))
      await call.settle()
    },
    checks: [
      id === 'unknown-operation' ? rejectsOperation : rejectsArguments,
      check('rap-oauth/tool/never-drop-invocation', 'answers or refuses it', neverDropped()),
      check('rap-oauth/tool/acknowledge-bad-invocation', 'acknowledges it', (t) => {
        const { request, ack } = callOf(t)
        if (!request) return inconclusive('nothing was invoked')
        if (ack?.type !== 'response')
          return inconclusive('the invocation was not answered', cite(request, ack))
        if (ack.status === 200) return pass('HTTP 200', cite(request, ack))
        if (saysNotNow(ack)) return inconclusive(askedTooMuch, cite(request, ack))
        const difference = {
          expected: 'HTTP 200, then an error tool_result',
          actual: `HTTP ${ack.status}`,
        }
        return violation(
          'an invocation that cannot be carried out was not acknowledged',
          difference,
          cite(request, ack),
        )
      }),
    ],
  }),
)

const endsAfterConsent = ends(
  'call-1',
  (_, t) => answeredCallback(t, 'call-1', 'code'),
  'its user had consented',
)

function neverDropped(): Judge {
  return (t, context) => {
    const call = callOf(t)
    const { request, ack, results } = call
    const [message] = call.answers
    if (results[0])
      return pass('answered by a tool_result', [...cite(request), ...citeMessages(results[0])])
    // Whoever is asked first has to be told after their consent.
    if (message) return endsAfterConsent(t, context)
    if (ack?.type === 'response' && wasNotTaken(call)) {
      return pass(`refused with ${ack.status}`, cite(request, ack))
    }
    const waited = gaveUpAfter(t, 'call-1')
    if (!request || waited === undefined)
      return inconclusive('the run did not wait for an answer to the invocation')
    const actual =
      ack?.type === 'response'
        ? `HTTP ${ack.status}, and no message within ${waited} ms`
        : (ack?.message ?? 'no answer')
    return violation(
      'the invocation was dropped',
      { expected: 'an error tool_result, or an error status', actual },
      cite(request, ack),
    )
  }
}

/** Bodies that no runtime would send, and that no server should fall over. */
const malformed: readonly (readonly [string, string | Buffer, string])[] = [
  ['no-json', '{"operation": "list', 'application/json'],
  ['empty', '', 'application/json'],
  ['array', '[]', 'application/json'],
  ['null', 'null', 'application/json'],
  ['no-fields', '{}', 'application/json'],
  ['form', 'operation=list_items&id=1', 'application/x-www-form-urlencoded'],
  ['plain-text', 'hello', 'text/plain'],
  [
    'invalid-utf8',
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    'application/json',
  ],
  ['deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'application/json'],
  [
    'prototype',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}',
    'application/json',
  ],
  [
    'wrong-types',
    '{"operation":1,"arguments":"x","id":{},"group_id":[],"callback_url":7}',
    'application/json',
  ],
  [
    'no-callback',
    '{"operation":"x","arguments":{},"id":"a","group_id":"b","callback_url":"not a url"}',
    'application/json',
  ],
]

const survives = scenario({
  id: 'malformed-invocations',
  title: 'malformed invocations of many kinds, then a proper one',
  control,
  ownInstance: true,
  async drive(fixtures) {
    // Where it can be had, an instance of its own: what it does not survive must not harm other scenarios.
    const { tool, user, offSlot } = fixtures.canOwnInstance
      ? await fixtures.ownInstance()
      : fixtures
    await offSlot(Promise.all(malformed.map(([name, body, type]) => tool.send(name, body, type))))
    const call = tool.invoke({ as: user })
    await call.asked()
  },
  checks: [
    check(
      'rap-oauth/tool/survive-malformed-invocation',
      'still answers a proper invocation',
      (t) => {
        const sent = malformed.map(([name]) => callOf(t, name).request)
        const answered = sent.filter((request) => request && t.answer(request)?.type === 'response')
        if (sent.some((request) => request === undefined))
          return inconclusive('not all of them were sent')
        const { request, ack, answers } = callOf(t)
        const [message] = answers
        if (message) {
          const counted = `${answered.length} of ${malformed.length} were answered`
          return pass(`${counted}; then a proper one got its message`, [
            ...cite(...answered),
            ...citeMessages(message),
          ])
        }
        // It was there when they came, and then it was not.
        const arrived = sent.map((request) => request && t.answer(request))
        const absent = ack?.type === 'failure' || t.steps('gone', 'call-1').length > 0
        const gone = absent && arrived.some((answer) => !isRefusal(answer))
        if (!request || (gaveUpAfter(t, 'call-1') === undefined && !gone))
          return inconclusive('no proper invocation followed')
        return violation(
          'after malformed invocations a proper one is no longer answered',
          {
            expected: 'an oauth message',
            actual: ack?.type === 'response' ? 'no message' : (ack?.message ?? 'no answer'),
          },
          cite(...sent, request, ack),
        )
      },
    ),
  ],
})

function isRefusal(answer: Answer): boolean {
  return answer?.type === 'failure' && answer.code === 'ECONNREFUSED'
}

export const badInvocationScenarios = [...refused, survives]
