/** Who a call is made for: the user of its conversation, whoever else speaks, and whoever is called alike. */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import { tokensIn } from '../attribution.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversResult, resultForRightCall } from '../judges/given-results.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import { callOf, callsOf, isAfter, show, textOf, type CallView } from '../view.ts'
import { cancels, unlessRefused } from './cancellation.ts'
import { crossing, every, isolates, showsToOwnUser } from './concurrency.ts'
import { controls, goOn, scenario } from './define.ts'
import { heldBack } from './held-back.ts'

const identity = scenario({
  id: 'user-identity',
  title: 'another user speaks while the model answers the first',
  control: controls.plain,
  async drive({ converse, observe }) {
    const [own, other] = [converse(), converse()]
    const before = own.ask()
    await before.awaitInvocation()
    await before.awaitGiven(await before.result())
    const { held, release } = heldBack()
    const call = own.ask({ delayUntil: held })
    await own.awaitModel(call.reference)
    const between = other.ask()
    // A runtime may have one turn at a time: then the other user waits.
    await goOn(other.awaitModel(between.reference))
    await observe(release)
    await Promise.all([call.awaitInvocation(), between.awaitInvocation()])
    await call.awaitGiven(await call.result())
    await between.awaitGiven(await between.result())
  },
  checks: [
    check(
      'rap-oauth/runtime/user-id-of-own-user',
      'calls the tool for the user who asked',
      identifiesUsers(),
    ),
  ],
})

interface Identified {
  readonly call: CallView
  readonly conversation: string
  readonly user: string
  readonly id: string
}

/**
 * Where the runtime is told who speaks: two users have not one `user_id`, and one conversation, which has one user, has
 * not two of them. A tool files its tokens by it (RAP OAuth, Flow). Leaving it out is allowed.
 */
export function identifiesUsers(): Judge {
  return (t, { declared }) => {
    if (!declared.tellsUsers) {
      return notApplicable('the runtime is not told which user speaks: messages has no {user}')
    }
    const scenarios = [...new Set(t.events.map((event) => event.scenario))]
    const calls = scenarios
      .map((name) => t.of(name))
      .flatMap((part) => part.steps('ask').map((step) => ({ part, step })))
      .flatMap(({ part, step }) => {
        const call = callsOf(part).find(({ name }) => name === step.call)
        const { conversation, user } = step.detail
        if (!call?.invocations[0]) return []
        const id = textOf(call.sent['user_id'])
        return [{ call, conversation: textOf(conversation), user: textOf(user), id }]
      })
    const named = calls.filter(({ id }) => id !== '')
    const foreign = named.find(({ id, user }) =>
      tokensIn(id).some((token) => token.startsWith('user-') && !user.includes(token)),
    )
    if (foreign) {
      return violation(
        'a call has the user_id of somebody else, whose tokens a tool would use',
        { expected: `that of ${foreign.user}`, actual: show(foreign.id) },
        cite(foreign.call.invocations[0]),
      )
    }
    const pairs = named.flatMap((one, index) =>
      named.slice(index + 1).map((other): [Identified, Identified] => [one, other]),
    )
    const shared = pairs.find(([one, other]) => one.user !== other.user && one.id === other.id)
    if (shared) {
      return violation(
        'calls of two users have the same user_id, so that a tool would use the tokens of one for the other',
        {
          expected: 'a different user_id for each user, or none',
          actual: `${show(shared[0].id)} for both`,
        },
        cite(...shared.map(({ call }) => call.invocations[0])),
      )
    }
    const split = pairs.find(
      ([one, other]) => one.conversation === other.conversation && one.id !== other.id,
    )
    if (split) {
      return violation(
        'two calls of one user in one conversation have different values of user_id',
        { expected: show(split[0].id), actual: show(split[1].id) },
        cite(...split.map(({ call }) => call.invocations[0])),
      )
    }
    const users = new Set(calls.map(({ user }) => user))
    if (users.size < 2) return inconclusive(`${users.size} of 2 users made calls`)
    const evidence = cite(...calls.slice(0, 4).map(({ call }) => call.invocations[0]))
    if (named.length === 0) return pass('no call names its user, which is allowed', evidence)
    return pass(`${named.length} calls of ${users.size} users`, evidence)
  }
}

