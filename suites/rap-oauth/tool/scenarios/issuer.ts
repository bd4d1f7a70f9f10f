import { cite, inconclusive, pass, violation } from '../../../../harness/index.ts'
import { answeredCallback, callbackWith, check, endsEventually } from '../checks.ts'
import { callOf, citeMessages } from '../view.ts'
import { scenario } from './define.ts'

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
  async drive({ tool, user }) {
    const call = tool.invoke({ as: user })
    await user.approve(call, { faults: ['authorize-iss-missing'] })
    await call.awaitResult()
  },
  checks: [
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

const insecureEndpoint = scenario({
  id: 'insecure-authorization-endpoint',
  title: 'the provider advertises an http authorization endpoint',
  control,
  ownInstance: true,
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

export const issuerScenarios = [insecureEndpoint, wrongIssuer, missingIssuer]
