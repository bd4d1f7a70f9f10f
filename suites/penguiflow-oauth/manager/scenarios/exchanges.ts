/** What a manager makes of answers of the token endpoint. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  violation,
  type Check,
} from '../../../../harness/engine/index.ts'
import { judgesOf } from '../../../oauth-client/judges.ts'
import { approveWith } from '../../../oauth-client/scenarios/drives.ts'
import { issuedGrant, upstreamAt } from '../../../oauth-client/view.ts'
import { callOf } from '../../view.ts'
import { check, storesNothing, type Judge } from '../checks.ts'
import { saysWhatFailed, stumbles } from '../clear-errors.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import { control, scenario } from './define.ts'

const { acceptsTokens } = judgesOf(handoff)

const refuses = (what: string): Check<Declared> =>
  check(
    'penguiflow-oauth/manager/exchange-errors',
    `stores nothing after ${what}`,
    storesNothing('a failed exchange was treated as a success'),
  )

const clear = saysWhatFailed('a failed exchange', (t) => {
  const [asked] = upstreamAt(callOf(t), '/token')
  return asked
    ? cite(asked, t.answer(asked))
    : 'no token request with the code of this flow was made'
})

/** A callback of a flow that is over, after the one that ended it. */
const clearReplay: Judge = (t, context) => {
  const since = mark(t, 'forged')
  const again = t.requests('browser', 'call-1').find((each) => isAfter(each, since))
  const taken = callOf(t).callbacks.filter((each) => isAfter(each, since))
  // It need not be refused: the flow is done already.
  if (again && taken.length > 0 && taken.every(({ detail }) => detail['outcome'] === 'stored'))
    return pass('the callback was taken for the one before', cite(again, ...taken))
  return saysWhatFailed('a callback of a flow that is over', () =>
    again ? cite(again) : 'the callback did not come again',
  )(t, context)
}

const fails = (what: string): readonly Check<Declared>[] => [
  refuses(what),
  check('penguiflow-oauth/manager/clear-errors', `says what failed: ${what}`, clear),
]

/** A token whose lifetime is unusual is used all the same; where it is refused, that says why. */
const used: Judge = (t, context) => {
  const judgement = acceptsTokens()(t, context)
  const [came] = callOf(t).callbacks
  if (judgement.outcome !== 'violation' || came?.detail['outcome'] !== 'refused') return judgement
  const { kind, message } = came.detail
  return {
    ...judgement,
    actual: `${String(kind)}: ${String(message)}`,
    evidence: [...judgement.evidence, ...cite(came)],
  }
}

const survives = (what: string): readonly Check<Declared>[] => [
  check('penguiflow-oauth/manager/expires-in', `takes ${what}`, used),
]

/** What is asked beside in scenarios of every OAuth client. */
export const exchangeChecks: Readonly<Record<string, readonly Check<Declared>[]>> = {
  'expired-code': fails('an expired code'),
  'code-of-another-client': [refuses('a code of another client')],
  'code-of-another-challenge': [refuses('a code of another challenge')],
  'unknown-code': [refuses('an unknown code')],
  'exchange-token-error-invalid-request': fails('invalid_request'),
  'exchange-token-error-invalid-client': fails('invalid_client'),
  'exchange-token-error-invalid-grant': fails('invalid_grant'),
  'exchange-token-error-unauthorized-client': fails('unauthorized_client'),
  'exchange-token-error-unsupported-grant-type': fails('unsupported_grant_type'),
  'exchange-token-error-invalid-scope': fails('invalid_scope'),
  'exchange-token-error-echoes-code': fails('an error text that echoes the code'),
  'exchange-token-error-echoes-client-secret': fails('an error text that echoes the client secret'),
  'exchange-token-error-echoes-code-verifier': fails('an error text that echoes the verifier'),
  'exchange-token-error-500': fails('HTTP 500'),
  'exchange-token-error-503': fails('HTTP 503'),
  'exchange-token-connection-closed': fails('a closed connection'),
  'exchange-token-error-with-200': fails('an error in HTTP 200'),
  'exchange-token-truncated-json': fails('truncated JSON'),
  'exchange-token-html': fails('an HTML page'),
  'exchange-token-empty-body': fails('an empty body'),
  'exchange-token-without-access-token': fails('no access_token'),
  'exchange-token-null-access-token': [refuses('null as access_token')],
  'exchange-token-empty-access-token': [refuses('an empty access_token')],
  'exchange-token-expires-in-string': survives('expires_in as a string'),
  'exchange-token-without-expires-in': survives('no expires_in'),
}

/** What is asked beside where a callback comes to nothing. */
export const replayChecks: Readonly<Record<string, readonly Check<Declared>[]>> = {
  'callback-replayed': [
    check('penguiflow-oauth/manager/clear-errors', 'says why it is refused', clearReplay),
  ],
}

export const noLife = scenario({
  id: 'exchange-token-expires-in-zero',
  title: 'the token endpoint answers with a lifetime of zero',
  control,
  drive: approveWith('token-expires-in-zero'),
  checks: [
    check('penguiflow-oauth/manager/expires-in', 'takes zero for a lifetime', (t) => {
      const call = callOf(t)
      const issued = issuedGrant(call)
      const [came] = call.callbacks
      if (!issued || !came) return inconclusive('the exchange had no effect')
      const evidence = cite(issued, came)
      // Whether such a token is refused, used once or kept for ever, is its own: it has no time left.
      const [kind, message] = [came.detail['kind'], came.detail['message']].map(String)
      if (came.detail['outcome'] === 'stored' || !stumbles.test(kind ?? ''))
        return pass(String(came.detail['outcome']), evidence)
      const difference = { expected: 'a token, or a refusal', actual: `${kind}: ${message}` }
      return violation('a lifetime of zero causes an internal error', difference, evidence)
    }),
  ],
})
