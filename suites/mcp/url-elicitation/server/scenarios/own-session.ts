/** What is asked of requests within a session that a client has begun with its token. */

import {
  cite,
  inconclusive,
  pass,
  Unreached,
  violation,
} from '../../../../../harness/engine/index.ts'
import type { ConnectOptions } from '../../../server/connections.ts'
import { sentChannel } from '../../../wire/link.ts'
import { check, servedEnd, type Judge } from '../checks.ts'
import { needsAuthorization, needsHandshake } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { callOf } from '../view.ts'
import { isRefusal, opening, refusesWith401 } from './access-tokens.ts'
import { control, scenario, type ServerScenario } from './define.ts'
import { refusesToken } from './flawed-tokens.ts'

/** Where no handshake is, every request is one that begins. */
function needsSessions(declared: Declared): string | undefined {
  return needsAuthorization(declared) ?? needsHandshake(declared)
}

/** A client that its server has let in makes another call, in the same session and with other credentials. */
function goingOn(credentials: ConnectOptions): ServerScenario['drive'] {
  return async ({ begin, user, observe, sessionOf, oauthClient }) => {
    const call = begin(user)
    if (oauthClient) {
      await user.approve(call)
      await call.ended()
    } else {
      await call.awaitUrl()
    }
    const session = sessionOf(call.connection)
    if (session === undefined) throw new Unreached(`${call.connection.name} agreed on nothing`)
    await begin(user, { ...credentials, session }).settle()
    await observe()
  }
}

/** Nothing is told by a refusal where the call with the right token was neither served nor asked. */
function afterRightToken(judge: Judge): Judge {
  return (t, context) => {
    const known = servedEnd(t) ?? callOf(t).askings[0]
    if (!known) return inconclusive('even with a valid token the user was neither served nor asked')
    if (callOf(t, 'call-2').attempts.length === 0) return inconclusive('the client did not go on')
    return judge(t, context)
  }
}

/** The session may be over by then, or there may be none without a handshake (2025-11-25, Transports, Session Management). */
const noSession = [400, 404]

/** Every request carries a token (MCP Authorization, Token Requirements), that for a stream like any other. */
const streamRefused: Judge = (t) => {
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

export const ownSessionScenarios: readonly ServerScenario[] = [
  scenario({
    id: 'session-without-token',
    title: 'a client goes on in its session without an access token',
    control,
    notApplicable: needsSessions,
    drive: goingOn({ anonymous: true }),
    checks: [
      check(
        'mcp-url-elicitation/server/not-for-itself',
        'demands a token of every request',
        afterRightToken(refusesWith401('call-2', noSession)),
      ),
    ],
  }),
  scenario({
    id: 'session-stream-without-token',
    title: 'a client asks for the stream of its session without an access token',
    control,
    notApplicable: needsSessions,
    async drive({ begin, connect, user, observe, sessionOf }) {
      const call = begin(user)
      await call.awaitUrl()
      const session = sessionOf(call.connection)
      if (session?.id === undefined) return
      await connect(user, { anonymous: true, session, listens: true })
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/server/not-for-itself',
        'demands a token of whoever listens',
        streamRefused,
      ),
    ],
  }),
  scenario({
    id: 'session-token-altered',
    title: 'a client goes on in its session with an access token that has been altered',
    control,
    notApplicable: needsSessions,
    drive: goingOn({ flaw: 'altered' }),
    checks: [
      check(
        'mcp-url-elicitation/server/validate-tokens',
        'verifies the token of every request',
        afterRightToken(refusesToken('has been altered', 'call-1')),
      ),
    ],
  }),
]
