import { cite, violation } from '../../../../harness/engine/index.ts'
import { extendedState, stateInOtherCase } from '../../../oauth-client/other-states.ts'
import type { Fixtures } from '../../test-bed.ts'
import { callOf, outcomeIn } from '../../view.ts'
import { check, resumedSince, resumesNothing, runsNothing, type Judge } from '../checks.ts'
import { control, scenario } from './define.ts'

const isRefused: Judge = (t, context) => {
  const { resume, outcome } = resumedSince(t, 'unknown')
  const judgement = runsNothing(
    'unknown',
    undefined,
    'an invented handle resumed a run',
  )(t, context)
  const refused = resume && resumesNothing(callOf(t), resume, outcome)
  if (judgement.outcome !== 'pass' || refused) return judgement
  return violation(
    'an invented handle is not refused',
    { expected: 'an error', actual: outcome ? outcomeIn(outcome) : 'nothing' },
    cite(resume, outcome),
  )
}

/** With its state store, or on an instance that has none. */
type Where = (fixtures: Fixtures) => Promise<Fixtures>

const shared: Where = (fixtures) => Promise.resolve(fixtures)
const withoutStore: Where = ({ ownInstance }) => ownInstance('none')

const unknownHandle = (
  id: string,
  title: string,
  invent: (handle: string) => string,
  where = shared,
) =>
  scenario({
    id,
    title,
    control,
    ...(where === shared ? {} : { ownInstance: true }),
    async drive(fixtures) {
      const { begin, user, mark: note } = await where(fixtures)
      const call = await begin(user)
      const { handle } = await call.paused()
      await user.approve(call)
      note('unknown')
      await call.resume({ handle: invent(handle), named: true })
    },
    checks: [check('penguiflow-oauth/planner/unknown-handle', 'refuses it', isRefused)],
  })

function endingOtherwise(handle: string): string {
  const half = Math.ceil(handle.length / 2)
  return handle.slice(0, half) + inventedLike(handle.slice(half))
}

function beginningOtherwise(handle: string): string {
  const half = Math.floor(handle.length / 2)
  return inventedLike(handle.slice(0, half)) + handle.slice(half)
}

const unknown = unknownHandle(
  'resume-unknown',
  'the user has consented, and an invented handle is used',
  inventedLike,
)

const unknownEnding = unknownHandle(
  'resume-unknown-ending',
  'the user has consented, and a handle is used that only begins like that of the pause',
  endingOtherwise,
)

const unknownBeginning = unknownHandle(
  'resume-unknown-beginning',
  'the user has consented, and a handle is used that only ends like that of the pause',
  beginningOtherwise,
)

const unknownEndingInMemory = unknownHandle(
  'resume-unknown-ending-without-store',
  'the user has consented, and a handle is used that only begins like that of the pause, without a state store',
  endingOtherwise,
  withoutStore,
)

const unknownCut = unknownHandle(
  'resume-unknown-cut',
  'the user has consented, and the first three quarters of the handle are used',
  (handle) => handle.slice(0, Math.floor((handle.length * 3) / 4)),
)

const unknownExtended = unknownHandle(
  'resume-unknown-extended',
  'the user has consented, and a handle with extra text after it is used',
  extendedState,
)

const unknownInOtherCase = unknownHandle(
  'resume-unknown-other-case',
  'the user has consented, and a handle with upper and lower case swapped is used',
  stateInOtherCase,
)

/** A handle of the same form that was never given: its characters in another order, letters for letters. */
export function inventedLike(handle: string): string {
  const turned = handle
    .replaceAll(/\d/g, (digit) => String((Number(digit) + 3) % 10))
    .replaceAll(/[a-f]/g, (letter) => 'bcdefa'['abcdef'.indexOf(letter)] ?? letter)
  return turned === handle ? `${handle}x` : turned
}

export const unknownHandleScenarios = [
  unknown,
  unknownEnding,
  unknownBeginning,
  unknownCut,
  unknownExtended,
  unknownInOtherCase,
  unknownEndingInMemory,
]
