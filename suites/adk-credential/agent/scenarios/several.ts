import { cite, inconclusive, pass, show, violation } from '../../../../harness/engine/index.ts'
import { storedTokenJudgesOf } from '../../../oauth-client/scenarios/index.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { check } from '../checks.ts'
import { needsOpenTool, needsOtherCredential, needsSameCredential } from '../conditions.ts'
import { handoff } from '../handoff.ts'
import { authUriOf, type CredentialRequest } from '../../wire.ts'
import { callOf, callsOf, failureOf } from '../view.ts'
import { control, scenario } from './define.ts'

const { notServedByOthers } = storedTokenJudgesOf(handoff)

/** The same request, shown once more while another one is answered, is one. */
function onceEach<R extends CredentialRequest>(requests: readonly R[]): readonly R[] {
  const same = (one: R, other: R): boolean =>
    one.id === other.id && one.paused === other.paused && authUriOf(one) === authUriOf(other)
  return requests.filter(
    (each, index) => requests.findIndex((other) => same(each, other)) === index,
  )
}

const twoConfigurations = scenario({
  id: 'two-configurations',
  title: 'the model asks for two tools with credentials of their own, the second is answered first',
  control,
  notApplicable: needsOtherCredential,
  async drive({ begin, user, configuration, asking, observe }) {
    const { operation, others } = configuration
    const call = begin(user, { tools: [operation, others.otherCredential!] })
    const [first, second] = [asking(call, 0), asking(call, 1)]
    const flow = await user.consent(first)
    // An agent may ask for one after the other.
    const isOneByOne = call.requests.length < 2
    if (isOneByOne) await user.follow(flow)
    await user.follow(await user.consent(second))
    if (!isOneByOne) await user.follow(flow)
    await observe()
  },
  checks: [
    check(
      'adk-credential/agent/several-requests-distinct',
      'keeps them apart',
      (t, { control: twin }) => {
        if (twin && callOf(twin).ended.length === 0)
          return inconclusive('no call completes, not even a normal one')
        const call = callOf(t)
        const { results, authorizationRequests, calls, messages } = call
        const requests = onceEach(call.requests)
        const ids = requests.map(({ id }) => id)
        if (calls.length < 2) return inconclusive('the model did not ask for two tools at once')
        const evidence = cite(...requests.map(({ event }) => event))
        const missing = calls.filter(
          ({ id }) => !results.some((result) => result.id === id && !result.placeholder),
        )
        const answer = messages[requests.length]
        const last = answer && t.answer(answer)
        if (requests.length < 2) {
          if (requests.length === 0 || last?.type !== 'response' || missing.length === 0)
            return inconclusive(`it asked for ${requests.length} credential`)
          return violation(
            'a call that waited for its own credential was lost',
            {
              expected: 'a request for each call, at once or one after the other',
              actual: `neither a request nor a result for ${show(missing.map(({ name }) => name))}`,
            },
            [...evidence, ...cite(last)],
          )
        }
        if (new Set(ids).size < ids.length) {
          const difference = { expected: 'an id for each request', actual: show(ids) }
          return violation('several requests have the same id', difference, evidence)
        }
        const states = authorizationRequests.map(({ detail }) => detail['state'])
        if (states.length >= 2 && new Set(states).size < states.length) {
          const difference = { expected: 'a state for each request', actual: show(states) }
          return violation('several requests have the same state', difference, [
            ...evidence,
            ...cite(...authorizationRequests),
          ])
        }
        if (last?.type !== 'response')
          return inconclusive('the two requests were not both answered')
        if (missing.length === 0)
          return pass(`${calls.length} results`, [...evidence, ...cite(last)])
        return violation(
          'a call has no result although its request was answered',
          {
            expected: 'a result for each call',
            actual: `none for ${show(missing.map(({ name }) => name))}`,
          },
          [...evidence, ...cite(last)],
        )
      },
    ),
  ],
})

const oneConfiguration = scenario({
  id: 'one-configuration-for-two-calls',
  title:
    'the model asks for two tools with the same AuthConfig in one turn, every request is answered',
  control,
  notApplicable: needsSameCredential,
  async drive({ begin, user, configuration, asking, observe }) {
    const { operation, others } = configuration
    const call = begin(user, { tools: [operation, others.sameCredential!] })
    await user.approve(call)
    // An agent may ask for each call, or once for both.
    if (call.requests.length > 1) await user.approve(asking(call, 1))
    await observe()
  },
  checks: [
    check('adk-credential/agent/call-replayed', 'gives each call its result', (t) => {
      const call = callOf(t)
      const { calls, results, messages, authorizationRequests } = call
      const requests = onceEach(call.requests)
      const issued = issuedGrant(call)
      if (calls.length < 2) return inconclusive('the model did not ask for two tools at once')
      if (requests.length === 0 || !issued) return inconclusive('no credential was obtained')
      const answer = messages[requests.length]
      const last = answer && t.answer(answer)
      const evidence = cite(...requests.map(({ event }) => event), issued, last)
      // By its state it is known which request a callback answers.
      const states = authorizationRequests.map(({ detail }) => detail['state'])
      if (last?.type !== 'response' || new Set(states).size < states.length)
        return inconclusive('not every request was answered', evidence)
      const misnamed = results.find(({ id, name, placeholder }) => {
        const own = calls.filter((each) => each.id === id).map((each) => each.name)
        const isOfOther = !own.includes(name) && calls.some((each) => each.name === name)
        return !placeholder && own.length > 0 && isOfOther
      })
      if (misnamed) {
        const own = calls.find(({ id }) => id === misnamed.id)
        const difference = { expected: show(own?.name), actual: show(misnamed.name) }
        const what = 'under the id of one call came the result of the other'
        return violation(what, difference, [...evidence, ...cite(misnamed.event)])
      }
      const missing = calls.filter(
        ({ id }) => !results.some((result) => result.id === id && !result.placeholder),
      )
      if (missing.length === 0) return pass(`${calls.length} results`, evidence)
      const difference = {
        expected: 'a result for each call',
        actual: `none for ${show(missing.map(({ name }) => name))}`,
      }
      return violation('a call that waited for the same credential was lost', difference, evidence)
    }),
  ],
})

