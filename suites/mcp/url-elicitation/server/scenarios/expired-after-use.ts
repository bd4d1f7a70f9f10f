import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type Recorded,
  type StepEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { isUrlMode } from '../../elicitation.ts'
import { check, citeAskings, type Judge } from '../checks.ts'
import { needsAuthorization, needsOpaqueTokens } from '../conditions.ts'
import { callOf } from '../view.ts'
import { isRefusal } from './access-tokens.ts'
import { control, scenario } from './define.ts'

/** Seconds that the token lives: long enough to connect and call with it. */
const lifetime = 10
/** Seconds beyond, since expiries are whole ones. */
const beyond = 2

/** How the connection of the calls was opened, with its token. */
function opened(t: Transcript): Recorded<StepEvent> | undefined {
  const { connection } = callOf(t)
  return t.steps('connect').find(({ detail }) => detail['connection'] === connection)
}

/** What was found out about a token is worth nothing after its expiry (RFC 7662 §4). */
const forgetsExpired: Judge = (t) => {
  const [before, after] = [callOf(t), callOf(t, 'call-2')]
  const known = before.askings[0]?.frame.event ?? before.ended.find(({ error }) => !error)?.event
  const begun = opened(t)
  if (!known || !begun)
    return inconclusive('even before its expiry the user was neither served nor asked')
  const expires = begun.t + Number(begun.detail['lifetime']) * 1000
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
      [...cite(known, request), ...(asked ? citeAskings(asked) : cite(served?.event))],
    )
  }
  const answer = t.answer(request)
  if (answer?.type === 'response' && isRefusal(answer))
    return pass(`HTTP ${answer.status}`, cite(known, request, answer))
  const [ended] = after.ended
  return ended && isAfter(ended.event, request)
    ? pass('the call failed', cite(known, request, ended.event))
    : inconclusive('the call with the expired token was not answered', cite(request))
}

export const expiredAfterUse = scenario({
  id: 'token-expired-after-use',
  title: 'the access token of a client expires after it has been used',
  control,
  notApplicable: (declared) => needsAuthorization(declared) ?? needsOpaqueTokens(declared),
  async drive({ begin, user, observe, offSlot, timing }) {
    const call = begin(user, { lifetime })
    await call.awaitUrl()
    // Nothing that is pending is in the way of the next call.
    if (call.view().askings.find(isUrlMode)?.how !== 'error') {
      await call.answer('decline')
      await call.settle(timing.stepMs)
    }
    await offSlot(user.idle((lifetime + beyond) * 1000))
    await begin(user, { lifetime }).awaitUrl().catch(unlessUnreached)
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/validate-tokens',
      'remembers nothing of a token beyond its expiry',
      forgetsExpired,
    ),
  ],
})
