/** What is asked of an access token that was known before it expired. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type Check,
} from '../../../harness/engine/index.ts'
import { unlessUnreached } from '../../oauth-client/scenarios/index.ts'
import { isRefusal } from './access-tokens.ts'
import { needsAuthorization, needsOpaqueTokens } from './needs-authorization.ts'
import type {
  ConnectedCall,
  Judged,
  TokenDeclared,
  TokenDemand,
  TokenScenario,
} from './token-demand.ts'

/** Seconds that the token lives: long enough to connect and call with it. */
const lifetime = 10
/** Seconds beyond, since expiries are whole ones. */
const beyond = 2

export function expiredAfterUse<C extends ConnectedCall, D extends TokenDeclared>(
  demand: TokenDemand<C, D>,
): TokenScenario<C, D> {
  const { rows, control, awaitAsking, decline } = demand
  return {
    id: 'token-expired-after-use',
    title: 'the access token of a client expires after it has been used',
    control,
    notApplicable: (declared) => needsAuthorization(declared) ?? needsOpaqueTokens(declared),
    async drive({ begin, user, observe, offSlot, timing }) {
      const call = begin(user, { lifetime })
      await awaitAsking(call)
      await decline(call, timing.stepMs)
      await offSlot(user.idle((lifetime + beyond) * 1000))
      await awaitAsking(begin(user, { lifetime })).catch(unlessUnreached)
      await observe()
    },
    checks: [
      {
        requirement: rows.valid,
        title: 'remembers nothing of a token beyond its expiry',
        judge: forgetsExpired(demand),
      },
    ],
  }
}

/** What was found out about a token is worth nothing after its expiry (RFC 7662 §4). */
function forgetsExpired({ callOf }: Judged): Check['judge'] {
  return (t) => {
    const [before, after] = [callOf(t), callOf(t, 'call-2')]
    const known = before.askings[0]?.frame.event ?? before.ended.find(({ error }) => !error)?.event
    const opened = t
      .steps('connect')
      .find(({ detail }) => detail['connection'] === before.connection)
    if (!known || !opened)
      return inconclusive('even before its expiry the user was neither served nor asked')
    const expires = opened.t + Number(opened.detail['lifetime']) * 1000
    const { request } = after
    if (!request || !(request.t > expires) || !(known.t < expires))
      return inconclusive('no call was made after the token had expired')
    const [asked] = after.askings
    const served = after.ended.find(({ error }) => !error)
    if (asked || served) {
      return violation(
        'a token was accepted after its expiry, once it had been used before',
        {
          expected: 'HTTP 401',
          actual: asked ? 'its user is asked, as with a valid token' : show(served?.text),
        },
        cite(known, request, asked ? asked.frame.event : served?.event),
      )
    }
    const answer = after.ack
    if (answer?.type === 'response' && isRefusal(answer))
      return pass(`HTTP ${answer.status}`, cite(known, request, answer))
    const [ended] = after.ended
    return ended && isAfter(ended.event, request)
      ? pass('the call failed', cite(known, request, ended.event))
      : inconclusive('the call with the expired token was not answered', cite(request))
  }
}
