import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
} from '../../../../harness/engine/index.ts'
import { undisturbedChecks } from '../../../oauth-client/scenarios/index.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { asksBeforeResult, check } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { requestChecks } from './request-checks.ts'
import { saysAll, toldIn } from '../told-to-model.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

/** The redirect lands at the client application. */
const notOfAgents = ['oauth-client/handle-callback', 'oauth-client/redirect-to-own-endpoint']

export const consentAndComplete = scenario({
  id: control,
  title: 'the agent asks, the user approves, the paused call completes; another session follows',
  async drive({ begin, user, readSession, observe }) {
    const call = begin(user)
    await user.approve(call)
    await call.ended()
    await readSession(call)
    const again = begin(user)
    await again.answered()
    await observe()
  },
  checks: [
    ...undisturbedChecks(handoff).filter(({ requirement }) => !notOfAgents.includes(requirement)),
    check(
      'adk-credential/agent/request-before-result',
      'asks for a credential before the tool gives a result',
      asksBeforeResult(),
    ),
    ...requestChecks((t) => [callOf(t)]),
    check(
      'adk-credential/agent/call-replayed',
      'gives the result under the id of the call',
      (t) => {
        const call = callOf(t)
        const issued = issuedGrant(call)
        const [request] = call.requests
        if (!issued || !request) return inconclusive('no credential was obtained')
        // That a request names no call of the tool is for request-names-paused-call to judge.
        const named = call.calls.find(({ id }) => id === request.paused) ?? call.calls[0]
        const paused = named?.id ?? request.paused
        const real = call.results.filter((each) => !each.placeholder && isAfter(each.event, issued))
        const replayed = real.find(({ id }) => id === paused)
        if (replayed) return pass('the paused call has its result', cite(issued, replayed.event))
        const answer = call.messages[1] && t.answer(call.messages[1])
        if (answer?.type !== 'response') return inconclusive('the answer was not answered')
        const actual = real.length > 0 ? `a result for ${show(real[0]?.id)}` : 'no result'
        return violation(
          'the paused call was not replayed',
          { expected: `a functionResponse with the id ${show(paused)}`, actual },
          cite(request.event, issued, answer),
        )
      },
    ),
    check('adk-credential/agent/model-gets-result', 'gives the model the real result', (t) => {
      const call = callOf(t)
      const issued = issuedGrant(call)
      const end = call.ended.find(({ event }) => issued && isAfter(event, issued))
      if (!issued || !end) return inconclusive('the paused call has no result')
      const asked = call.modelAsked.filter((step) => isAfter(step, issued))
      const result: unknown = end.text === '' ? undefined : JSON.parse(end.text)
      const told = asked.find(({ detail }) => saysAll(toldIn(detail['messages']), result))
      if (told) return pass('the model was given the result', cite(issued, told))
      const [first] = asked
      return violation(
        'the model was not given the result of the replayed call',
        {
          expected: end.text,
          actual: first
            ? toldIn(first.detail['messages']).join('; ') || 'nothing but its own words'
            : 'the model was not asked again',
        },
        cite(issued, end.event, first),
      )
    }),
  ],
})
