/** The issuer that an authorization response names, and the one that it should (RFC 9207). */

import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  pathOf,
  type Transcript,
  violation,
  watched,
} from '../../../harness/engine/index.ts'
import { answeredCallback, callbackWith } from '../arrival.ts'
import type { HandedCall, Reached } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import { check, judgesOf, type Judge } from '../judges.ts'
import { citeEvents, mayHaveTimedOut } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { metadata, needsOwnInstance } from './needs.ts'

/** Whoever authorizes may log in by the same provider before: that response is not the disturbed one. */
const namesNobody = (parameters: URLSearchParams): boolean => !parameters.has('iss')
const namesAnother = (parameters: URLSearchParams, t: Transcript): boolean => {
  const issuer = parameters.get('iss') ?? ''
  return !t.requests('provider').some(({ url }) => url.startsWith(`${issuer}/`))
}

/** Reach: the client answered a callback that names another issuer. */
export function wrongIssuerReached(t: Transcript): Reached {
  return answeredCallback(t, 'call-1', 'iss', namesAnother)
}

/** A code that came with another issuer is not redeemed (RFC 9207 §2.4). */
export function sendsNoCodeOfAnother({ callOf }: Handoff, name = 'call-1'): Judge {
  return (t) => {
    const callback = callbackWith(t, name, 'iss', namesAnother)
    const answer = callback && t.answer(callback)
    if (!callback || answer?.type !== 'response')
      return inconclusive('the callback was not answered')
    const [grant] = callOf(t, name).grants
    if (!grant) return pass('no token request followed', cite(callback, answer))
    const difference = {
      expected: 'no token request',
      actual: `a token request, ${String(grant.detail['outcome'])}`,
    }
    return violation(
      'the code of a response with another iss went to the token endpoint: compare iss with the issuer first, as whole texts',
      difference,
      cite(callback, grant),
    )
  }
}

export function issuerScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, callOf } = handoff
  const { endsEventually } = judgesOf(handoff)
  const wrongIssuer = scenario({
    id: 'issuer-wrong',
    title: 'the authorization response names another issuer (mix-up)',
    control,
    async drive({ begin, user, observe }) {
      const call = begin(user)
      await user.approve(call, { faults: ['authorize-iss-wrong'] })
      await observe()
    },
    checks: [
      check(
        'oauth-client/validate-issuer',
        'does not send the code to the token endpoint',
        sendsNoCodeOfAnother(handoff),
      ),
    ],
  })

  const missingIssuer = scenario({
    id: 'issuer-missing',
    title: 'the authorization response names no issuer although the metadata promises it',
    control,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    needs: metadata,
    async drive({ ownInstance, observe }) {
      // On an instance of its own, so that it is recorded whether this tool reads the metadata.
      const { begin, user, hasAsked } = await ownInstance()
      const call = begin(user)
      await user.approve(call, { faults: ['authorize-iss-missing'] })
      await call.ended()
      await observe()
      if (!hasAsked((path) => path.startsWith('/.well-known/')))
        throw new NotOffered('it read no metadata')
    },
    checks: [
      check('oauth-client/validate-issuer', 'rejects it', (t) => {
        const [promise] = t
          .requests('provider')
          .filter(({ url }) => pathOf(url).startsWith('/.well-known/'))
        if (!promise) return inconclusive('this tool does not read what the metadata promises')
        const reached = answeredCallback(t, 'call-1', 'code', namesNobody)
        if (typeof reached === 'string') return inconclusive(reached)
        const [grant] = callOf(t).grants
        if (!grant) return pass('no token request followed', [...cite(promise), ...reached])
        return violation(
          'the client accepted a response without iss although the metadata promises one (RFC 9207 §2.4)',
          {
            expected: 'no token request',
            actual: `a token request, ${String(grant.detail['outcome'])}`,
          },
          [...cite(promise, grant), ...reached],
        )
      }),
      check(
        'oauth-client/never-permanently-pending',
        'ends the call, whether it accepts the response or not',
        endsEventually(
          'call-1',
          (_, t) => answeredCallback(t, 'call-1', 'code', namesNobody),
          'a callback without iss',
        ),
      ),
    ],
  })

  const wrongIssuerInError = scenario({
    id: 'issuer-wrong-in-error',
    title:
      'a denial that names another issuer; also a genuine denial, and a code that names another issuer',
    control,
    async drive({ begin, user, newUser, observeWhilePending, mark }) {
      const genuine = begin(user)
      await user.deny(genuine)
      await genuine.settle()
      const [second, third] = [newUser('second'), newUser('third')]
      const coded = begin(second)
      await second.approve(coded, { faults: ['authorize-iss-wrong'] })
      const denied = begin(third)
      const flow = await third.consent(denied, { action: 'deny' })
      mark('forged')
      await third.follow(flow, third.tampered(flow, { iss: 'https://another-issuer.example' }))
      await observeWhilePending()
    },
    checks: [
      check('oauth-client/validate-issuer', 'does not treat it as a denial', (t, { declared }) => {
        const [genuine, coded, denied] = ['call-1', 'call-2', 'call-3'].map((name) =>
          callOf(t, name),
        )
        const reached = answeredCallback(t, 'call-3', 'error')
        if (!genuine || !coded || !denied || typeof reached === 'string')
          return inconclusive('the forged denial did not reach the tool')
        if (watched(t) === undefined) return inconclusive('the run did not watch what happens next')
        const [result] = denied.ended
        if (!result) return pass('the call stayed pending', reached)
        if (mayHaveTimedOut(denied, result.event, declared.pendingTimeoutMs))
          return inconclusive('the declared pendingTimeout may have ended the call', reached)
        const wordsOf = ({ ended }: HandedCall): string => ended[0]?.text ?? ''
        // A client may end a flow that it cannot trust; then it ends one with a code in the same words.
        if (wordsOf(denied) !== wordsOf(genuine) || wordsOf(denied) === wordsOf(coded))
          return pass('the error is reported, but not as a denial', [
            ...reached,
            ...citeEvents(result),
          ])
        return violation(
          'the client accepted an error although its iss is that of another authorization server',
          { expected: 'a call that stays pending, or another error', actual: wordsOf(denied) },
          [...reached, ...citeEvents(genuine.ended[0], result)],
        )
      }),
    ],
  })

  return [wrongIssuer, wrongIssuerInError, missingIssuer]
}
