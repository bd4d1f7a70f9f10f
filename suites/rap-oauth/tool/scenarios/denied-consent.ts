import { reportsFailure } from '../handoff.ts'
import { answeredCallback } from '../../../oauth-client/arrival.ts'
import { asksForAuthorization, check, singleResult } from '../checks.ts'
import { scenario } from './define.ts'

const control = 'authorize-and-complete'

/** The user says no. */
export const deniedConsent = scenario({
  id: 'denied-consent',
  title: 'the user denies, and tries again later',
  control,
  async drive({ tool, user, observe }) {
    const call = tool.invoke({ as: user })
    await user.deny(call)
    await call.ended()
    const again = tool.invoke({ as: user })
    await again.answered()
    await observe()
  },
  checks: [
    check(
      'oauth-client/report-denial',
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
