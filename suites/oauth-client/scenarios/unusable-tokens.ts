/** The token endpoint gives what is no token response, or a token that the client cannot know how to use. */

import { randomInt } from 'node:crypto'
import {
  cite,
  inconclusive,
  pass,
  violation,
  watched,
  type Recorded,
  type RecordedEvent,
} from '../../../harness/engine/index.ts'
import type { FaultId, FaultSpec } from '../../../harness/parties/user/user-agent.ts'
import type { HandedCall } from '../handed-call.ts'
import type { ClientFixtures, Handoff } from '../handoff.ts'
import { waitedFor } from '../endings.ts'
import { afterTokenRequest, check, judgesOf, type Judge } from '../judges.ts'
import { apiRequests, citeEvents, tokenAccesses } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'

/** An answer of the token endpoint, and how programs write the token that is none into a header. */
interface Given {
  readonly fault: FaultSpec
  readonly spellings?: readonly string[]
}

/** What stands in the place of a token. */
const noTexts: readonly (readonly [fault: FaultId, what: string, () => Given])[] = [
  [
    'token-null-access-token',
    'null as access_token',
    () => ({ fault: 'token-null-access-token', spellings: ['null', 'None', 'nil', '<nil>'] }),
  ],
  [
    'token-empty-access-token',
    'an empty access_token',
    () => ({ fault: 'token-empty-access-token', spellings: [''] }),
  ],
  [
    'token-numeric-access-token',
    'a number as access_token',
    () => {
      // One that stands in no other scenario.
      const value = String(randomInt(10 ** 11, 10 ** 12))
      return { fault: { fault: 'token-numeric-access-token', value }, spellings: [value] }
    },
  ],
]

/** The user approves, is given nothing by which a token could be used, and comes again. */
const approveAndReturn =
  (given: () => Given) =>
  async ({ begin, user, observe, baitToken }: ClientFixtures): Promise<void> => {
    const call = begin(user)
    const { fault, spellings = [] } = given()
    for (const spelling of spellings) baitToken(call, spelling)
    await user.approve(call, { faults: [fault] })
    // Whether the call ends, or asks once more, is for others to judge.
    await call.settle()
    await observe()
    await begin(user).answered()
  }

type Uses = (call: HandedCall) => readonly Recorded<RecordedEvent>[]

/** No provider issued what these requests carry as a token. */
const othersUsed: Uses = (call) => {
  const issued = tokenAccesses(call).map(({ exchange }) => exchange)
  return apiRequests(call).filter(
    ({ headers, exchange }) => 'authorization' in headers && !issued.includes(exchange),
  )
}

export function unusableTokenScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, callOf, endsOnce, asksUser, mayAskAnew } = handoff
  const { endsByItself, reportsFailure } = judgesOf(handoff)

  /** What the answer holds is not used at the API, neither now nor when the user comes again, who is asked anew. */
  const leaves =
    (what: string, uses: Uses): Judge =>
    (t, context) => {
      const call = callOf(t)
      const reached = afterTokenRequest(call)
      if (typeof reached === 'string') return inconclusive(reached)
      const used = uses(call).find(({ seq }) => reached.some((each) => each.seq < seq))
      if (used) {
        const difference = { expected: 'a failed exchange', actual: 'a request to the API with it' }
        return violation(`${what} was used as a token`, difference, [...reached, ...cite(used)])
      }
      if (context.control && tokenAccesses(callOf(context.control)).length === 0)
        return inconclusive('the token of an ordinary response is not used either', reached)
      if (!waitedFor(call, t) && watched(t) === undefined)
        return inconclusive('the run did not watch what happens with it', reached)
      const again = callOf(t, 'call-2')
      if (!again.request) return inconclusive('the user did not come again', reached)
      const judgement = asksUser(again.name)(t, context)
      // Whoever was asked anew in the first call, and has not come back, need not be sent away a second time.
      const anew =
        mayAskAnew && call.asked.find(({ event }) => reached.some(({ seq }) => seq < event.seq))
      if (anew && judgement.outcome === 'violation')
        return pass('the user was asked again in the same call', [...reached, ...citeEvents(anew)])
      if (judgement.outcome === 'pass')
        return pass('the token was not used, and the user was asked again', [
          ...reached,
          ...judgement.evidence,
        ])
      return judgement
    }

  const once = endsOnce('sends one result')
  const endsAllTheSame = (what: string) =>
    check(
      'oauth-client/never-permanently-pending',
      'still ends the call',
      endsByItself(what, afterTokenRequest),
    )

  const forbidden = scenario({
    id: 'exchange-token-forbidden',
    title: 'the token endpoint answers with a token inside a 403',
    control,
    drive: approveAndReturn(() => ({ fault: 'token-forbidden' })),
    checks: [
      check(
        'oauth-client/report-exchange-error',
        'reports HTTP 403',
        reportsFailure('the failed exchange', afterTokenRequest),
      ),
      check(
        'oauth-client/no-token-of-error',
        'does not use the token inside',
        leaves('what an error response holds', tokenAccesses),
      ),
      ...once,
    ],
  })

  const noText = noTexts.map(([fault, what, given]) =>
    scenario({
      id: `exchange-${fault}`,
      title: `the token endpoint answers with ${what}`,
      control,
      drive: approveAndReturn(given),
      checks: [
        // Who reads a number as its text may present it: in many languages there is no difference.
        ...(fault === 'token-numeric-access-token' && !handoff.numbersAreNoTokens
          ? [endsAllTheSame(what)]
          : [
              check(
                'oauth-client/report-exchange-error',
                `reports ${what}`,
                reportsFailure('the failed exchange', afterTokenRequest),
              ),
              check('oauth-client/token-is-text', `does not use ${what}`, leaves(what, othersUsed)),
            ]),
        ...once,
      ],
    }),
  )

  const unknownType = scenario({
    id: 'exchange-token-unknown-token-type',
    title: 'the token endpoint answers with an unknown token type',
    control,
    drive: approveAndReturn(() => ({ fault: 'token-unknown-token-type' })),
    checks: [
      endsAllTheSame('a token of an unknown type'),
      check(
        'oauth-client/token-type-known',
        'does not use the token',
        leaves('a token of an unknown type', tokenAccesses),
      ),
      ...once,
    ],
  })

  return [forbidden, ...noText, unknownType]
}
