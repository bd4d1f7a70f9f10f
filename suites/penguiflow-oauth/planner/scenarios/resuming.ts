import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import type { Fixtures } from '../../test-bed.ts'
import { apiRequestsIn, callOf, runsSince, outcomeIn } from '../../view.ts'
import { modelCalled } from '../../../../harness/parties/model-called.ts'
import {
  check,
  goesOn,
  resumedSince,
  resumesNothing,
  runsNothing,
  servesNoOther,
  type Judge,
} from '../checks.ts'
import { needsDurability } from '../conditions.ts'
import { failureIn } from '../failure-in.ts'
import { control, scenario } from './define.ts'
import { unknownHandleScenarios } from './unknown-handles.ts'

const early = scenario({
  id: 'resume-early',
  title: 'the pause is resumed as if the user had consented, and nobody has',
  control,
  // What carries no token can be told to belong to this scenario only where no other one acts.
  ownInstance: true,
  async drive({ ownInstance }) {
    const { begin, user, mark: note } = await ownInstance('none')
    const call = await begin(user)
    await call.paused()
    note('early')
    await call.resume()
  },
  checks: [
    check('penguiflow-oauth/planner/pause-without-token', 'calls no API before the pause', (t) => {
      const [pause] = callOf(t).pauses
      const called = modelCalled(t)
      if (typeof called === 'string') return inconclusive(called)
      if (!pause) return inconclusive('nothing paused')
      const request = apiRequestsIn(t).find((each) => isAfter(pause.event, each))
      if (!request) return pass('no request to the API', cite(pause.event))
      const difference = { expected: 'no request', actual: `${request.method} ${request.url}` }
      const evidence = cite(request, pause.event)
      return violation('the API was called before the user was asked', difference, evidence)
    }),
    check(
      'penguiflow-oauth/planner/resume-before-consent',
      'runs nothing',
      (t, { control: twin }) => {
        const { since, resume, outcome } = resumedSince(t, 'early')
        if (!resume || !outcome)
          return inconclusive('the run did not continue after it was resumed')
        if (!twin || runsSince(callOf(twin), callOf(twin).resumes[0]).length === 0)
          return inconclusive('the tool does not run even after a consent')
        const reached = cite(resume, outcome)
        const [ran] = [...apiRequestsIn(t), ...callOf(t).toolRuns].filter((event) =>
          isAfter(event, since),
        )
        if (!ran) return pass(outcomeIn(outcome), reached)
        return violation(
          'the tool ran although nobody has consented',
          { expected: 'no run of the tool', actual: 'a run of the tool' },
          [...reached, ...cite(ran)],
        )
      },
    ),
  ],
})

/** With its state store, or on an instance that has none. */
type Where = (fixtures: Fixtures) => Promise<Fixtures>

interface Twice {
  readonly ownInstance?: true
  /** Whether the framework is restarted before the handle comes again. */
  readonly restarts?: true
}

const twice = (id: string, title: string, where: Where, { restarts, ...own }: Twice) =>
  scenario({
    id,
    title,
    control,
    ...own,
    ...(restarts ? { notApplicable: needsDurability } : {}),
    async drive(fixtures) {
      const { begin, user, mark: note, restart } = await where(fixtures)
      const call = await begin(user)
      const { handle } = await call.paused()
      await user.approve(call)
      await call.resume()
      await call.goOn()
      if (restarts) await restart()
      note('again')
      await call.resume({ handle })
    },
    checks: [
      check('penguiflow-oauth/planner/handle-single-use', 'resumes once', (t, context) => {
        const first = callOf(t).resumes[0]
        if (runsSince(callOf(t), first).every((event) => isAfter(event, mark(t, 'again'))))
          return inconclusive('the tool did not run the first time')
        const what = 'a used handle resumed once more'
        const judgement = runsNothing('again', undefined, what)(t, context)
        const { resume, outcome } = resumedSince(t, 'again')
        // A handle that its application has chosen names a conversation, which may go on.
        const mayGoOn = context.declared.handles === 'chosen'
        if (judgement.outcome !== 'pass' || !resume || !outcome || mayGoOn) return judgement
        if (resumesNothing(callOf(t), resume, outcome)) return judgement
        const difference = { expected: 'a refusal', actual: outcomeIn(outcome) }
        return violation(what, difference, cite(resume, outcome))
      }),
    ],
  })

