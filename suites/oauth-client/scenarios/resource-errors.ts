/** The protected API fails, or sends its request elsewhere, after a successful exchange. */

import { cite } from '../../../harness/engine/index.ts'
import type { HandedCall } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import { check, judgesOf } from '../judges.ts'
import { apiRequests, tokenAccesses } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { approveWith, approveWithHeld } from './drives.ts'
import { redirected } from './redirects.ts'

const notRetried = 'the operation was not retried with the new token'

/** Proof that the operation was retried with a token, and disturbed. */
function afterRetry(call: HandedCall) {
  const accesses = tokenAccesses(call)
  return accesses.length > 0 ? cite(accesses[0]) : notRetried
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

/** The held request is logged on arrival; what came of it is logged only after the release. */
function afterHeldRetry(call: HandedCall) {
  const [request] = apiRequests(call)
  return request ? cite(request) : notRetried
}

const apiRequest = {
  id: 'api-redirected-elsewhere',
  fault: 'resource-redirect',
  requirement: 'oauth-client/no-token-elsewhere',
  what: 'request',
  by: 'the protected API',
  of: (call: HandedCall) => tokenAccesses(call)[0] ?? notRetried,
} as const

export function resourceErrorScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, endsOnce } = handoff
  const { endsEventually } = judgesOf(handoff)
  const failing = failures.map(([fault, what]) =>
    scenario({
      id: `retry-${fault.replaceAll('_', '-')}`,
      title: `the protected API ${what}`,
      control,
      drive: approveWith(fault),
      checks: [
        check(
          'oauth-client/end-when-retry-fails',
          `sends a result although the API ${what}`,
          endsEventually('call-1', afterRetry, 'the retry'),
        ),
        ...endsOnce('sends one result'),
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
        'oauth-client/never-permanently-pending',
        'still ends the call',
        endsEventually('call-1', afterHeldRetry, 'a retry that was never answered'),
      ),
      ...endsOnce('sends nothing more when the answer comes late'),
    ],
  })

  return [hanging, redirected(handoff, apiRequest), ...failing]
}
