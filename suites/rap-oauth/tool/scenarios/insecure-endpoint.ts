import { needsOwnInstance } from '../../../oauth-client/scenarios/needs.ts'
import { inconclusive, pass, violation } from '../../../../harness/engine/index.ts'
import { check } from '../checks.ts'
import { callOf, citeMessages } from '../view.ts'
import { scenario } from './define.ts'
import { startsAllTheSame } from './needs.ts'

const control = 'authorize-and-complete'

export const insecureEndpoint = scenario({
  id: 'insecure-authorization-endpoint',
  title: 'the provider advertises an http authorization endpoint',
  control,
  ownInstance: true,
  notApplicable: needsOwnInstance,
  needs: startsAllTheSame('insecure-authorization-endpoint'),
  async drive({ ownInstance }) {
    const { tool, user } = await ownInstance(['discovery-http-authorization-endpoint'])
    const call = tool.invoke({ as: user })
    await call.answered()
  },
  checks: [
    check('rap-oauth/tool/auth-url-https', 'does not give it to the user', (t) => {
      const call = callOf(t)
      const [message] = call.answers
      if (!message) return inconclusive('no message arrived')
      const insecure = call.oauth.find(({ value }) => !/^https:/i.test(String(value['auth_url'])))
      if (!insecure) return pass(`a ${String(message.type)} instead`, citeMessages(message))
      return violation(
        'the user was given an authorization URL without TLS',
        { expected: 'https, or an error tool_result', actual: String(insecure.value['auth_url']) },
        citeMessages(insecure),
      )
    }),
  ],
})