const openToolBeside = scenario({
  id: 'open-tool-beside',
  title: 'the model asks for the protected tool and an open one in the same turn',
  control,
  notApplicable: needsOpenTool,
  async drive({ begin, user, configuration, observe }) {
    const { operation, others } = configuration
    const call = begin(user, { tools: [operation, others.open!] })
    await user.approve(call)
    await observe()
  },
  checks: [
    check(
      'adk-credential/agent/other-tools-unaffected',
      'carries the open one out once',
      (t, context) => {
        const { calls, results, requests, messages } = callOf(t)
        const open = calls.find(({ name }) => name === context.declared.open)
        const answer = messages[1] && t.answer(messages[1])
        if (!open || requests.length === 0)
          return inconclusive('the model did not ask for both tools at once')
        if (answer?.type !== 'response') return inconclusive('the answer was not answered')
        const real = results.filter(({ id, placeholder }) => id === open.id && !placeholder)
        const evidence = cite(open.event, ...real.map(({ event }) => event), answer)
        if (real.length === 1) return pass('one result', evidence)
        return violation(
          'the open call beside the protected one was not carried out exactly once',
          { expected: 'one result', actual: `${real.length} results` },
          evidence,
        )
      },
    ),
  ],
})

const crowd = 12

const twelveUsers = scenario({
  id: 'twelve-users',
  title: `${crowd} users authorize at the same time, and all of them call once more`,
  control,
  async drive({ begin, newUser, observe }) {
    const users = Array.from({ length: crowd }, (_, index) => newUser(`user-${index + 1}`))
    await Promise.all(
      users.map(async (user) => {
        const call = begin(user)
        await user.approve(call)
        await call.ended()
      }),
    )
    await Promise.all(users.map((user) => begin(user).settle()))
    await observe()
  },
  checks: [
    check('oauth-client/token-bound-to-user', 'serves each of them with their own', (t) => {
      const all = callsOf(t)
      const calls = all.filter(({ ended }) => ended.length > 0)
      const accounts = new Map(
        all.flatMap(({ name, user }) =>
          t.provider('decision', name).map(({ detail }) => [user, String(detail['subject'])]),
        ),
      )
      const subjects = new Set(accounts.values())
      const named = (text: string): string[] => text.match(/subject-of-[\w-]+/g) ?? []
      let own = 0
      for (const { user, ended } of calls) {
        const subject = String(accounts.get(user))
        const names = ended.flatMap(({ text }) => named(text))
        const foreign = names.find((each) => each !== subject && subjects.has(each))
        if (foreign !== undefined) {
          const difference = { expected: `data of ${subject}`, actual: `data of ${foreign}` }
          return violation("a user got another user's data", difference, cite(ended[0]?.event))
        }
        if (names.includes(subject)) own += 1
      }
      if (own < 2) return inconclusive('no two results name the account that they are from')
      return pass(`${own} results, each of their own user`, cite(calls[0]?.ended[0]?.event))
    }),
  ],
})

/** Somebody else speaks under the id of the session in which a user has authorized. */
const inSessionOf = (id: string, title: string, isForeign: boolean) =>
  scenario({
    id,
    title,
    control,
    async drive({ begin, user, newUser }) {
      const first = begin(user)
      await user.approve(first)
      await first.ended()
      await begin(newUser('stranger'), { session: first.session, isForeign }).settle()
    },
    checks: [
      check('oauth-client/token-bound-to-user', 'does not serve them', (t, context) => {
        const { ack, request } = callOf(t, 'call-2')
        const judgement = notServedByOthers('call-2')(t, context)
        const isRefused = ack?.type === 'response' && failureOf(ack) !== undefined
        return isRefused && judgement.outcome === 'inconclusive' && issuedGrant(callOf(t))
          ? pass('their message was refused', cite(request, ack))
          : judgement
      }),
    ],
  })

export const severalScenarios = [
  twoConfigurations,
  oneConfiguration,
  openToolBeside,
  inSessionOf(
    'session-of-another-user',
    'somebody else sends a message for the session of a user who has authorized',
    true,
  ),
  inSessionOf(
    'session-of-the-same-id',
    'somebody else opens a session under the id of that of a user who has authorized',
    false,
  ),
  twelveUsers,
]
