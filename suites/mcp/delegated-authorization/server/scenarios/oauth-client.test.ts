/** What is shared has its examples with RAP's tool; here is shown that it reads the recordings of this profile. */

import { expect, test } from 'vitest'
import { handoff } from '../handoff.ts'
import { examples, recording } from '../testing.ts'
import { forgedAtOptionScenarios } from './forged-at-option.ts'
import {
  authorizationErrorScenarios,
  forgedCallbackScenarios,
  issuerScenarios,
  stateAlteredAfterDenial,
  reusedCallbackScenarios,
} from './oauth-client.ts'

type Recording = ReturnType<typeof recording>

const forged = () => recording().begin().ask().requested({ state: 's' }).mark('forged').returned()

test.each([
  ['pass', forged().failed()],
  ['violation', forged().grant().mark('genuine')],
  ['inconclusive', recording().begin().ask()],
] as readonly (readonly [string, Recording])[])('a forged callback: %s', (outcome, t) => {
  for (const [scenario] of [forgedCallbackScenarios, forgedAtOptionScenarios]) {
    const found = scenario!.checks.find(({ requirement }) => requirement.endsWith('validate-state'))
    const judgement = found!.judge(t.transcript, examples.context({}, undefined))
    expect(judgement.outcome).toBe(outcome)
  }
})

const forgedLater = () =>
  recording().begin().ask().begin().ask().requested({ state: 's' }).mark('forged').returned()

test.each([
  ['pass', forgedLater().failed()],
  ['violation', forgedLater().grant().mark('genuine')],
  ['inconclusive', recording().begin().ask()],
] as readonly (readonly [string, Recording])[])('one in a later flow: %s', (outcome, t) => {
  const judgement = stateAlteredAfterDenial[0]!.checks[0]!.judge(
    t.transcript,
    examples.context({}, undefined),
  )
  expect(judgement.outcome).toBe(outcome)
})

const otherIssuer = () =>
  recording().begin().ask().returned({ code: 'c', state: 's', iss: 'https://other.example' })
const third = () => recording().begin().ask().begin().ask().begin().ask()

test.each([
  ['pass', 'state-altered', forged().failed()],
  ['pass', 'state-altered', forged().ask()],
  ['violation', 'state-altered', forged().gaveUp()],
  ['inconclusive', 'state-altered', recording().begin().ask()],
  ['pass', 'issuer-wrong', otherIssuer().failed()],
  ['violation', 'issuer-wrong', otherIssuer().gaveUp()],
  ['inconclusive', 'issuer-wrong', recording().begin().ask().returned().failed()],
  ['pass', 'issuer-wrong-in-error', third().mark('forged').returned().failed()],
  ['violation', 'issuer-wrong-in-error', third().mark('forged').returned().gaveUp()],
  ['inconclusive', 'issuer-wrong-in-error', third()],
] as const)('the end after a callback that is refused: %s, %s', (outcome, id, t) => {
  const all = [...forgedCallbackScenarios, ...issuerScenarios]
  const found = all
    .find((each) => each.id === id)!
    .checks.find(({ requirement }) => requirement.endsWith('never-permanently-pending'))
  expect(found!.judge(t.transcript, examples.context({}, undefined)).outcome).toBe(outcome)
})

test.each([
  ['pass', 'call-1', recording().begin().ask()],
  ['violation', 'call-1', recording().begin().result()],
  ['inconclusive', 'call-2', recording().begin().ask()],
] as const)('whether a user is asked: %s', (outcome, call, t) => {
  const judge = handoff.asksUser(call)
  expect(judge(t.transcript, examples.context({}, undefined)).outcome).toBe(outcome)
})

test('a callback is asked for once, so that none is delivered twice', () => {
  expect(reusedCallbackScenarios.map(({ id }) => id).sort()).toEqual([
    'denied-state-with-code',
    'state-of-another-flow',
    'state-of-another-user',
    'used-state-with-fresh-code',
  ])
})

test('every error of RFC 6749 §4.1.2.1 but a denial is asked of this profile, too, and one of OpenID Connect', () => {
  expect(authorizationErrorScenarios).toHaveLength(7)
})
