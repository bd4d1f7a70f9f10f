/** What is shared has its examples with RAP's tool; here is shown that it reads the recordings of this profile. */

import { expect, test } from 'vitest'
import { needsDurability, needsErrors } from '../conditions.ts'
import { handoff } from '../handoff.ts'
import { isAsked } from '../requirements/oauth-client.ts'
import { declared, options, recording } from '../testing.ts'
import type { ManagerScenario } from './define.ts'
import {
  authorizationRequests,
  exchangeErrorScenarios,
  forgedCallbackScenarios,
  issuerScenarios,
  replayAfterRestart,
  reusedCallbackScenarios,
  tokenScenarios,
  unusableTokenScenarios,
} from './oauth-client.ts'

type Recording = ReturnType<typeof recording>

const all: readonly ManagerScenario[] = [
  ...authorizationRequests,
  ...exchangeErrorScenarios,
  ...forgedCallbackScenarios,
  ...issuerScenarios,
  ...replayAfterRestart,
  ...reusedCallbackScenarios,
  ...tokenScenarios,
  ...unusableTokenScenarios,
]

function outcome(requirement: string, scenario: string, t: Recording): string {
  const found = all
    .find(({ id }) => id === scenario)!
    .checks.find((check) => check.requirement === requirement)
  return found!.judge(t.transcript, options.context({}, undefined)).outcome
}

test.each([
  ['pass', recording().served().begin().on('call-1').access().on('call-2').finished()],
  ['violation', recording().served().asked()],
  ['inconclusive', recording().asked().asked()],
])('a stored token: %s', (expected, t) => {
  expect(outcome('oauth-client/reuse-stored-token', 'stored-token', t)).toBe(expected)
})

const stranger = () => recording().served().begin().finished().begin('user-2')
const welcome = ['items_list', 'Welcome, subject-of-user-1'] as const
/** The conversation goes on, so its model is given what was said in it before. */
const remembered = () =>
  recording()
    .served()
    .begin()
    .finished()
    .on('call-3')
    .step('begin', { user: 'user-2', conversation: 'conversation-1' })
    .step('message', { user: 'user-2', conversation: 'conversation-1' })
    .told(welcome)
    .step('model-called', { id: 'm-1', name: 'items_list' })

test.each([
  ['pass', stranger().told(['items_list', 'PermissionError: of another user']).finished()],
  ['pass', stranger().paused()],
  ['pass', remembered().paused()],
  ['violation', stranger().told(welcome).finished()],
  ['violation', remembered().told(welcome, welcome).finished()],
  ['inconclusive', recording().served().begin().finished().on('call-3').step('begin').finished()],
])('somebody else in the conversation of one who has a token: %s', (expected, t) => {
  expect(outcome('oauth-client/token-bound-to-user', 'stored-token', t)).toBe(expected)
})

const unusable = () =>
  recording().asked().consent().callback().tokenRequest().took('refused').resume()
const isStillOpen = ['items_list', 'ToolAuthError: a consent is still open'] as const

test.each([
  ['pass', unusable().paused().window().begin().paused()],
  ['pass', unusable().paused().window().begin().told(isStillOpen).finished()],
  ['violation', unusable().finished().window().begin().told(isStillOpen).finished()],
  ['inconclusive', unusable().paused().window()],
])('a user who comes again after a token of no use: %s', (expected, t) => {
  expect(outcome('oauth-client/token-is-text', 'exchange-token-null-access-token', t)).toBe(
    expected,
  )
})

const forged = () => recording().asked().requested().mark('forged').callback({ code: 'c' })

test.each([
  ['pass', forged().took('refused').mark('genuine')],
  ['violation', forged().granted().mark('genuine')],
  ['inconclusive', recording().asked().requested()],
])('a forged callback: %s', (expected, t) => {
  expect(outcome('oauth-client/validate-state', 'state-missing', t)).toBe(expected)
})

test.each([
  ['pass', 'call-1', recording().asked()],
  ['violation', 'call-1', recording().begin().finished()],
  ['inconclusive', 'call-1', recording().begin()],
  ['inconclusive', 'call-2', recording().asked()],
] as const)('whether a user is asked: %s', (expected, call, t) => {
  const judge = handoff.asksUser(call)
  expect(judge(t.transcript, options.context({}, undefined)).outcome).toBe(expected)
})

test('what is not a manager’s is not asked of it', () => {
  const rows = all.flatMap(({ checks }) => checks.map(({ requirement }) => requirement))
  expect(rows.filter((row) => !isAsked(row))).toEqual([])
  expect(all.map(({ id }) => id)).not.toContain('issuer-missing')
})

test('what a manager is not given of a callback, and what it does not keep, is not asked', () => {
  expect(needsErrors({ ...declared, callback: 'code-state' })).toMatch(/code-state/)
  expect(needsDurability({ ...declared, durable: false })).toMatch(/durable/)
})
