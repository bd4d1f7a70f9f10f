/** What is asked of requests within a session that a client has begun with its token. */

import { inconclusive, Unreached } from '../../../../../harness/engine/index.ts'
import type { ConnectOptions } from '../../../server/connections.ts'
import { check, servedEnd, type Judge } from '../checks.ts'
import { needsAuthorization, needsHandshake } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { callOf } from '../view.ts'
import { refusesWith401 } from './access-tokens.ts'
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
