/** What is shared has its examples with RAP's tool; here is shown that it reads the recordings of this profile. */

import { expect, test } from 'vitest'
import type { Scenario } from '../../../../harness/engine/index.ts'
import { handoff } from '../handoff.ts'
import { items, options, recording, said } from '../testing.ts'
import {
  authorizationErrorScenarios,
  forgedCallbackScenarios,
  issuerScenarios,
  tokenScenarios,
} from './oauth-client.ts'

type Recording = ReturnType<typeof recording>

function outcome(requirement: string, scenario: Scenario<never, never>, t: Recording): string {
  const found = scenario.checks.find((check) => check.requirement === requirement)
  return found!.judge(t.transcript, options.context({}, undefined) as never).outcome
}

const stored = tokenScenarios.find(({ id }) => id === 'stored-token')!

test.each([
  [
    'pass',
    recording()
      .served()
      .begin()
      .on('call-1')
      .access()
      .on('call-2')
      .events([said.call(), said.result(items())]),
  ],
  ['violation', recording().served().asked()],
  ['inconclusive', recording().asked().asked()],
])('a stored token: %s', (expected, t) => {
  expect(outcome('oauth-client/reuse-stored-token', stored, t)).toBe(expected)
})

test.each([
  ['pass', 'call-1', recording().asked()],
  [
    'violation',
    'call-1',
    recording()
      .begin()
      .events([said.call(), said.result(items())]),
  ],
  ['violation', 'call-1', recording().begin().events([said.text()])],
  ['inconclusive', 'call-1', recording().begin()],
  ['inconclusive', 'call-2', recording().asked()],
] as const)('whether a user is asked: %s', (expected, call, t) => {
  const judge = handoff.asksUser(call)
  expect(judge(t.transcript, options.context({}, undefined)).outcome).toBe(expected)
})

const revoked = tokenScenarios.find(({ id }) => id === 'grant-revoked')!
/** The API refuses the token of the second call, which ends with that. */
const refused = () =>
  recording()
    .served()
    .begin()
    .on('call-1')
    .access({ outcome: 'refused' })
    .on('call-2')
    .events([said.call(), said.result({ error: 'the API refused the token' })])

test.each([
  ['pass', 'the next one asks', refused().asked()],
  ['pass', 'it asks at once', recording().served().asked()],
  [
    'violation',
    'the next one fails, too',
    refused()
      .begin()
      .events([said.call(), said.result({ error: 'again' })]),
  ],
  ['inconclusive', 'there is no next one', refused()],
])('a token that is refused: %s, %s', (expected, _title, t) => {
  expect(outcome('oauth-client/reauthorize-when-token-invalid', revoked, t)).toBe(expected)
})

test('a token that is refused: the next call completes, and the one after it is served', () => {
  const completed = refused().asked().decision().callback().grant().access()
  const done = completed.back([said.result(items())])
  expect(outcome('oauth-client/complete-call', revoked, done)).toBe('pass')
  const later = done
    .begin()
    .on('call-3')
    .access()
    .on('call-4')
    .events([said.call(), said.result(items())])
  expect(outcome('oauth-client/reuse-stored-token', revoked, later)).toBe('pass')
})

test.each([
  ['pass', 1],
  ['violation', 11],
  ['inconclusive', 0],
])('a refused token that is presented: %s, %i times', (expected, times) => {
  const t = recording().served().begin().on('call-1')
  for (let n = 0; n < times; n += 1) t.access({ outcome: 'refused' })
  expect(outcome('adk-credential/agent/refused-token-not-repeated', revoked, t)).toBe(expected)
})

test('every error of RFC 6749 §4.1.2.1 but a denial is asked of this profile, too, and one of OpenID Connect', () => {
  expect(authorizationErrorScenarios).toHaveLength(7)
})

test('what is not an agent’s is not asked of it', () => {
  const all = [...forgedCallbackScenarios, ...issuerScenarios]
  const asked = all.flatMap(({ checks }) => checks.map(({ requirement }) => requirement))
  expect(asked).not.toContain('oauth-client/forged-callback-keeps-call')
  expect(all.map(({ id }) => id)).not.toContain('issuer-missing')
})