const atOnce = (id: string, title: string, where: Where, own: { ownInstance?: true }) =>
  scenario({
    id,
    title,
    control,
    ...own,
    async drive(fixtures) {
      const { begin, user } = await where(fixtures)
      const call = await begin(user)
      await user.approve(call)
      await Promise.all([call.resumeOnly(), call.resumeOnly()])
      await call.goOn()
    },
    checks: [
      check(
        'penguiflow-oauth/planner/handle-single-use',
        'resumes once',
        (t, { control: twin }) => {
          const { resumes, outcomes } = callOf(t)
          const usual = twin ? callOf(twin).accesses.length : 0
          const came = outcomes.filter((step) => isAfter(step, resumes[0]))
          if (came.length < 2) return inconclusive('the two resumed runs did not both pause or end')
          if (usual === 0) return inconclusive('the tool does not run even in the normal case')
          const evidence = cite(...resumes, ...came)
          const { accesses } = callOf(t)
          if (accesses.length === 0) return inconclusive('neither of them ran the tool', evidence)
          if (accesses.length <= usual) return pass('one run of the tool', evidence)
          const difference = {
            expected: `what one run does: ${usual} requests to the API`,
            actual: `${accesses.length} requests`,
          }
          return violation('a handle that was used twice at once ran twice', difference, [
            ...evidence,
            ...cite(...accesses),
          ])
        },
      ),
    ],
  })

/** The second user has not consented; the first one, who has, has a token that works. */
const ranAsFirst =
  (since: string): Judge =>
  (t) => {
    const { resume, outcome } = resumedSince(t, since, 'call-2')
    const first = callOf(t)
    if (!resume || !outcome) return inconclusive('the run did not continue after it was resumed')
    if (!issuedGrant(first) || first.accesses.length === 0)
      return inconclusive('the other user has no token that works')
    const reached = cite(resume, outcome)
    const used = first.accesses.find((access) => isAfter(access, resume))
    if (!used) return pass(outcomeIn(outcome), reached)
    const difference = {
      expected: 'an error, or another pause',
      actual: `a request to the API with the token of ${first.user}`,
    }
    return violation('the pause of one user ran with the token of another', difference, [
      ...reached,
      ...cite(used),
    ])
  }

/** The first user, who has a token, and the second one, who has not. */
type Namesakes = readonly [string, string]

/** The pause of a second user, where the first one has a token. The names of both are of the same length. */
async function pausedBesideFirst({ begin, user, newUser }: Fixtures, names?: Namesakes) {
  const first = names ? newUser(names[0]) : user
  const call = await begin(first)
  await first.approve(call)
  await call.resume()
  await call.goOn()
  const other = await begin(newUser(names?.[1] ?? 'mate'))
  await other.paused()
  return { first, other }
}

const earlyBesideAnother = scenario({
  id: 'resume-early-beside-another',
  title: 'the pause of a user who has not consented is resumed, where another user has a token',
  control,
  // Of all users the other one is the last that has consented.
  ownInstance: true,
  async drive({ ownInstance }) {
    const fixtures = await ownInstance('none')
    const { other } = await pausedBesideFirst(fixtures)
    fixtures.mark('early')
    await other.resume()
  },
  checks: [
    check(
      'penguiflow-oauth/planner/resume-before-consent',
      'does not run with the token of the other',
      ranAsFirst('early'),
    ),
  ],
})

interface AsOther {
  readonly ownInstance?: true
  readonly names?: Namesakes
}

/** Who takes the names of both for one has a token before anything pauses. */
const namesakesApart = check(
  'penguiflow-oauth/planner/own-token-at-api',
  'does not serve the other as the first',
  servesNoOther,
)

const asOther = (id: string, title: string, where: Where, { names, ...own }: AsOther) =>
  scenario({
    id,
    title,
    control,
    ...own,
    async drive(fixtures) {
      const there = await where(fixtures)
      const { first, other } = await pausedBesideFirst(there, names)
      there.mark('other')
      await other.resume({ as: first })
    },
    checks: [
      check(
        'penguiflow-oauth/planner/handle-bound-to-user',
        'does not run with the token of the other',
        ranAsFirst('other'),
      ),
      ...(names ? [namesakesApart] : []),
    ],
  })

const shared: Where = (fixtures) => Promise.resolve(fixtures)
const withoutStore: Where = ({ ownInstance }) => ownInstance('none')
const own = { ownInstance: true } as const

