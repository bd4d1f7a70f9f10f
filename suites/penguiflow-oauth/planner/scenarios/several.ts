import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  show,
  violation,
} from '../../../../harness/engine/index.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { servedWithTheirOwn } from '../../own-tokens.ts'
import { callOf, callsOf, outcomeIn, stateIn, type CallView } from '../../view.ts'
import { check, goesOn, resumesNothing } from '../checks.ts'
import type { Declared } from '../configuration.ts'
import { failureIn } from '../failure-in.ts'
import { bothRan, eachAfterItsConsent } from '../own-consents.ts'
import { needsKeptToken, needsSecondProvider } from '../conditions.ts'
import { control, scenario } from './define.ts'
import { pauseRecords, recordOfPause } from './needs.ts'

const crowd = 10

const tenUsers = scenario({
  id: 'ten-users',
  title: `${crowd} users pause at once, approve, and are resumed`,
  control,
  async drive({ begin, newUser }) {
    const users = Array.from({ length: crowd }, (_, index) => newUser(`user-${index + 1}`))
    const calls = await Promise.all(users.map((user) => begin(user)))
    // All of them are paused before the first one is resumed.
    await Promise.all(calls.map((call) => call.rest()))
    await Promise.all(calls.map((call) => call.user.approve(call)))
    await Promise.all(calls.map((call) => call.resume()))
    await Promise.all(calls.map((call) => call.goOn()))
  },
  checks: [
    check('penguiflow-oauth/planner/isolate-pauses', 'keeps them apart', (t, { control: twin }) => {
      if (!twin || callOf(twin).accesses.length === 0)
        return inconclusive('the tool does not run even for one user')
      const calls = callsOf(t)
      const pauses = calls.flatMap(({ pauses: [first] }) => (first ? [first] : []))
      if (pauses.length < 2) return inconclusive('no two users paused')
      for (const part of [
        ['handle', pauses.map(({ handle }) => handle)],
        ['state', pauses.flatMap(({ payload }) => stateIn(payload) ?? [])],
      ] as const) {
        const twice = part[1].find((value, index) => part[1].indexOf(value) !== index)
        if (twice === undefined) continue
        const difference = {
          expected: `a ${part[0]} for each pause`,
          actual: `${show(twice)} twice`,
        }
        const evidence = cite(...pauses.map(({ event }) => event))
        return violation(`two pauses have the same ${part[0]}`, difference, evidence)
      }
      const lost = lostIn(calls.filter(issuedGrant), 'a pause was lost among those of others')
      if (lost) return lost
      const resumed = calls.filter(({ resumes, ended }) => resumes.length > 0 && ended.length > 0)
      if (resumed.length < 2) return inconclusive('no two runs came to their end')
      return pass(
        `${resumed.length} of ${calls.length} runs`,
        cite(...pauses.map(({ event }) => event)),
      )
    }),
    check(
      'penguiflow-oauth/planner/own-token-at-api',
      'serves each with their own',
      servedWithTheirOwn,
    ),
  ],
})

/** A pause that was resumed, and nothing went on. */
function lostIn(calls: readonly CallView[], what: string) {
  for (const call of calls) {
    const [resume] = call.resumes
    const outcome = call.outcomes.find((step) => isAfter(step, resume))
    if (!resume || !outcome || !resumesNothing(call, resume, outcome)) continue
    const difference = { expected: goesOn, actual: outcomeIn(outcome) }
    return violation(what, difference, cite(resume, outcome))
  }
  return undefined
}

const twoConversations = scenario({
  id: 'two-conversations-of-one-user',
  title: 'a user speaks in two conversations, consents once, and both are resumed',
  control,
  async drive({ begin, user }) {
    const calls = [await begin(user), await begin(user)]
    const paused = []
    for (const call of calls) if ((await call.answered()) === 'asked') paused.push(call)
    // Whoever has been sent away already need not be sent away twice.
    const newestFirst = paused.toReversed()
    if (newestFirst[0]) await user.approve(newestFirst[0])
    for (const call of newestFirst) {
      await call.resume()
      await call.goOn()
    }
  },
  checks: [
    check('penguiflow-oauth/planner/isolate-pauses', 'keeps them apart', (t, { control: twin }) => {
      if (!twin || callOf(twin).accesses.length === 0)
        return inconclusive('the tool does not run even in one conversation')
      const calls = callsOf(t)
      const paused = calls.filter(({ pauses }) => pauses.length > 0)
      const evidence = cite(...paused.map(({ pauses: [first] }) => first?.event))
      if (calls.length < 2 || calls.some(({ outcomes }) => outcomes.length === 0))
        return inconclusive('the two runs did not come to rest', evidence)
      if (!calls.some(issuedGrant)) return inconclusive('no token was issued', evidence)
      const lost = lostIn(paused, 'a pause was lost beside that of another conversation')
      if (lost) return lost
      if (paused.some(({ resumes, ended }) => resumes.length === 0 || ended.length === 0))
        return inconclusive('the runs that had paused did not all come to their end', evidence)
      return pass(`${paused.length} runs`, evidence)
    }),
  ],
})

