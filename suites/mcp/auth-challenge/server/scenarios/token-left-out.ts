import { forgetsToken } from '../judges/access.ts'
import { firstSession } from '../../../server/session-of.ts'
import { check, control, scenario } from './define.ts'

/** A session belongs to no token: authorization is part of every request (MCP Authorization, Access Token Usage). */
export const sessionBegunWithToken = scenario({
  id: 'session-begun-with-token',
  title: 'a call without a token, in a session whose handshake had one',
  control,
  needs: {
    what: 'a session',
    seen: (run) => [...run.values()].map(firstSession).find((answer) => answer !== undefined),
  },
  async drive({ call, follow, callSignedIn }) {
    const chain = await follow(await call())
    const begunWith = await callSignedIn(chain)
    await call({ begunWith })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'does not take the handshake of a session for a token',
      forgetsToken('a call without a token, in a session that began with one'),
    ),
  ],
})

/** Nor does the connection. */
const keepAlive = true

export const tokenLeftOut = scenario({
  id: 'token-left-out',
  title: 'calls without a token follow one that was served, on the same connection',
  control,
  async drive({ call, follow, callSignedIn, cookies }) {
    const chain = await follow(await call({ keepAlive }))
    await callSignedIn(chain, { keepAlive })
    await call({ keepAlive })
    // Cookies are no authorization either.
    await call({ keepAlive, headers: cookies() })
    await call({ keepAlive })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'does not take a session, or a connection, for a token',
      forgetsToken('a call without a token'),
    ),
  ],
})