const restarted = scenario({
  id: 'restart-while-paused',
  title: 'the framework is restarted between the consent and the resumption',
  control,
  ownInstance: true,
  notApplicable: needsDurability,
  async drive({ ownInstance }) {
    const { begin, user, restart } = await ownInstance()
    const call = await begin(user)
    await user.approve(call)
    await restart()
    await call.resume()
  },
  checks: [
    check('penguiflow-oauth/planner/durable-pause', 'still resumes', (t, context) => {
      const { declared, control: twin } = context
      const [since] = t.steps('restarted')
      const call = callOf(t)
      const resume = call.resumes.find((step) => isAfter(step, since))
      const outcome = call.outcomes.find((step) => isAfter(step, resume))
      if (!issuedGrant(call)) return inconclusive('no token was issued before the restart')
      if (!since || !resume || !outcome)
        return inconclusive('the run did not continue after it was resumed')
      if (!twin || runsSince(callOf(twin), callOf(twin).resumes[0]).length === 0)
        return inconclusive('the tool does not run even without a restart')
      const evidence = cite(since, resume, outcome)
      if (resumesNothing(call, resume, outcome)) {
        const difference = { expected: goesOn, actual: outcomeIn(outcome) }
        return violation('the pause was lost in the restart', difference, evidence)
      }
      const served = call.accesses.find((access) => isAfter(access, resume))
      // What came last holds what came before.
      const [asked, usually] = [call, callOf(twin)].map(({ modelAsked, resumes }) =>
        modelAsked.findLast((step) => isAfter(step, resumes[0])),
      )
      const [failed, before] = [asked, usually].map((step) =>
        failureIn(step?.detail['messages'], [declared.tool]),
      )
      if (served || failed === undefined || before !== undefined)
        return pass(outcomeIn(outcome), evidence)
      const difference = { expected: 'a run of the tool', actual: failed }
      return violation('what the tool needs was lost in the restart', difference, [
        ...evidence,
        ...cite(asked),
      ])
    }),
  ],
})

const denied = scenario({
  id: 'denied',
  title: 'the user denies, and the pause is resumed with that',
  control,
  async drive({ begin, user, configuration, mark: note }) {
    const call = await begin(user)
    await user.deny(call)
    note('denied')
    await call.resume({ input: configuration.declares.denied, quietly: true })
  },
  checks: [
    check('penguiflow-oauth/planner/denial', 'goes on without the tool', (t, context) => {
      const { resume, outcome } = resumedSince(t, 'denied')
      const judgement = runsNothing('denied', undefined, 'the tool ran after a denial')(t, context)
      const { modelAsked } = callOf(t)
      const asked = modelAsked.find((step) => isAfter(step, resume))
      const vain = t.steps('gave-up', 'call-1').find((step) => isAfter(step, resume))
      const hangs = resume !== undefined && !outcome && !asked && vain !== undefined
      if (!hangs && (judgement.outcome !== 'pass' || !resume || !outcome)) return judgement
      const evidence = cite(resume, asked, outcome ?? vain)
      const said = outcome?.action === 'finished' && String(outcome.detail['text']).trim() !== ''
      if (outcome && (asked || said)) return pass(outcomeIn(outcome), evidence)
      const difference = {
        expected: 'the model is asked, or the run ends with words for its user',
        actual: outcome
          ? outcomeIn(outcome)
          : `no pause and no end within ${String(vain?.detail['within'])} ms`,
      }
      return violation('nobody is told of the denial', difference, evidence)
    }),
  ],
})

export const resumingScenarios = [
  early,
  earlyBesideAnother,
  restarted,
  twice(
    'resume-twice-without-store',
    'a handle is used again, without a state store',
    withoutStore,
    own,
  ),
  atOnce(
    'resume-at-once-without-store',
    'a handle is used twice at once, without a state store',
    withoutStore,
    own,
  ),
  asOther(
    'resume-as-other-without-store',
    'a pause is resumed as another user, without a state store',
    withoutStore,
    own,
  ),
  twice(
    'resume-twice-after-restart',
    'a handle is used again after a restart',
    ({ ownInstance }) => ownInstance('durable'),
    { ...own, restarts: true },
  ),
  ...unknownHandleScenarios,
  twice('resume-twice', 'a handle is used again', shared, {}),
  atOnce('resume-at-once', 'a handle is used twice at once', shared, {}),
  asOther(
    'resume-as-other-user',
    'a pause is resumed as another user, who has a token',
    shared,
    {},
  ),
  asOther(
    'resume-as-user-of-other-case',
    'a pause is resumed as another user, who has a token and whose name differs in the case of its letters',
    shared,
    { names: ['Mate', 'mate'] },
  ),
  denied,
]
