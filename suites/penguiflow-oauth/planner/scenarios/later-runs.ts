import {
  cite,
  inconclusive,
  isAfter,
  mark,
  NotOffered,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import { servedWithTheirOwn, usesIssuedTokenIn } from '../../own-tokens.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { calledOrRefused } from '../../called-or-refused.ts'
import { apiRequestsIn, asksForConsent, callOf, outcomeIn, runsSince } from '../../view.ts'
import { modelCalled } from '../../../../harness/parties/model-called.ts'
import { check, servesNoOther } from '../checks.ts'
import { needsOwnCallPath } from '../conditions.ts'
import { control, scenario } from './define.ts'
import { pauseAfterRefusal } from './needs.ts'

const secondRun = scenario({
  id: 'second-run',
  title: 'a user who has consented says it again, in another conversation',
  control,
  async drive({ begin, user }) {
    const call = await begin(user)
    await user.approve(call)
    await call.resume()
    await call.goOn()
    await (await begin(user)).asksOrEnds()
  },
  checks: [
    check('penguiflow-oauth/planner/no-pause-with-token', 'runs without a pause', (t) => {
      const reached = modelCalled(t, 'call-2')
      if (typeof reached === 'string') return inconclusive(reached)
      if (!issuedGrant(callOf(t))) return inconclusive('no token was issued before')
      const { pauses, outcomes } = callOf(t, 'call-2')
      const asked = pauses.find(({ payload }) => asksForConsent(payload))?.event
      const outcome = asked ?? outcomes.at(-1)
      if (!outcome) return inconclusive('the second run neither paused nor ended')
      const evidence = [...reached, ...cite(outcome)]
      // The token was issued in the first conversation, so its use is recorded there.
      const used = callOf(t).accesses.find((access) => isAfter(access, callOf(t, 'call-2').message))
      if (!asked && used)
        return pass('the tool ran with the stored token', [...evidence, ...cite(used)])
      // A pause may be for something else as well.
      if (!asked && outcome.action === 'paused')
        return inconclusive('it paused for something else, and did not go on', evidence)
      const difference = { expected: 'a run of the tool, no pause', actual: outcomeIn(outcome) }
      return violation('a user who has a token is not served with it', difference, evidence)
    }),
  ],
})

const anonymous = (id: string, title: string, inConversation: boolean) =>
  scenario({
    id,
    title,
    control,
    // What carries no token can be told to belong to this scenario only where no other one acts.
    ownInstance: true,
    async drive({ ownInstance }) {
      const { begin, user } = await ownInstance('none')
      const call = await begin(user)
      await user.approve(call)
      await call.resume()
      await call.goOn()
      const beside = inConversation ? { beside: call } : {}
      await (await begin(user, { anonymous: true, ...beside })).rest()
    },
    checks: [
      check('penguiflow-oauth/planner/user-id-required', 'sends nobody away', (t) => {
        const { message, outcomes, toolRuns } = callOf(t, 'call-2')
        const works = runsSince(callOf(t), callOf(t).resumes[0]).length > 0
        const reached = calledOrRefused(t, 'call-2', works)
        if (typeof reached === 'string') return inconclusive(reached)
        const [outcome] = outcomes
        if (!outcome) return inconclusive('the run neither paused nor ended', reached)
        const request = apiRequestsIn(t).find((each) => isAfter(each, message))
        const ran = toolRuns[0] ?? request
        const evidence = [...reached, ...cite(outcome, ran)]
        if (outcome.action !== 'paused' && !ran) return pass(outcomeIn(outcome), evidence)
        const actual = request && `a request to the API: ${request.method} ${request.url}`
        return violation(
          'a tool that acts for a user ran without a user',
          {
            expected: 'an error',
            actual: actual ?? (ran ? 'a run of the tool' : outcomeIn(outcome)),
          },
          evidence,
        )
      }),
    ],
  })

/** Planners are forked for each session: what a fork keeps of its first user serves nobody else. */
const otherUser = scenario({
  id: 'other-user-in-conversation',
  title: 'another user says it in the conversation of one who has consented',
  control,
  async drive({ begin, user, newUser }) {
    const call = await begin(user)
    await user.approve(call)
    await call.resume()
    await call.goOn()
    await (await begin(newUser('other'), { beside: call })).rest()
  },
  checks: [
    check(
      'penguiflow-oauth/planner/own-token-at-api',
      'does not serve them as the first',
      servesNoOther,
    ),
  ],
})

const revoked = scenario({
  id: 'token-revoked',
  title: 'the user revokes the access at the provider, and says it again',
  control: 'second-run',
  notApplicable: needsOwnCallPath,
  async drive({ begin, user, mark: note }) {
    const call = await begin(user)
    const flow = await user.approve(call)
    await call.resume()
    await call.goOn()
    user.revoke(flow)
    note('revoked')
    // Who tells the model asks when the tool is called the next time.
    if ((await (await begin(user)).answered()) === 'ended') await (await begin(user)).answered()
  },
  checks: [
    check('penguiflow-oauth/planner/token-refused', 'asks the user again', (t) => {
      const since = mark(t, 'revoked')
      const [second, third] = [callOf(t, 'call-2'), callOf(t, 'call-3')]
      const { outcomes } = second
      const pauses = [...second.pauses, ...third.pauses]
      const asked = pauses.find(({ payload }) => asksForConsent(payload))?.event
      const outcome = asked ?? outcomes.at(-1)
      const refused = callOf(t).accesses.find((access) => isAfter(access, since))
      if (!refused) return inconclusive('the API was not asked with the revoked token')
      if (!outcome) return inconclusive('the run neither paused nor ended', cite(refused))
      const evidence = cite(refused, outcome)
      if (asked) return pass('it paused', evidence)
      if (outcome.action === 'paused')
        return inconclusive('it paused for something else, and did not go on', evidence)
      if (third.outcomes.length === 0)
        return inconclusive('it ended, and the tool was not called again', evidence)
      const difference = { expected: 'a pause', actual: `${outcomeIn(outcome)}, twice` }
      return violation('after a refused token the user is not asked again', difference, evidence)
    }),
  ],
})

/** A token that works is at hand, and is not theirs. */
const revokedBesideAnother = scenario({
  id: 'token-revoked-beside-another',
  title:
    'two users have consented, one of them revokes the access at the provider, and says it again',
  control: 'token-revoked',
  notApplicable: needsOwnCallPath,
  async drive({ begin, user, newUser, mark: note }) {
    const call = await begin(user)
    const flow = await user.approve(call)
    await call.resume()
    await call.goOn()
    const another = newUser('another')
    const theirs = await begin(another)
    await another.approve(theirs)
    await theirs.resume()
    await theirs.goOn()
    user.revoke(flow)
    note('revoked')
    await (await begin(user)).answered()
  },
  checks: [
    check('penguiflow-oauth/planner/own-token-at-api', 'uses no token of another user', (t) => {
      const since = mark(t, 'revoked')
      const [own, theirs] = [callOf(t), callOf(t, 'call-2')]
      const refused = own.accesses.find((access) => isAfter(access, since))
      if (theirs.accesses.length === 0)
        return inconclusive('the other user has no token that works')
      const served = servedWithTheirOwn(t)
      if (served.outcome === 'violation') return served
      const used = theirs.accesses.find((access) => isAfter(access, since))
      if (used) {
        const difference = {
          expected: 'a pause, or a failure',
          actual: `a request to the API with the token of ${theirs.user}`,
        }
        return violation(
          'the tool ran with the token of another user',
          difference,
          cite(refused, used),
        )
      }
      if (!refused) return inconclusive('the API was not asked with the revoked token')
      const [outcome] = callOf(t, 'call-3').outcomes
      if (!outcome) return inconclusive('the run neither paused nor ended', cite(refused))
      return pass(outcomeIn(outcome), cite(refused, outcome))
    }),
  ],
})

/** Whoever is asked again has a second token. That they are asked is another question. */
const consentAnew = scenario({
  id: 'consent-after-revocation',
  title: 'the user revokes the access at the provider, says it again, and consents anew',
  control: 'second-run',
  notApplicable: needsOwnCallPath,
  needs: pauseAfterRefusal,
  async drive({ begin, user }) {
    const call = await begin(user)
    const flow = await user.approve(call)
    await call.resume()
    await call.goOn()
    user.revoke(flow)
    const again = await begin(user)
    if ((await again.answered()) === 'ended') throw new NotOffered('it ended without a pause')
    await user.approve(again)
    await again.resume()
    await again.goOn()
  },
  checks: [
    check(
      'penguiflow-oauth/planner/run-after-consent',
      'runs with the token of the second consent',
      (t) => usesIssuedTokenIn('call-2', t),
    ),
  ],
})

export const laterRunScenarios = [
  secondRun,
  anonymous('no-user-id', 'the tool_context names no user, where another user has a token', false),
  anonymous(
    'no-user-id-in-conversation',
    'the tool_context names no user, in the conversation of one who has a token',
    true,
  ),
  otherUser,
  revoked,
  revokedBesideAnother,
  consentAnew,
]