const alike = scenario({
  id: 'users-alike',
  title:
    'users authorize at the same time whose names begin with that of the first; two of them are addresses',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const ann = converse()
    const endings = ['abel', '@one.example', '@two.example']
    const others = endings.map((ending) => converse(ann.user + ending))
    await crossing(
      [ann, ...others].map((each) => each.ask()),
      observe,
    )
  },
  checks: [
    check(
      'rap-oauth/runtime/user-id-of-own-user',
      'calls the tool for each of them',
      identifiesUsers(),
    ),
    check(
      'rap-oauth/runtime/surface-to-own-user',
      'shows the URLs of users who are called alike apart',
      showsToOwnUser(4),
    ),
    check(
      'rap-oauth/runtime/isolate-conversations',
      'keeps users who are called alike apart for the model',
      isolates(4),
    ),
  ],
})

/** Names of users are compared by whoever keeps something for them, and not every table tells case. */
const otherCase = scenario({
  id: 'users-of-other-case',
  title: 'two users authorize at the same time whose names differ in the case of their letters',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const ann = converse()
    const capitals = converse(ann.user.toUpperCase())
    await crossing([ann.ask(), capitals.ask()], observe)
  },
  checks: [
    check(
      'rap-oauth/runtime/user-id-of-own-user',
      'calls the tool for each of them',
      identifiesUsers(),
    ),
    check('rap-oauth/runtime/surface-to-own-user', 'shows their URLs apart', showsToOwnUser(2)),
    check('rap-oauth/runtime/isolate-conversations', 'keeps them apart for the model', isolates(2)),
  ],
})

const oneUser = scenario({
  id: 'one-user-two-conversations',
  title: 'one user authorizes in two conversations at the same time',
  control: controls.oauth,
  notApplicable: ({ tellsConversations }: Declared) =>
    tellsConversations ? undefined : 'a user has one conversation: messages has no {conversation}',
  async drive({ converse, observe }) {
    const one = converse()
    const other = converse(one.user)
    await crossing([one.ask(), other.ask()], observe)
  },
  checks: [
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives every result to the model in its conversation',
      every((call) => resultForRightCall('result', call), 2),
    ),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives every result to the model',
      every((call) => deliversResult('result', call), 2),
    ),
    check(
      'rap-oauth/runtime/surface-auth-url',
      'shows every URL in its conversation',
      every((call) => surfacesUrl('oauth', call), 2),
    ),
  ],
})

/** A tool whose users connect their accounts on a page of its own has one URL for all of them. */
const oneUrl = scenario({
  id: 'one-url-for-two-users',
  title: 'the calls of two users wait for authorization at the same URL',
  control: controls.oauth,
  notApplicable: ({ separateSurfaces }) =>
    separateSurfaces ? undefined : 'the declared surfaces do not tell users apart',
  async drive({ converse }) {
    const [first, second] = [converse().ask(), converse().ask()]
    await Promise.all([first.awaitInvocation(), second.awaitInvocation()])
    const oauth = await first.oauth()
    const shown = [await goOn(first.awaitSurfaced(oauth, { own: true }))]
    const { token, url } = oauth
    const message = { type: 'oauth', auth_url: url }
    await second.deliver('oauth', message, { token, url, redelivers: true })
    shown.push(await goOn(second.awaitSurfaced(oauth, { own: true })))
    await Promise.all([first, second].map(async (call) => call.awaitGiven(await call.result())))
    for (const each of shown) each()
  },
  checks: [
    check(
      'rap-oauth/runtime/surface-auth-url',
      'shows it to both',
      every((call) => surfacesUrl('oauth', call), 2),
    ),
  ],
})

const otherInterrupted = scenario({
  id: 'other-conversation-cancelled',
  title: 'calls of one user are pending in two conversations, and the user interrupts one of them',
  control: 'one-user-two-conversations',
  notApplicable: (declared) =>
    cancels(declared) ??
    (declared.tellsConversations && declared.cancelsConversations
      ? undefined
      : 'messages or declares.cancel has no {conversation}'),
  async drive({ converse, observe }) {
    const one = converse()
    const other = converse(one.user)
    const [kept, ended] = [one.ask(), other.ask()]
    await Promise.all([kept.awaitInvocation(), ended.awaitInvocation()])
    await Promise.all(
      [kept, ended].map(async (call) => goOn(call.awaitSurfaced(await call.oauth()))),
    )
    await other.cancel()
    await observe()
    await kept.awaitGiven(await kept.result())
  },
  checks: [
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the model the result of the call that nobody has interrupted',
      unlessRefused((t, context) => {
        const [cancel] = t.steps('cancel')
        const [ended] = callOf(t, 'call-2').deliveries
        if (!cancel || !ended?.request || isAfter(ended.request, cancel))
          return inconclusive('nothing was cancelled while both calls were pending')
        return deliversResult()(t, context)
      }),
    ),
  ],
})

export const userScenarios = [identity, alike, otherCase, oneUser, oneUrl, otherInterrupted]
