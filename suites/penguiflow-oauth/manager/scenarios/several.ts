/** Tokens of several users, tenants and providers. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  NotOffered,
  pass,
  show,
  Transcript,
  Unreached,
  violation,
  type Need,
} from '../../../../harness/engine/index.ts'
import { answeredCallback } from '../../../oauth-client/arrival.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { servedWithTheirOwn } from '../../own-tokens.ts'
import { callOf, outcomeIn, runsSince } from '../../view.ts'
import { check, exchangesIn, neverExchanges, type Judge } from '../checks.ts'
import { needsDurableFlows, needsSecondProvider } from '../conditions.ts'
import { judgesOf } from '../../../oauth-client/judges.ts'
import { handoff } from '../handoff.ts'
import { saysWhatUrlSays } from './authorize-and-complete.ts'
import { control, scenario } from './define.ts'

const { exchangesCode } = judgesOf(handoff)

/** The second run pauses, although there is a token: it is another's. */
const pausesAgain =
  (whose: string): Judge =>
  (t) => {
    const [first, second] = [callOf(t), callOf(t, 'call-2')]
    const issued = issuedGrant(first)
    if (!issued || first.accesses.length === 0) return inconclusive('there is no token that works')
    const [outcome] = second.outcomes
    if (!outcome) return inconclusive('the second run neither paused nor ended')
    const used = first.accesses.find((access) => isAfter(access, second.message))
    const [ran] = [...runsSince(second, second.message), ...(used ? [used] : [])]
    const evidence = cite(issued, second.message, outcome, ran)
    if (!ran) return pass('the tool did not run', evidence)
    const difference = { expected: 'a pause', actual: 'a run of the tool' }
    return violation(`a token served ${whose}`, difference, evidence)
  }

/** Two users whose names a manager may take for one. */
const namesakes = [
  {
    id: 'other-tenant',
    title: 'somebody of the same name in another tenant says it as well',
    // Both names end alike: the tenant alone tells them apart.
    names: ['tenant-1:user', 'tenant-2:user'],
    whose: 'another tenant',
  },
  {
    id: 'other-user-of-tenant',
    title: 'somebody else of the same tenant says it as well',
    // Both names begin alike: who installs an application for a tenant keeps one token for all of it.
    names: ['team-1:alice', 'team-1:bob'],
    whose: 'another user of the tenant',
  },
  {
    id: 'other-case',
    title: 'somebody whose name differs in the case of its letters says it as well',
    names: ['Somebody', 'somebody'],
    whose: 'a user whose name differs in case',
  },
  {
    id: 'other-ending',
    title: 'somebody whose long name begins like that of another says it as well',
    // A column of a table may cut what is too long for it.
    names: ['organisation-of-everybody-user-1', 'organisation-of-everybody-user-2'],
    whose: 'a user whose name begins alike',
  },
  {
    id: 'other-punctuation',
    title: 'somebody whose name differs in a character between its words says it as well',
    // Names of files are made of names of users by replacing what they may not hold.
    names: ['acme:alice', 'acme_alice'],
    whose: 'a user whose name differs in punctuation',
  },
  {
    id: 'other-separators',
    title: 'somebody whose name is the same but for what separates its words says it as well',
    names: ['acme.ali_ce-1', 'acmealice1'],
    whose: 'a user whose name has other separators',
  },
  {
    id: 'other-accents',
    title: 'somebody whose name is the same but for an accent says it as well',
    // A table may compare as a telephone book does.
    names: ['rené', 'rene'],
    whose: 'a user whose name has no accent',
    unusual: 'a user whose name has an accent',
  },
  {
    id: 'other-form-of-a-digit',
    title: 'somebody whose name is the same but for a raised digit says it as well',
    // Compatibility forms (NFKC) make one name of the two.
    names: ['team²', 'team2'],
    whose: 'a user whose name has a plain digit',
    unusual: 'a user whose name has a raised digit',
  },
  {
    id: 'other-blanks',
    title: 'somebody whose name is the same but for a blank before it says it as well',
    names: [' member', 'member'],
    whose: 'a user whose name has no blank',
    unusual: 'a user whose name begins with a blank',
  },
  {
    id: 'other-end-of-a-long-name',
    title: 'somebody whose very long name begins like that of another says it as well',
    names: [1, 2].map((number) => `organisation-${'of-everybody-'.repeat(10)}user-${number}`),
    whose: 'a user whose very long name begins alike',
    unusual: 'a user whose name has 150 characters',
  },
  {
    id: 'other-end-of-a-name-of-350',
    title: 'somebody whose name of 350 characters begins like that of another says it as well',
    // 255 is how long a column of a table usually is at most.
    names: [1, 2].map((number) => `organisation-${'of-everybody-'.repeat(25)}user-${number}`),
    whose: 'a user whose name of 350 characters begins alike',
    unusual: 'a user whose name has 350 characters',
  },
] as const

