import {
  cite,
  inconclusive,
  NotApplicable,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/index.ts'
import { check, endsEventually, type Judge } from '../checks.ts'
import { callOf, pathOf, upstreamAt } from '../view.ts'
import { scenario } from './define.ts'

const resourceHeld = scenario({
  id: 'resource-held-back',
  title: "an authorized user's call while the protected API is held back",
  control: 'stored-token',
  async drive({ tool, user }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first)
    await first.awaitResult()
    user.setFaults(flow, ['resource-hang'])
    const second = tool.invoke({ as: user })
    await Promise.allSettled([
      second.awaitAck(),
      first.waitUntil(
        'no second request to the protected API',
        (call) => upstreamAt(call, '/resource').length > 1,
      ),
    ])
    user.release(flow)
    const message = await second.awaitMessage()
    if (message.type === 'oauth') {
      throw new NotApplicable(
        'this tool asks its user again, so nothing can be held back (see reuse-stored-token)',
      )
    }
    await second.awaitResult()
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges although the protected API does not answer',
      acknowledgedBeforeRelease('call-2', '/resource'),
    ),
  ],
})

const discoveryHeld = scenario({
  id: 'discovery-held-back',
  title: "a call while the provider's metadata is held back",
  control: 'authorize-and-complete',
  ownInstance: true,
  async drive({ ownInstance }) {
    const { tool, user, timing } = await ownInstance(['discovery-hang'])
    const call = tool.invoke({ as: user })
    await Promise.allSettled([call.awaitAck(), tool.awaitDiscovery(timing.ackMs)])
    if (!tool.discoveryRequested()) {
      tool.release()
      throw new NotApplicable("this tool does not read the provider's metadata when it is invoked")
    }
    await call.awaitResult().finally(() => tool.release())
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges although the metadata does not come',
      acknowledgedBeforeRelease('call-1', '/.well-known/'),
    ),
    check(
      'rap-oauth/tool/never-permanently-pending',
      'ends a call whose provider never answers',
      endsEventually(
        'call-1',
        (_, t) =>
          heldRequest(t, '/.well-known/')
            ? cite(heldRequest(t, '/.well-known/'))
            : 'nothing was held back',
        'the metadata was held back',
      ),
    ),
  ],
})

const callbackHeld = scenario({
  id: 'callback-held-back',
  title: 'a call while the callback receiver does not answer the oauth message',
  control: 'authorize-and-complete',
  async drive({ tool, user, ownReceiver }) {
    const receiver = await ownReceiver()
    try {
      const call = tool.invoke({
        as: user,
        receiver,
        reply: (_, nth) => (nth === 0 ? 'hold' : 200),
      })
      await call.awaitOAuth()
      await call.awaitAck().catch(() => undefined)
      user.releaseCallbacks(receiver)
      await call.awaitAck()
    } finally {
      await receiver.close()
    }
  },
  checks: [
    check(
      'rap-oauth/tool/acknowledge-immediately',
      'acknowledges although its message is not taken',
      (t, { timing }) => {
        const { request, ack, oauth } = callOf(t)
        const [held] = oauth
        const [release] = t.steps('release')
        if (!held || !request) return inconclusive('no oauth message was held back')
        if (ack?.type !== 'response') return inconclusive('the invocation was not answered')
        const took = Math.round(ack.t - request.t)
        if ((release && ack.t > release.t) || took > timing.ackMs) {
          return violation(
            'the acknowledgement waited for the delivery of the oauth message: answer first, then work',
            { expected: 'HTTP 200 at once', actual: `an answer after ${took} ms` },
            cite(request, held.event, release, ack),
          )
        }
        return pass('it came while the message was held back', cite(request, held.event, ack))
      },
    ),
  ],
})

/** The last request to the provider that was held back: no answer came before the release, unless the tool gave up. */
function heldRequest(t: Transcript, path: string) {
  const [release] = t.steps('release')
  return t.requests('provider').findLast((request) => {
    const answer = t.answer(request)
    const open = answer?.type !== 'response' || (release !== undefined && answer.t >= release.t)
    return pathOf(request.url).startsWith(path) && open && (!release || request.t <= release.t)
  })
}

/** Causality first: the acknowledgement arrived while the upstream was still held back. */
function acknowledgedBeforeRelease(name: string, path: string): Judge {
  return (t, { timing }) => {
    const { request, ack } = callOf(t, name)
    const held = heldRequest(t, path)
    const [release] = t.steps('release')
    if (!request) return inconclusive('the call was not made')
    if (!held) return inconclusive('no request was held back')
    if (ack?.type !== 'response') {
      const actual = ack?.message ?? 'no answer'
      return violation(
        'the invocation was not acknowledged',
        { expected: 'HTTP 200', actual },
        cite(request, held, ack),
      )
    }
    const took = Math.round(ack.t - request.t)
    const given = t.answer(held)
    if (given && given.t < ack.t && (!release || given.t < release.t)) {
      return violation(
        'the acknowledgement came only when the tool had given up waiting for an upstream',
        { expected: 'HTTP 200 at once', actual: `an answer after ${took} ms` },
        cite(request, held, given, ack),
      )
    }
    if (release && ack.t > release.t) {
      return violation(
        'the acknowledgement waited for an upstream: answer first, then work',
        {
          expected: 'HTTP 200 while the upstream is held back',
          actual: `an answer only after the release, after ${took} ms`,
        },
        cite(request, held, release, ack),
      )
    }
    if (took > timing.ackMs) {
      const difference = { expected: `within ${timing.ackMs} ms`, actual: `${took} ms` }
      return violation('the acknowledgement came late', difference, cite(request, ack))
    }
    return pass('it came while the upstream was held back', cite(request, held, ack, release))
  }
}

export const acknowledgementScenarios = [discoveryHeld, resourceHeld, callbackHeld]