/** What a host would do: approve and resume until the run ends, so often at most. */
const mostPauses = 5

const twoProviders = scenario({
  id: 'two-providers-in-one-step',
  title: 'the model calls two tools at once that need two providers',
  control,
  notApplicable: needsSecondProvider,
  async drive({ begin, user, configuration }) {
    const { operation, others } = configuration
    const call = await begin(user, { tools: [operation, others.secondProvider!] })
    let outcome = await call.rest()
    for (let pause = 0; outcome.event === 'paused' && pause < mostPauses; pause += 1) {
      if (outcome.payload['auth_url'] !== undefined) await user.approve(call)
      outcome = await call.resume()
    }
  },
  checks: [
    check(
      'penguiflow-oauth/planner/pauses-of-one-step',
      'asks for both',
      (t, { declared, control: twin }) => {
        if (!twin || callOf(twin).accesses.length === 0)
          return inconclusive('the tool does not run even for one provider')
        const { pauses, modelCalled: called, modelAsked, outcomes, resumes, accesses } = callOf(t)
        if (new Set(called.map(({ detail }) => detail['name'])).size < 2)
          return inconclusive('the model did not call two tools')
        const [first] = pauses
        const last = outcomes.at(-1)
        if (!first || !last || resumes.length === 0)
          return inconclusive('no run paused and continued')
        const evidence = cite(...pauses.map(({ event }) => event), last)
        const asked = modelAsked.find((step) => isAfter(step, first.event))
        const failed =
          asked && failureIn(asked.detail['messages'], [declared.tool, declared.secondProvider])
        if (failed !== undefined) {
          const difference = { expected: 'a pause for each', actual: failed }
          return violation('a call that waits for its user is reported as failed', difference, [
            ...evidence,
            ...cite(asked),
          ])
        }
        // A pause may be for something else as well.
        const ofOauth = pauses.filter(({ payload }) => payload['pause_type'] === 'oauth')
        const providers = new Set(ofOauth.map(({ payload }) => payload['provider']))
        if (providers.has(undefined)) return inconclusive('a pause names no provider', evidence)
        const tokens = new Set(accesses.map(({ detail }) => detail['token']))
        if (providers.size >= 2 && tokens.size >= 2)
          return pass('both were asked for, and ran', evidence)
        if (last.action === 'paused') return inconclusive('the run did not end', evidence)
        const difference = {
          expected: 'a pause for each provider, and each tool runs after it',
          actual: `pauses for ${show([...providers])}, runs with ${tokens.size} tokens, and ${outcomeIn(last)}`,
        }
        return violation(amiss(callOf(t), declared, tokens.size), difference, evidence)
      },
    ),
    check(
      'penguiflow-oauth/planner/pause-without-token',
      'runs each with a token of its own provider',
      eachAfterItsConsent('call-1'),
    ),
  ],
})

/** What became of a step of two calls that did not pause for two providers and run with two tokens. */
function amiss(call: CallView, { tool, secondProvider = '' }: Declared, tokens: number): string {
  if (tokens >= 2) return 'both calls of the step ran, and the pauses name one provider'
  if (bothRan(call, [tool, secondProvider])) return 'a call of the step ran without its pause'
  return 'a call of the step was lost'
}

const keptWithToken = scenario({
  id: 'paused-with-token',
  title: 'a user who has a token is paused for a second provider',
  control: 'second-run',
  notApplicable: needsKeptToken,
  needs: recordOfPause,
  async drive({ begin, user, configuration, mark, recordKept }) {
    const { operation, others } = configuration
    const call = await begin(user)
    await user.approve(call)
    await call.resume()
    await call.goOn()
    mark('second')
    const both = await begin(user, { tools: [operation, others.secondProvider!] })
    await both.asksOrEnds()
    await both.paused()
    const kinds = await recordKept()
    if (!kinds.includes('pause'))
      throw new NotOffered('nothing is shown of what is kept of a pause')
  },
  checks: [
    check(
      'penguiflow-oauth/planner/pause-without-token',
      'pauses for the second provider',
      eachAfterItsConsent('call-2'),
    ),
    check('penguiflow-oauth/planner/no-token-in-record', 'keeps no token with the pause', (t) => {
      if (!issuedGrant(callOf(t))) return inconclusive('no token was issued')
      const [pause] = callOf(t, 'call-2').pauses
      const records = pauseRecords(t)
      if (!pause || records.length === 0) return inconclusive('there is no record of a pause')
      const tokens = ['access_token', 'refresh_token']
      for (const record of records) {
        const leak = record.secrets?.find(({ kind }) => tokens.includes(kind))
        if (!leak) continue
        const difference = { expected: 'no token', actual: `${leak.id}, ${leak.encoding}` }
        return violation(
          'the record of a pause holds a token',
          difference,
          cite(pause.event, record),
        )
      }
      return pass(`${records.length} records`, cite(pause.event, ...records.slice(0, 3)))
    }),
  ],
})

export const severalScenarios = [tenUsers, twoConversations, twoProviders, keptWithToken]
