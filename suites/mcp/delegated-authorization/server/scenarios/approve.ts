import { cite, inconclusive, pass, show, violation } from '../../../../../harness/engine/index.ts'
import { undisturbedChecks } from '../../../../oauth-client/scenarios/index.ts'
import { citeEvents } from '../../../../oauth-client/view.ts'
import { handoff } from '../handoff.ts'
import { callOf } from '../view.ts'
import { check, scenario, type Judge } from './define.ts'
import { ofServers } from './oauth-client.ts'

/** Nothing but the user is missing: not even a page of the server's own lies between. */
const complete: Judge = (t) => {
  const { asked, authorizationRequests } = callOf(t)
  const [first] = asked
  if (!first) return inconclusive('nothing was asked')
  const { url } = first
  if (typeof url !== 'string' || !URL.canParse(url))
    return inconclusive('the url is not a URL', citeEvents(first))
  const { searchParams: query } = new URL(url)
  const refers = query.has('request_uri') || query.has('request')
  const needed = refers
    ? ['client_id']
    : ['client_id', 'response_type', 'redirect_uri', 'state', 'code_challenge']
  const visit = t.steps('visited', 'call-1')[0]
  const [request] = authorizationRequests
  // What state and challenge lack, rows of their own say.
  const missing = needed.slice(0, 2).filter((name) => !query.has(name))
  if (missing.length > 0) {
    return violation(
      'the url is not a complete OAuth authorization URL',
      { expected: needed.join(', '), actual: `without ${missing.join(', ')}` },
      [...citeEvents(first), ...cite(request)],
    )
  }
  if (!visit) return inconclusive('nobody visited the url', citeEvents(first))
  if (request) return pass('it leads to the provider', [...citeEvents(first), ...cite(request)])
  return violation(
    'the url does not lead to the authorization endpoint',
    { expected: 'an authorization request', actual: show(new URL(url).origin) },
    [...citeEvents(first), ...cite(visit)],
  )
}

export const approve = scenario({
  id: 'approve',
  title: 'the user approves, the client returns the callback URL, and the call completes',
  async drive({ begin, user, observe }) {
    const call = begin(user)
    await user.approve(call)
    await call.ended()
    await observe()
  },
  checks: [
    ...ofServers(undisturbedChecks(handoff)),
    check(
      'mcp-delegated-authorization/server/url-complete',
      'sends a complete authorization URL',
      complete,
    ),
  ],
})
