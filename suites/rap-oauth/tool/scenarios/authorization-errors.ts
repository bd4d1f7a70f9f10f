import {
  answeredCallback,
  asksForAuthorization,
  check,
  reportsFailure,
  singleResult,
} from '../checks.ts'
import { scenario } from './define.ts'

const control = 'authorize-and-complete'

const denied = scenario({
  id: 'denied-consent',
  title: 'the user denies, and tries again later',
  control,
  async drive({ tool, user, observe }) {
    const call = tool.invoke({ as: user })
    await user.deny(call)
    await call.awaitResult()
    const again = tool.invoke({ as: user })
    await again.awaitMessage()
    await observe()
  },
  checks: [
    check(
      'rap-oauth/tool/report-denial',
      'reports the denial',
      reportsFailure('the denial', (_, t) => answeredCallback(t, 'call-1', 'error')),
    ),
    check('rap-oauth/tool/single-result', 'sends one result', singleResult()),
    check(
      'rap-oauth/tool/send-oauth-message',
      'asks again when the user calls again',
      asksForAuthorization('call-2'),
    ),
  ],
})

/** RFC 6749 §4.1.2.1, without access_denied, which the user causes above. */
const otherErrors = [
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
] as const

const others = otherErrors.map((error) =>
  scenario({
    id: `authorization-error-${error.replaceAll('_', '-')}`,
    title: `the provider answers the authorization request with ${error}`,
    control,
    async drive({ tool, user, observe }) {
      const call = tool.invoke({ as: user })
      await user.approve(call, {
        action: 'error',
        error,
        error_description: 'The mock provider was told to',
      })
      await call.awaitResult()
      await observe()
    },
    checks: [
      check(
        'rap-oauth/tool/report-authorization-error',
        `reports ${error}`,
        reportsFailure(error, (_, t) => answeredCallback(t, 'call-1', 'error')),
      ),
      check('rap-oauth/tool/single-result', 'sends one result', singleResult()),
    ],
  }),
)

export const authorizationErrorScenarios = [denied, ...others]
