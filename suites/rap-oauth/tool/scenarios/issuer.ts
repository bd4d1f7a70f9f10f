import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import { answeredCallback, callbackWith, check, endsEventually } from '../checks.ts'
import { textOf } from '../../messages.ts'
import { callOf, citeMessages, mayHaveTimedOut, pathOf, watched, type CallView } from '../view.ts'
import { scenario } from './define.ts'
import { metadata, needsOwnInstance, startsAllTheSame } from './needs.ts'

const control = 'authorize-and-complete'

const wrongIssuer = scenario({
  id: 'issuer-wrong',
  title: 'the authorization response names another issuer (mix-up)',
  control,
  async drive({ tool, user, observe }) {
    const call = tool.invoke({ as: user })
    await user.approve(call, { faults: ['authorize-iss-wrong'] })
    await observe()
  },
  checks: [
    check('rap-oauth/tool/validate-issuer', 'does not send the code to the token endpoint', (t) => {
      const callback = callbackWith(t, 'call-1', 'iss')
      const answer = callback && t.answer(callback)
      if (!callback || answer?.type !== 'response')
        return inconclusive('the callback was not answered')
      const [grant] = callOf(t).grants
      if (!grant) return pass('no token request followed', cite(callback, answer))
      const difference = {
        expected: 'no token request',
        actual: `a token request, ${String(grant.detail['outcome'])}`,
      }
      return violation(
        'the iss of the authorization response was not compared',
        difference,
        cite(callback, grant),
      )
    }),
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
    const { tool, user } = await ownInstance()
    const call = tool.invoke({ as: user })
    await user.approve(call, { faults: ['authorize-iss-missing'] })
    await call.awaitResult()
    await observe()
    if (!tool.asked((path) => path.startsWith('/.well-known/')))
      throw new NotOffered('it read no metadata')
  },
  checks: [
    check('rap-oauth/tool/validate-issuer', 'does not believe it', (t) => {
      const [promise] = t
        .requests('provider')
        .filter(({ url }) => pathOf(url).startsWith('/.well-known/'))
      if (!promise) return inconclusive('this tool does not read what the metadata promises')
      const reached = answeredCallback(t, 'call-1', 'code')
      if (typeof reached === 'string') return inconclusive(reached)
      const [grant] = callOf(t).grants
      if (!grant) return pass('no token request followed', [...cite(promise), ...reached])
      return violation(
        'a response without iss was believed although the metadata promises one (RFC 9207 §2.4)',
        {
          expected: 'no token request',
          actual: `a token request, ${String(grant.detail['outcome'])}`,
        },
        [...cite(promise, grant), ...reached],
      )
    }),
    check(
      'rap-oauth/tool/never-permanently-pending',
      'ends the call, whether it accepts the response or not',
      endsEventually(
        'call-1',
        (_, t) => answeredCallback(t, 'call-1', 'code'),
        'a callback without iss',
      ),
    ),
  ],
})

const wrongIssuerInError = scenario({
  id: 'issuer-wrong-in-error',
  title:
    'a denial that names another issuer, beside a genuine one and a code that names another issuer',
  control,
  async drive({ tool, user, newUser, observeWhilePending, mark }) {
    const genuine = tool.invoke({ as: user })
    await user.deny(genuine)
    await genuine.settle()
    const [second, third] = [newUser('second'), newUser('third')]
    const coded = tool.invoke({ as: second })
    await second.approve(coded, { faults: ['authorize-iss-wrong'] })
    const denied = tool.invoke({ as: third })
    const flow = await third.consent(denied, { action: 'deny' })
    mark('forged')
    await third.follow(flow, third.tampered(flow, { iss: 'https://another-issuer.example' }))
    await observeWhilePending()
  },
  checks: [
    check('rap-oauth/tool/validate-issuer', 'is not taken for a denial', (t, { declared }) => {
      const [genuine, coded, denied] = ['call-1', 'call-2', 'call-3'].map((name) => callOf(t, name))
      const reached = answeredCallback(t, 'call-3', 'error')
      if (!genuine || !coded || !denied || typeof reached === 'string')
        return inconclusive('the forged denial did not reach the tool')
      if (watched(t) === undefined) return inconclusive('nobody watched what comes of it')
      const [result] = denied.results
      if (!result) return pass('the call stayed pending', reached)
      if (mayHaveTimedOut(denied, result.event, declared.pendingTimeoutMs))
        return inconclusive('the declared pendingTimeout may have ended the call', reached)
      const words = ({ results }: CallView): string => textOf(results[0]?.value ?? {})
      // A tool may end a flow that it cannot trust; then it ends one with a code in the same words.
      if (words(denied) !== words(genuine) || words(denied) === words(coded))
        return pass('it is reported, and not as a denial', [...reached, ...citeMessages(result)])
      return violation(
        'an error was believed although its iss is that of another authorization server',
        { expected: 'a call that stays pending, or another error', actual: words(denied) },
        [...reached, ...citeMessages(genuine.results[0], result)],
      )
    }),
  ],
})

const insecureEndpoint = scenario({
  id: 'insecure-authorization-endpoint',
  title: 'the provider advertises an http authorization endpoint',
  control,
  ownInstance: true,
  notApplicable: needsOwnInstance,
  needs: startsAllTheSame('insecure-authorization-endpoint'),
  async drive({ ownInstance }) {
    const { tool, user } = await ownInstance(['discovery-http-authorization-endpoint'])
    const call = tool.invoke({ as: user })
    await call.awaitMessage()
  },
  checks: [
    check('rap-oauth/tool/auth-url-https', 'does not hand it to the user', (t) => {
      const call = callOf(t)
      const [message] = call.answers
      if (!message) return inconclusive('no message arrived')
      const insecure = call.oauth.find(({ value }) => !/^https:/i.test(String(value['auth_url'])))
      if (!insecure) return pass(`a ${String(message.type)} instead`, citeMessages(message))
      return violation(
        'an authorization URL without TLS was handed to the user',
        { expected: 'https, or an error tool_result', actual: String(insecure.value['auth_url']) },
        citeMessages(insecure),
      )
    }),
  ],
})

export const issuerScenarios = [insecureEndpoint, wrongIssuer, wrongIssuerInError, missingIssuer]