/** A name that a framework need not take. */
const tokenFor = (id: string, what: string): Need => ({
  what: `a token of ${what} (${id})`,
  seen: (run) => callOf(run.get(id) ?? new Transcript([])).accesses[0],
})

/** @throws NotOffered where there is no token for such a user */
async function unlessTaken(what: string, served: Promise<unknown>): Promise<void> {
  await served.catch((error: unknown) => {
    throw error instanceof Unreached
      ? new NotOffered(`there is no token of ${what}: ${error.message}`)
      : error
  })
}

const namesakeScenarios = namesakes.map(({ id, title, names, whose, ...more }) =>
  scenario({
    id,
    title,
    control: 'stored-token',
    ...('unusual' in more && { needs: tokenFor(id, more.unusual) }),
    async drive({ begin, newUser }) {
      const [own, other] = [newUser(names[0] ?? ''), newUser(names[1] ?? '')]
      const isServed = async () => {
        const call = begin(own)
        await own.approve(call)
        await call.ended()
        await call.waitUntil('the API was not asked', ({ accesses }) => accesses[0])
      }
      await ('unusual' in more ? unlessTaken(more.unusual, isServed()) : isServed())
      await begin(other).answered()
    },
    checks: [
      check(
        'penguiflow-oauth/manager/token-per-user-and-provider',
        `has no token for ${whose}`,
        pausesAgain(whose),
      ),
    ],
  }),
)

const secondProvider = scenario({
  id: 'second-provider',
  title: 'a user with a token of one provider needs another one',
  control: 'stored-token',
  notApplicable: needsSecondProvider,
  async drive({ begin, user, tools }) {
    const call = begin(user)
    await user.approve(call)
    await call.ended()
    await begin(user, undefined, { tools: [tools.second!] }).answered()
  },
  checks: [
    check(
      'penguiflow-oauth/manager/token-per-user-and-provider',
      'has no token for another provider',
      pausesAgain('another provider'),
    ),
  ],
})

/** A user consents at two providers: each token serves its own one, also afterwards. */
const bothProviders = scenario({
  id: 'both-providers',
  title: 'a user with a token of one provider consents at another one, and needs both again',
  control: 'second-provider',
  notApplicable: needsSecondProvider,
  async drive({ begin, user, tools, mark: note }) {
    const call = begin(user)
    await user.approve(call)
    await call.ended()
    const other = begin(user, undefined, { tools: [tools.second!] })
    await user.approve(other)
    await other.ended()
    note('again')
    await begin(user).answered()
  },
  checks: [
    check(
      'penguiflow-oauth/manager/payload-matches-url',
      'says what the second URL says',
      saysWhatUrlSays('call-2'),
    ),
    check(
      'penguiflow-oauth/manager/token-per-user-and-provider',
      'keeps the tokens of two providers apart',
      (t) => {
        const [first, second] = [callOf(t), callOf(t, 'call-2')]
        if (!issuedGrant(first) || first.accesses.length === 0)
          return inconclusive('there is no token that works')
        const reached = answeredCallback(t, 'call-2', 'code')
        if (typeof reached === 'string') return inconclusive(reached)
        const [one, two] = [first, second].map((call) => call.authorizationRequests[0])
        if (one && two && one.detail['clientId'] === two.detail['clientId']) {
          const difference = { expected: 'another client', actual: show(two.detail['clientId']) }
          const what = 'the user is sent to the second provider as the client of the first'
          return violation(what, difference, [...reached, ...cite(one, two)])
        }
        const [grant] = second.grants
        if (!grant) return inconclusive('no code of the second provider was redeemed', reached)
        const since = mark(t, 'again')
        const served = second.accesses.find((access) => !since || isAfter(since, access))
        const rested = second.outcomes.find((outcome) => isAfter(outcome, grant))
        if (!served) {
          if (!rested) return inconclusive('the second run did not come to rest', reached)
          return violation(
            'the consent at the second provider brought no token for it',
            { expected: 'a run of its tool', actual: outcomeIn(rested) },
            [...reached, ...cite(grant, rested)],
          )
        }
        const [outcome] = callOf(t, 'call-3').outcomes
        if (!since || !outcome) return inconclusive('the last run did not come to rest', reached)
        const foreign = second.accesses.find((access) => isAfter(access, since))
        const own = first.accesses.find((access) => isAfter(access, since))
        const evidence = cite(served, since, outcome, own, foreign)
        // Whether a token is kept at all is asked elsewhere.
        if (!foreign) return pass(own ? 'each was used for its own' : outcomeIn(outcome), evidence)
        return violation(
          'the token of one provider took the place of that of the other',
          { expected: 'the token of the first provider', actual: 'that of the second' },
          evidence,
        )
      },
    ),
  ],
})

