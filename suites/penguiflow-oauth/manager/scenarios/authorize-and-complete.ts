import { cite, inconclusive, pass, show, violation } from '../../../../harness/engine/index.ts'
import { undisturbedChecks } from '../../../oauth-client/scenarios/index.ts'
import { usesIssuedToken } from '../../own-tokens.ts'
import { callOf, listIn } from '../../view.ts'
import { check, type Judge } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { isAsked } from '../requirements/oauth-client.ts'
import { control, scenario } from './define.ts'

export const authorizeAndComplete = scenario({
  id: control,
  title: 'the user is sent away, approves, comes back, and the run goes on',
  async drive({ begin, user }) {
    const call = begin(user)
    await user.approve(call)
    await call.ended()
  },
  checks: [
    check(
      'penguiflow-oauth/manager/payload-matches-url',
      'says what the URL says',
      saysWhatUrlSays(),
    ),
    check(
      'penguiflow-oauth/manager/token-stored',
      'has the token for the run that is resumed',
      usesIssuedToken,
    ),
    ...undisturbedChecks(handoff).filter(({ requirement }) => isAsked(requirement)),
  ],
})

/** What the payload of the first pause of a call says is what the provider was asked for. */
export function saysWhatUrlSays(name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    const [pause] = call.pauses
    const [request] = call.authorizationRequests
    if (!pause || !request) return inconclusive('no authorization request reached the provider')
    const evidence = cite(pause.event, request)
    const { state, scopes } = pause.payload
    const sent = request.detail['state']
    if (state !== undefined && state !== sent) {
      const difference = { expected: show(state), actual: show(sent) }
      return violation('the state of the payload is not that of the URL', difference, evidence)
    }
    const asked = sorted(request.detail['scopes'])
    if (scopes !== undefined && sorted(scopes).join(' ') !== asked.join(' ')) {
      const difference = { expected: show(scopes), actual: asked.join(' ') || 'no scope' }
      return violation('the scopes of the payload are not those of the URL', difference, evidence)
    }
    return pass('state and scopes are the same', evidence)
  }
}

/** Scopes in a list, or in a text that blanks separate (RFC 6749 §3.3). */
function sorted(scopes: unknown): string[] {
  const all = typeof scopes === 'string' ? scopes.split(/[ ,]+/) : listIn(scopes).map(String)
  return all.filter((scope) => scope !== '').sort()
}
