/** What is shared has its examples with RAP's tool; here is shown where a manager lets its secrets out. */

import { expect, test } from 'vitest'
import { options, recording, sighting } from '../testing.ts'
import { wholeRun } from './whole-run.ts'

function outcome(requirement: string, t: ReturnType<typeof recording>): string {
  const found = wholeRun.checks.find((check) => check.requirement === requirement)
  return found!.judge(t.transcript, options.context({}, undefined)).outcome
}

const refusal = (...secrets: ReturnType<typeof sighting>[]) =>
  recording()
    .served()
    .event(
      { type: 'step', action: 'callback-taken', detail: { outcome: 'refused', message: 'x' } },
      ...secrets,
    )

test.each([
  ['pass', refusal()],
  ['violation', refusal(sighting('authorization_code'))],
  ['inconclusive', recording().asked()],
])('a code in a refusal: %s', (expected, t) => {
  expect(outcome('oauth-client/no-secrets-in-output', t)).toBe(expected)
})

test('a token in the page for the browser', () => {
  const page = { exchange: 'b1', channel: 'browser' } as const
  const t = recording()
    .served()
    .event({
      type: 'request',
      ...page,
      method: 'GET',
      url: 'http://127.0.0.1:8000/cb',
      headers: {},
    })
    .event(
      { type: 'response', ...page, status: 200, headers: { 'set-cookie': 't=x' } },
      sighting('access_token', 'headers.set-cookie'),
    )
  expect(outcome('oauth-client/no-secrets-in-output', t)).toBe('violation')
})

test('a client secret in a refusal, and in a log', () => {
  const rows = [
    refusal(sighting('client_secret')),
    recording().served().printed('shared stderr', 'x', sighting('client_secret')),
  ]
  expect(rows.map((t) => outcome('oauth-client/no-client-secret-in-output', t))).toEqual([
    'violation',
    'violation',
  ])
})

const inUrl = (state: string) => ({ auth_url: `https://as/authorize?state=${state}`, state: 's' })

test.each([
  ['pass', recording().begin().paused(inUrl('s')).paused(inUrl('s'))],
  ['pass', recording().begin().paused({ auth_url: 'https://as/authorize?request_uri=u' })],
  [
    'pass',
    recording()
      .begin()
      .paused({ ...inUrl('t'), state: undefined }),
  ],
  ['violation', recording().begin().paused(inUrl('s')).paused(inUrl('t'))],
  ['inconclusive', recording().begin().finished()],
])('the state of every payload: %s', (expected, t) => {
  expect(outcome('penguiflow-oauth/manager/payload-matches-url', t)).toBe(expected)
})
