import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  show,
  violation,
  watched,
  type Need,
  type Recorded,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { arrived, callbackWith } from '../../../../oauth-client/arrival.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { codeGrants } from '../../../../oauth-client/view.ts'
import { textIn } from '../../../wire/values.ts'
import { isUrlMode } from '../../elicitation.ts'
import { answeredWith, check, endsAfterRefusal, grantsBeyondLogin, type Judge } from '../checks.ts'
import { needsHandshake, needsOauthClient } from '../conditions.ts'
import type { Answer, Call } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf, callsOf, type Asking, type CallView } from '../view.ts'
import { control, scenario, type ServerScenario } from './define.ts'

/** The error -32042 asks for no answer, so there is nothing to refuse. */
const answerable: Need = {
  what: 'an elicitation that its client answers',
  seen: (run) =>
    [...run.values()]
      .flatMap((t) => callsOf(t).flatMap(({ askings }) => askings))
      .find((asking) => isUrlMode(asking) && asking.how === 'request')?.frame.event,
}

/** A URL that is the same for all is none of an elicitation that was refused. */
const ownLinks: Need = {
  what: 'elicitations that their client answers, each with a URL of its own',
  seen: (run) =>
    [...run.values()].flatMap((t) => {
      const asked = callsOf(t)
        .flatMap(({ askings }) => askings)
        .filter((asking) => isUrlMode(asking) && asking.how === 'request')
      return asked.filter((asking) => placeOf(asking) !== placeOf(asked[0]!))
    })[0]?.frame.event,
}

/** Instances of a server have addresses of their own. */
function placeOf({ params }: Asking): string {
  const url = textIn(params['url'])
  return URL.canParse(url) ? url.slice(new URL(url).origin.length) : url
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

/** What was refused stays so, unless its user is asked anew: from then on nothing is redeemed in the call. */
function redeemsNothing(
  action: Answer,
  occasion: (call: CallView, t: Transcript) => Recorded<RecordedEvent> | string,
): Judge {
  return (t, { control: twin }) => {
    const [call, next, third] = [callOf(t), callOf(t, 'call-2'), callOf(t, 'call-3')]
    const refusal = answeredWith(t, call.name, action)
    if (!refusal) return inconclusive(`the server was not answered with ${action}`)
    const visit = occasion(call, t)
    // The link may lead through a login, which is none of it.
    const [redeemed] = codeGrants({ ...call, grants: grantsBeyondLogin(call, t, twin) })
    if (redeemed) {
      return violation(
        `the link of an elicitation that was answered with ${action} led to a token request`,
        { expected: 'a page that says that it is over', actual: show(redeemed.detail['outcome']) },
        cite(refusal, typeof visit === 'string' ? undefined : visit, redeemed),
      )
    }
    if (typeof visit === 'string') return inconclusive(visit)
    if ([next, third].every(({ asked }) => asked.length === 0))
      return inconclusive('the next call asked for nothing')
    if (watched(t, visit) === undefined)
      return inconclusive('the run did not watch what happened next')
    return pass('nothing was redeemed', cite(refusal, visit))
  }
}

/** The URL of a call that waits for an answer. */
async function answerableUrl(call: Call): Promise<string> {
  const url = await call.awaitUrl()
  const { how } = call.view().askings.find(isUrlMode)!
  if (how === 'error') throw new NotOffered('the error -32042 asks for no answer')
  return url
}

/** Has the next call ask, and shows that its URL is another one. */
async function askedNext({ begin, user, newUser }: Fixtures, url: string): Promise<Call> {
  const next = begin(user)
  const asked = await next.awaitUrl().catch(unlessUnreached)
  // Whoever has just declined may be asked no more for a while; others are.
  if (asked === undefined) await begin(newUser('other')).awaitUrl()
  if (asked === url) throw new NotOffered('the URL is the same for every elicitation')
  return next
}

const links = [
  ['decline', 'declined', 'the user declines, and opens the URL later'],
  ['cancel', 'cancelled', 'the user dismisses the prompt, and opens the URL later'],
  ['error', 'failed', 'the client fails to process the request, and its user opens the URL later'],
] as const satisfies readonly (readonly [Answer, string, string])[]

const refusedLinks = links.map(([answer, id, title]) =>
  scenario({
    id: `${id}-link-opened`,
    title,
    control,
    notApplicable: (declared) =>
      needsOauthClient(declared) ?? (answer === 'error' ? needsHandshake(declared) : undefined),
    needs: ownLinks,
    async drive(fixtures) {
      const { begin, user, login, openAsFarAsPossible, observe } = fixtures
      const call = begin(user)
      const url = await answerableUrl(call)
      await call.answer(answer)
      await call.settle()
      await askedNext(fixtures, url)
      await login(user)
      await openAsFarAsPossible(user, call, url)
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/server/declined-link-dead',
        'leads to no tokens any more',
        redeemsNothing(
          answer,
          ({ name }, t) => t.steps('visited', name)[0] ?? 'nobody opened the URL',
        ),
      ),
    ],
  }),
)

/** The user is at the provider by then, and approves there all the same. */
const declinedMeanwhile = scenario({
  id: 'declined-while-at-the-provider',
  title: 'the user opens the URL, declines in the client, and approves at the provider then',
  control,
  notApplicable: needsOauthClient,
  needs: ownLinks,
  async drive(fixtures) {
    const { begin, user, login, openUpToConsent, observe } = fixtures
    const call = begin(user)
    const url = await answerableUrl(call)
    await login(user)
    // It may lead on only when the client has agreed.
    const authorization = await openUpToConsent(user, call, url).catch(unlessUnreached)
    await call.answer('decline')
    await call.settle()
    const next = await askedNext(fixtures, url)
    await next.answer('decline')
    await next.settle()
    if (authorization !== undefined) await user.follow(await user.decide(call, authorization))
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/declined-link-dead',
      'redeems nothing for what was declined meanwhile',
      redeemsNothing('decline', ({ name }, t) => {
        const back = callbackWith(t, name, 'code')
        if (back && arrived(t, back) && t.answer(back) !== undefined) return back
        const visit = t.steps('visited', name).at(-1)
        return visit?.detail['ended'] === 'page'
          ? visit
          : 'the browser did not come back with a code'
      }),
    ),
  ],
})

export const refusedLinkScenarios: readonly ServerScenario[] = [...refusedLinks, declinedMeanwhile]
