import { needsTwoServers } from '../conditions.ts'
import { check } from '../judges/judge.ts'
import { byName, keepsTokensApart, leavesTokenBehind, redirectedRequest } from '../judges/tokens.ts'
import { control, scenario } from './define.ts'

/**
 * Whoever follows it leaves the token behind, as the origin is another (RFC 9110 §15.4). So is the host: some HTTP
 * clients take headers along to another port.
 */
export const movedServer = scenario({
  id: 'endpoint-redirects',
  title: 'a call was served with a token, and the endpoint then redirects to the other server',
  control,
  async drive({ open, user, mark, observe }) {
    const client = open(user)
    const call = client.begin()
    await user.approve(call)
    await call.served()
    mark('other-server')
    const [first] = await client.servers()
    // Beside the endpoint of the other one, where requests of no session are recorded as well.
    first?.follow({ movedTo: ({ other }) => new URL('/moved', byName(other)).href })
    const next = client.begin()
    await next.waitUntil('no request was redirected', (_, t) => redirectedRequest(t))
    await observe()
  },
  checks: [
    check(
      'mcp-auth-challenge/client/token-to-own-origin',
      'takes no token along to where the server redirects',
      leavesTokenBehind,
    ),
  ],
})

/** The host is no server: each path has an audience of its own (RFC 8707 §2; MCP Authorization, Canonical Server URI). */
export const oneHost = scenario({
  id: 'two-servers-one-host',
  title: 'a token for one server, and a call of another one at the same host, at another path',
  control,
  notApplicable: needsTwoServers,
  async drive({ open, user, mark }) {
    const client = open(user, { oneHost: true })
    const call = client.begin()
    await user.approve(call)
    await call.served()
    mark('other-server')
    const other = client.begin(1)
    await other.waitUntil('neither a page nor a result came', ({ opened, served }) => {
      return opened[0] ?? served[0]
    })
    // Who has a token for the whole host need not ask.
    if (other.view().served.length === 0) await user.approve(other)
    await other.served()
  },
  checks: [
    check(
      'mcp-auth-challenge/client/token-to-own-origin',
      'keeps the token of one server from the other at its host',
      keepsTokensApart,
    ),
  ],
})

export const twoServers = scenario({
  id: 'two-servers',
  title:
    'a token for one server, and a call of another one, which wants its own of the same issuer',
  control,
  notApplicable: needsTwoServers,
  async drive({ open, user, mark }) {
    const client = open(user)
    const call = client.begin()
    await user.approve(call)
    await call.served()
    mark('other-server')
    const other = client.begin(1)
    await user.approve(other)
    await other.served()
  },
  checks: [
    check(
      'mcp-auth-challenge/client/token-to-own-origin',
      'keeps the token of one server from the other',
      keepsTokensApart,
    ),
  ],
})
