/** What is shared has its examples with RAP's tool; here is shown that it reads the recordings of this profile. */

import { expect, test } from 'vitest'
import type { Scenario } from '../../../../../harness/engine/index.ts'
import { handoff } from '../handoff.ts'
import { options, recording } from '../testing.ts'
import { authorizationErrorScenarios, tokenScenarios } from './oauth-client.ts'

type Recording = ReturnType<typeof recording>

function outcome(
  requirement: string,
  scenario: Scenario<never, never>,
  t: Recording,
  control?: Recording,
): string {
  const found = scenario.checks.find((check) => check.requirement === requirement)
  return found!.judge(t.transcript, options.context({}, control?.transcript) as never).outcome
}

const stored = tokenScenarios.find(({ id }) => id === 'stored-token')!

test.each([
  ['pass', recording().served().begin().on('call-1').access().on('call-2').result()],
  ['violation', recording().served().begin().elicit()],
  ['inconclusive', recording().begin().result().begin().elicit()],
])('a stored token: %s', (expected, t) => {
  const judged = outcome('oauth-client/reuse-stored-token', stored, t)
  expect(judged).toBe(expected)
})

test.each([
  ['pass', 'call-1', recording().begin().elicit()],
  ['pass', 'call-1', recording().begin().result('sign in first').elicit()],
  ['violation', 'call-1', recording().begin().result().step('not-asked')],
  ['inconclusive', 'call-1', recording().begin().result()],
  ['inconclusive', 'call-2', recording().begin().elicit()],
] as const)('whether a user is asked: %s', (expected, call, t) => {
  const judge = handoff.asksUser(call)
  expect(judge(t.transcript, options.context({}, undefined)).outcome).toBe(expected)
})

const refused = () => recording().agreed().callback({ error: 'server_error', state: 's' })

test.each([
  ['pass', refused().failed('the provider had an error')],
  ['pass', refused().result('The provider had an error.')],
  ['violation', refused().result('[]')],
])('an error that is reported: %s', (expected, t) => {
  const scenario = authorizationErrorScenarios.find(({ id }) => id.endsWith('server-error'))!
  const requirement = 'oauth-client/report-authorization-error'
  expect(outcome(requirement, scenario, t, recording().served())).toBe(expected)
})

test('every error of RFC 6749 §4.1.2.1 but a denial is asked of this profile, too, and one of OpenID Connect', () => {
  expect(authorizationErrorScenarios).toHaveLength(7)
})