const twoConversations = scenario({
  id: 'two-conversations-of-one-user',
  title: 'a user is sent away from two conversations, and comes back by the newer URL',
  control,
  async drive({ begin, user, observe }) {
    const older = begin(user)
    await older.answered()
    const newer = begin(user)
    // Whoever has been sent away already need not be sent away twice.
    const call = (await newer.answered()) === 'asked' ? newer : older
    await user.approve(call)
    await call.settle()
    await observe()
  },
  checks: [
    check('oauth-client/exchange-code', 'redeems the code', (t, context) =>
      exchangesCode(callOf(t, 'call-2').asked.length > 0 ? 'call-2' : 'call-1')(t, context),
    ),
  ],
})

const crowd = 10

const tenUsers = scenario({
  id: 'ten-users',
  title: `${crowd} users are sent away at once, and come back at once`,
  control,
  async drive({ begin, newUser }) {
    const users = Array.from({ length: crowd }, (_, index) => newUser(`user-${index + 1}`))
    const calls = users.map((user) => begin(user))
    await Promise.all(calls.map((call) => call.rest()))
    await Promise.all(calls.map((call) => call.user.approve(call)))
    await Promise.all(calls.map((call) => call.settle()))
  },
  checks: [
    check(
      'penguiflow-oauth/manager/token-per-user-and-provider',
      'serves each with their own',
      servedWithTheirOwn,
    ),
  ],
})

const restarted = scenario({
  id: 'restart-before-callback',
  title: 'the framework is restarted between the pause and the callback',
  control,
  ownInstance: true,
  notApplicable: needsDurableFlows,
  async drive({ ownInstance }) {
    const { begin, user, restart } = await ownInstance()
    const call = begin(user)
    const flow = await user.consent(call)
    await restart()
    await user.follow(flow)
    await call.settle()
  },
  checks: [
    check(
      'penguiflow-oauth/manager/pending-survives-restart',
      'takes the callback',
      (t, { control: twin }) => {
        const [since] = t.steps('restarted')
        const returned = t.requests('browser', 'call-1').find((each) => isAfter(each, since))
        const answer = returned && t.answer(returned)
        if (!since || !returned || answer?.type !== 'response')
          return inconclusive('the callback did not reach the manager')
        const call = callOf(t)
        const issued = issuedGrant(call)
        const evidence = cite(since, returned, answer, issued)
        if (issued) return pass('the code was exchanged', evidence)
        const [came] = call.callbacks
        const rested = call.outcomes.find((step) => isAfter(step, call.resumes[0]))
        if (!came && !rested)
          return inconclusive('the manager did not react to the callback', evidence)
        if (!exchangesIn(twin)) return inconclusive(neverExchanges, evidence)
        const difference = { expected: 'a token', actual: show(came?.detail['message']) }
        return violation(
          'after a restart the manager does not know the user who was sent away',
          difference,
          evidence,
        )
      },
    ),
  ],
})

export const severalScenarios = [
  restarted,
  ...namesakeScenarios,
  secondProvider,
  bothProviders,
  twoConversations,
  tenUsers,
]
