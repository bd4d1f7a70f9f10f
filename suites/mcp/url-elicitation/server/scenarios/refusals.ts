import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  show,
  violation,
  watched,
  type Need,
} from '../../../../../harness/engine/index.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { codeGrants } from '../../../../oauth-client/view.ts'
import { isUrlMode } from '../../elicitation.ts'
import { answeredWith, check, endsAfterRefusal, grantsBeyondLogin, type Judge } from '../checks.ts'
import { needsHandshake, needsOauthClient } from '../conditions.ts'
import { callOf, callsOf } from '../view.ts'
import type { Answer } from '../session.ts'
import { control, scenario } from './define.ts'

/** The error -32042 asks for no answer, so there is nothing to refuse. */
const answerable: Need = {
  what: 'an elicitation that its client answers',
  seen: (run) =>
    [...run.values()]
      .flatMap((t) => callsOf(t).flatMap(({ askings }) => askings))
      .find((asking) => isUrlMode(asking) && asking.how === 'request')?.frame.event,
}

const refusals = [
  ['decline', 'the user declines to open the URL'],
  ['cancel', 'the user dismisses the prompt'],
  ['error', 'the client fails to process the request'],
] as const satisfies readonly (readonly [Answer, string])[]

export const refusalScenarios = refusals.map(([answer, title]) =>
  scenario({
    id: `answered-with-${answer}`,
    title,
    control,
    needs: answerable,
    // A retry brings what its user said, and no errors.
    ...(answer === 'error' ? { notApplicable: needsHandshake } : {}),
    async drive({ begin, user, observe }) {
      const call = begin(user)
      await call.awaitUrl()
      const { how } = call.view().askings.find(isUrlMode)!
      if (how === 'error') throw new NotOffered('the error -32042 asks for no answer')
      await call.answer(answer)
      await call.settle()
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/server/handle-refusal',
        'ends the call, and redeems nothing',
        endsAfterRefusal(answer),
      ),
    ],
  }),
)

/** What was declined stays so, unless its user is asked anew. */
const leadsNowhere: Judge = (t, { control: twin }) => {
  const [call, next, third] = [callOf(t), callOf(t, 'call-2'), callOf(t, 'call-3')]
  const refusal = answeredWith(t, call.name, 'decline')
  if (!refusal) return inconclusive('the server was not answered with decline')
  const [visit] = t.steps('visited', call.name)
  if (!visit) return inconclusive('nobody opened the URL')
  // The link may lead through a login, which is none of it.
  const [redeemed] = codeGrants({ ...call, grants: grantsBeyondLogin(call, t, twin) })
  if (redeemed) {
    return violation(
      'the link of a declined elicitation led to a token request',
      { expected: 'a page that says that it is over', actual: show(redeemed.detail['outcome']) },
      cite(refusal, visit, redeemed),
    )
  }
  if ([next, third].every(({ asked }) => asked.length === 0))
    return inconclusive('the next call asked for nothing')
  if (watched(t, visit) === undefined)
    return inconclusive('the run did not watch what happened next')
  return pass('nothing was redeemed', cite(refusal, visit))
}

export const declinedLink = scenario({
  id: 'declined-link-opened',
  title: 'the user declines, and opens the URL later',
  control,
  notApplicable: needsOauthClient,
  needs: answerable,
  async drive({ begin, user, newUser, login, openAsFarAsPossible, observe }) {
    const call = begin(user)
    const url = await call.awaitUrl()
    const { how } = call.view().askings.find(isUrlMode)!
    if (how === 'error') throw new NotOffered('the error -32042 asks for no answer')
    await call.answer('decline')
    await call.settle()
    const next = await begin(user).awaitUrl().catch(unlessUnreached)
    // Whoever has just declined may be asked no more for a while; others are.
    if (next === undefined) await begin(newUser('other')).awaitUrl()
    if (next === url) throw new NotOffered('the URL is the same for every elicitation')
    await login(user)
    await openAsFarAsPossible(user, call, url)
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/declined-link-dead',
      'leads to no tokens any more',
      leadsNowhere,
    ),
  ],
})
