import { handoff } from '../handoff.ts'
import {
  needsOwnInstance,
  noRefreshTokens,
  storedTokens,
} from '../../../oauth-client/scenarios/needs.ts'
import { expireToken } from '../../../oauth-client/scenarios/drives.ts'
import { apiRequests, isApi, upstreamAt } from '../../../oauth-client/view.ts'
import {
  awaitedLater,
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
  isAfter,
} from '../../../../harness/engine/index.ts'
import { check } from '../checks.ts'
import { callOf, callsOf } from '../view.ts'
import { scenario } from './define.ts'
import { acknowledgedBeforeRelease, acknowledgedIn, heldRequest } from './held-back.ts'
import { needsConnections } from './needs.ts'
import { firstOf } from './replies.ts'

const resourceHeld = scenario({
  id: 'resource-held-back',
  title: "an authorized user's call while the protected API is held back",
  control: 'stored-token',
  needs: storedTokens(handoff),
  async drive({ tool, user }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first)
    await first.ended()
    user.setFaults(flow, ['resource-hang'])
    const second = tool.invoke({ as: user })
    // RAP: acknowledge before any work, so the request may come long after the acknowledgement.
    await Promise.allSettled([
      second.waitUntil('no request to the protected API, and no message', (call, t) => {
        const requests = apiRequests(callOf(t, first.name))
        return call.answers[0] ?? requests.find((each) => isAfter(each, call.request))
      }),
    ])
    await Promise.allSettled([second.awaitAck()])
    user.release(flow)
    const answer = await second.answered()
    if (answer === 'asked') {
      throw new NotOffered('the tool asked its user again, so no request could be held back')
    }
    await second.ended()
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges although the protected API does not answer',
      acknowledgedBeforeRelease('call-2', isApi),
    ),
  ],
})

const refreshHeld = scenario({
  id: 'refresh-held-back',
  title: "a call whose user's expired token is being refreshed, which is held back",
  control: 'stored-token',
  notApplicable: noRefreshTokens,
  needs: storedTokens(handoff),
  async drive(given) {
    const fixtures = await given.movable()
    const { tool, user } = fixtures
    const { first, flow } = await expireToken(fixtures, 'refresh-hang')
    const second = tool.invoke({ as: user })
    await Promise.allSettled([
      second.waitUntil('no request for a refresh, and no message', (call, t) => {
        const requests = upstreamAt(callOf(t, first.name), '/token')
        return call.answers[0] ?? requests.find((each) => isAfter(each, call.request))
      }),
    ])
    await Promise.allSettled([second.awaitAck()])
    user.release(flow)
    const answer = await second.answered()
    if (answer === 'asked')
      throw new NotOffered('it asked its user again, so no refresh could be held back')
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges although the refresh is not answered',
      acknowledgedBeforeRelease('call-2', (path) => path === '/token'),
    ),
  ],
})

/** Who exchanges a code in the one thread that answers invocations keeps all of them waiting. */
const exchangeHeld = scenario({
  id: 'exchange-held-back',
  title: 'a call while the exchange of the code of another user is held back',
  control: 'authorize-and-complete',
  async drive({ tool, user, newUser, offSlot }) {
    const first = tool.invoke({ as: user })
    const flow = await user.consent(first, { faults: ['token-hang'] })
    const page = awaitedLater(user.follow(flow))
    await Promise.allSettled([
      first.waitUntil('no token request', (call) => upstreamAt(call, '/token')[0]),
    ])
    const second = tool.invoke({ as: newUser('other') })
    await Promise.allSettled([second.awaitAck()])
    user.release(flow)
    await offSlot(page)
    await first.settle()
    await second.answered()
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges although an exchange is not answered',
      acknowledgedBeforeRelease('call-2', (path) => path === '/token'),
    ),
  ],
})

/** More than a pool of workers has, and few enough for one machine. */
const many = 24

const manyHeld = scenario({
  id: 'many-calls-while-held-back',
  title: `${many} calls of an authorized user at once while the protected API is held back`,
  control: 'stored-token',
  needs: storedTokens(handoff),
  ownInstance: true,
  notApplicable: needsOwnInstance,
  async drive({ ownInstance }) {
    const { tool, user } = await ownInstance()
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first)
    await first.ended()
    user.setFaults(flow, ['resource-hang'])
    const calls = Array.from({ length: many }, () => tool.invoke({ as: user }))
    await Promise.allSettled([
      ...calls.map((call) => call.awaitAck()),
      first.waitUntil('no request to the protected API, and no message', (call, t) => {
        const { request, answers } = callOf(t, 'call-2')
        return answers[0] ?? apiRequests(call).find((each) => isAfter(each, request))
      }),
    ])
    user.release(flow)
    await Promise.all(calls.map((call) => call.settle()))
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges every call, however many are being worked on',
      (t) => {
        const [release] = t.steps('release')
        const held = heldRequest(t, isApi)
        if (!release || !held) return inconclusive('no request was held back')
        const calls = callsOf(t).slice(1)
        // Any status is an answer: what is too much may be refused.
        const waiting = calls.find(({ ack }) => ack?.type !== 'response' || isAfter(ack, release))
        if (!waiting) return pass(`${calls.length} answers`, cite(held, release))
        const { request, ack } = waiting
        return violation(
          'an acknowledgement waited until others were done: answer first, then queue the work',
          {
            expected: 'an answer at once, whatever else is going on',
            actual: ack?.type === 'response' ? 'an answer only after the release' : 'no answer',
          },
          cite(request, held, release, ack),
        )
      },
    ),
  ],
})

const callbackHeld = scenario({
  id: 'callback-held-back',
  title: 'a call while the callback receiver does not answer the oauth message',
  control: 'authorize-and-complete',
  notApplicable: needsConnections,
  async drive({ tool, user, ownReceiver }) {
    const receiver = await ownReceiver()
    try {
      const call = tool.invoke({
        as: user,
        receiver,
        reply: firstOf('oauth', 'hold'),
      })
      await call.asked()
      await call.awaitAck().catch(() => undefined)
      tool.releaseCallbacks(receiver)
      await call.awaitAck()
    } finally {
      await receiver.close()
    }
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges although nobody answers its message',
      (t, { timing, control }) => {
        const { request, ack, oauth } = callOf(t)
        const [held] = oauth
        const [release] = t.steps('release')
        if (!held || !request) return inconclusive('no oauth message was held back')
        if (!ack && !release) return inconclusive('nothing was released')
        if (ack?.type !== 'response') {
          return violation(
            'the invocation arrived, as its message shows, but was not acknowledged',
            { expected: 'HTTP 200 at once', actual: ack?.message ?? 'no answer' },
            cite(request, held.event, ack),
          )
        }
        const took = Math.round(ack.t - request.t)
        // It came before the message, and other calls are acknowledged in time: the machine was busy.
        const busy = isAfter(held.event, ack) && acknowledgedIn(control, timing.ackMs)
        if (isAfter(ack, release) || (took > timing.ackMs && !busy)) {
          return violation(
            'the acknowledgement waited for the delivery of the oauth message: answer first, then work',
            { expected: 'HTTP 200 at once', actual: `an answer after ${took} ms` },
            cite(request, held.event, release, ack),
          )
        }
        return pass(
          'it did not wait for the delivery of the message',
          cite(request, held.event, ack),
        )
      },
    ),
  ],
})

export const acknowledgementScenarios = [
  resourceHeld,
  refreshHeld,
  exchangeHeld,
  manyHeld,
  callbackHeld,
]
