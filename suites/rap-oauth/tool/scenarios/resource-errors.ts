import { cite } from '../../../../harness/engine/index.ts'
import { check, endsEventually, singleResult } from '../checks.ts'
import { apiRequests, tokenAccesses, type CallView } from '../view.ts'
import { scenario } from './define.ts'
import { approveWith, approveWithHeld } from './drives.ts'

const control = 'authorize-and-complete'

/** Proof that the operation was retried with a token, and disturbed. */
function afterRetry(call: CallView) {
  const accesses = tokenAccesses(call)
  return accesses.length > 0
    ? cite(accesses[0])
    : 'the operation was not retried with the new token'
}

const failures = [
  ['resource-error-invalid_token', 'refuses the token that was just issued'],
  ['resource-error-insufficient_scope', 'finds the scope insufficient'],
  ['resource-error-500', 'answers 500'],
  ['resource-connection-closed', 'closes the connection'],
  ['resource-error-echoes-authorization', 'fails with a text that echoes the Authorization header'],
  [
    'resource-success-echoes-authorization',
    'answers with a body that echoes the Authorization header',
  ],
] as const

const failing = failures.map(([fault, what]) =>
  scenario({
    id: `retry-${fault.replaceAll('_', '-')}`,
    title: `the protected API ${what}`,
    control,
    drive: approveWith(fault),
    checks: [
      check(
        'rap-oauth/tool/send-result-when-retry-fails',
        `sends a result although the API ${what}`,
        endsEventually('call-1', afterRetry, 'the retry'),
      ),
      check('rap-oauth/tool/single-result', 'sends one result', singleResult()),
    ],
  }),
)

const hanging = scenario({
  id: 'retry-never-answered',
  title: 'the protected API never answers',
  control,
  drive: approveWithHeld('resource-hang'),
  checks: [
    check(
      'rap-oauth/tool/never-permanently-pending',
      'ends the call all the same',
      endsEventually('call-1', afterHeldRetry, 'a retry that was never answered'),
    ),
    check(
      'rap-oauth/tool/single-result',
      'sends nothing more when the answer comes late',
      singleResult(),
    ),
  ],
})

/** The held request is logged on arrival; what came of it is logged only after the release. */
function afterHeldRetry(call: CallView) {
  const [request] = apiRequests(call)
  return request ? cite(request) : 'the operation was not retried with the new token'
}

export const resourceErrorScenarios = [hanging, ...failing]
