/** The provider sends an error instead of a code. */

import { answeredCallback } from '../arrival.ts'
import { check, judgesOf } from '../judges.ts'
import type { Handoff } from '../handoff.ts'
import { scenario, type ClientScenario } from './define.ts'

/** RFC 6749 §4.1.2.1, without access_denied, which the user causes; then one that came later (§8.5, OpenID Connect Core §3.1.2.6). */
const errors = [
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'login_required',
] as const

export function authorizationErrorScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, endsOnce } = handoff
  const { reportsFailure } = judgesOf(handoff)
  return errors.map((error) =>
    scenario({
      id: `authorization-error-${error.replaceAll('_', '-')}`,
      title: `the provider answers the authorization request with ${error}`,
      control,
      async drive({ begin, user, observe }) {
        const call = begin(user)
        await user.approve(call, {
          action: 'error',
          error,
          error_description: 'The mock provider was told to',
        })
        await call.ended()
        await observe()
      },
      checks: [
        check(
          'oauth-client/report-authorization-error',
          `reports ${error}`,
          reportsFailure(error, (_, t) => answeredCallback(t, 'call-1', 'error')),
        ),
        ...endsOnce('sends one result'),
      ],
    }),
  )
}
