/** What is asked of requests within a session that a client has begun with its token. */

import {
  cite,
  inconclusive,
  pass,
  Unreached,
  violation,
  type Check,
} from '../../../harness/engine/index.ts'
import { sentChannel } from '../wire/link.ts'
import { isRefusal, opening, refusesWith401 } from './access-tokens.ts'
import type { ConnectOptions } from './connections.ts'
import { needsAuthorization } from './needs-authorization.ts'
import { refusesToken } from './refused-tokens.ts'
import {
  knownBy,
  type ConnectedCall,
  type Judged,
  type TokenDeclared,
  type TokenDemand,
  type TokenScenario,
} from './token-demand.ts'

type Judge = Check['judge']

export function ownSessionScenarios<C extends ConnectedCall, D extends TokenDeclared>(
  demand: TokenDemand<C, D>,
): readonly TokenScenario<C, D>[] {
  const { rows, control, awaitAsking } = demand
  const shared = {
    control,
    // Where no handshake is, every request is one that begins.
    notApplicable: (declared: D) => needsAuthorization(declared) ?? demand.needsSessions(declared),
  }
  /** A client that its server has let in makes another call, in the same session and with other credentials. */
  const goingOn =
    (credentials: ConnectOptions): TokenScenario<C, D>['drive'] =>
    async ({ begin, user, observe, sessionOf, oauthClient = true }) => {
      const call = begin(user)
      if (oauthClient) {
        await user.approve(call)
        await call.ended()
      } else {
        await awaitAsking(call)
      }
      const session = sessionOf(call.connection)
      if (session === undefined) throw new Unreached(`${call.connection.name} agreed on nothing`)
      await begin(user, { ...credentials, session }).settle()
      await observe()
    }
  return [
    {
      ...shared,
      id: 'session-without-token',
      title: 'a client goes on in its session without an access token',
      drive: goingOn({ anonymous: true }),
      checks: [
        {
          requirement: rows.demanded,
          title: 'demands a token of every request',
          judge: afterRightToken(demand, refusesWith401(demand, 'call-2', noSession)),
        },
      ],
    },
    {
      ...shared,
      id: 'session-stream-without-token',
      title: 'a client asks for the stream of its session without an access token',
      async drive({ begin, connect, user, observe, sessionOf }) {
        const call = begin(user)
        await awaitAsking(call)
        const session = sessionOf(call.connection)
        if (session?.id === undefined) return
        await connect(user, { anonymous: true, session, listens: true })
        await observe()
      },
      checks: [
        {
          requirement: rows.demanded,
          title: 'demands a token of whoever listens',
          judge: streamRefused(demand),
        },
      ],
    },
    {
      ...shared,
      id: 'session-token-altered',
      title: 'a client goes on in its session with an access token that has been altered',
      drive: goingOn({ flaw: 'altered' }),
      checks: [
        {
          requirement: rows.valid,
          title: 'verifies the token of every request',
          judge: afterRightToken(demand, refusesToken(demand, 'has been altered', 'call-1')),
        },
      ],
    },
  ]
}

/** Nothing is told by a refusal where the call with the right token was neither served nor asked. */
function afterRightToken(judged: Judged, judge: Judge): Judge {
  return (t, context) => {
    if (!knownBy(t, judged))
      return inconclusive('even with a valid token the user was neither served nor asked')
    if (judged.callOf(t, 'call-2').request === undefined)
      return inconclusive('the client did not go on')
    return judge(t, context)
  }
}

/** The session may be over by then, or there may be none without a handshake (2025-11-25, Transports, Session Management). */
const noSession = [400, 404]

/** Every request carries a token (MCP Authorization, Token Requirements), that for a stream like any other. */
function streamRefused({ callOf }: Judged): Judge {
  return (t) => {
    const begun = opening(t, callOf(t).connection)
    if (begun && begun.headers['mcp-session-id'] === undefined)
      return pass('there are no sessions', cite(begun))
    const asking = t
      .requests(sentChannel)
      .find(({ method, headers }) => method === 'GET' && headers['authorization'] === undefined)
    const answer = asking && t.answer(asking)
    if (answer?.type !== 'response')
      return inconclusive('no stream of the session was asked for, or that was not answered')
    const { status } = answer
    const evidence = cite(asking, answer)
    if ([401, 405, ...noSession].includes(status)) return pass(`HTTP ${status}`, evidence)
    if (status >= 300 && !isRefusal(answer))
      return inconclusive('the server was in trouble', evidence)
    return violation(
      'a stream of a session was asked for without a token, and not answered with 401',
      { expected: 'HTTP 401', actual: `HTTP ${status}` },
      evidence,
    )
  }
}
