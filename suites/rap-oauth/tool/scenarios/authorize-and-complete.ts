import { cite, inconclusive, pass, violation, show } from '../../../../harness/engine/index.ts'
import {
  asksForAuthorization,
  check,
  echoes,
  echoesCallId,
  postsJson,
  singleResult,
  usesCallbackUrl,
  validMessages,
  type Judge,
} from '../checks.ts'
import { acknowledges } from '../acknowledged.ts'
import { absoluteAuthUrl, httpsAuthUrl } from '../auth-url.ts'
import { callOf } from '../view.ts'
import { undisturbedChecks } from '../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { scenario } from './define.ts'

export const authorizeAndComplete = scenario({
  id: 'authorize-and-complete',
  title: 'the user approves and the call completes',
  async drive({ tool, user, observe }) {
    const call = tool.invoke({ as: user })
    await call.awaitAck()
    await call.asked()
    await user.approve(call)
    await call.ended()
    await observe()
  },
  checks: [
    check('rap-oauth/tool/acknowledge-with-200', 'acknowledges with 200', acknowledges),
    check('rap-oauth/tool/send-oauth-message', 'asks for authorization', asksForAuthorization()),
    check(
      'rap-oauth/tool/oauth-message-valid',
      'sends a valid oauth message',
      validMessages('oauth'),
    ),
    check(
      'rap-oauth/tool/result-message-valid',
      'sends a valid tool_result',
      validMessages('tool_result'),
    ),
    check('rap-oauth/tool/callback-is-json-post', 'posts its messages as JSON', postsJson()),
    check(
      'rap-oauth/tool/callback-url-verbatim',
      'uses the callback URL exactly as given',
      usesCallbackUrl(),
    ),
    check('rap-oauth/tool/echo-group-id', 'echoes group_id', echoes('group_id')),
    check('rap-oauth/tool/echo-id', 'echoes id', echoes('id')),
    check('rap-oauth/tool/echo-call-id', 'echoes a call_id that is a string', echoesCallId()),
    check('rap-oauth/tool/auth-url-complete', 'gives the full authorization URL', leadsToConsent()),
    check('rap-oauth/tool/auth-url-https', 'uses HTTPS', httpsAuthUrl()),
    ...undisturbedChecks(handoff),
    check('rap-oauth/tool/single-result', 'sends one result', singleResult()),
  ],
})

/** The URL is absolute and, when visited, leads to the authorization endpoint, whatever is between. */
function leadsToConsent(): Judge {
  return (t, context) => {
    const shape = absoluteAuthUrl()(t, context)
    if (shape.outcome !== 'pass') return shape
    const call = callOf(t)
    const [request] = call.authorizationRequests
    if (request)
      return pass('it leads to the authorization endpoint', [...shape.evidence, ...cite(request)])
    const visited = t.steps('visited', call.name)[0]
    if (!visited) return inconclusive('the URL was not visited')
    return violation(
      "auth_url does not lead to the provider's authorization endpoint",
      { expected: 'an authorization request at the provider', actual: show(visited.detail) },
      [...shape.evidence, ...cite(visited)],
    )
  }
}
