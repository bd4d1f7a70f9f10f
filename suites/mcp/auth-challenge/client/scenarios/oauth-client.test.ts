/** What is shared has its examples with RAP's tool; here is shown that it reads the recordings of this profile. */

import { expect, test } from 'vitest'
import { handoff } from '../handoff.ts'
import { options, recording } from '../testing.ts'
import { oauthClientScenarios } from './oauth-client.ts'

const forged = () => recording().asked().opened().requested({ state: 's' }).mark('forged')
const judge = (requirement: string, t: ReturnType<typeof recording>) =>
  oauthClientScenarios
    .find(({ id }) => id === 'state-missing')
    ?.checks.find((check) => check.requirement === requirement)
    ?.judge(t.transcript, options.context({}, undefined)).outcome

test.each([
  ['pass', forged().returned('code=c').window().mark('genuine')],
  ['violation', forged().returned('code=c').granted().mark('genuine')],
  ['inconclusive', forged()],
])('a forged callback: %s', (expected, t) => {
  expect(judge('oauth-client/validate-state', t)).toBe(expected)
})

const stateless = (codeChallengeMethod?: string) =>
  recording().asked().opened().requested({ state: undefined, codeChallengeMethod }).mark('forged')

test.each([
  ['not-offered', stateless('S256').returned('code=c').granted().mark('genuine')],
  ['not-offered', stateless('S256').returned('code=c&state=x').window().mark('genuine')],
  ['violation', stateless('plain').returned('code=c').granted().mark('genuine')],
  ['violation', stateless().returned('code=c').granted().mark('genuine')],
])('where requests have no state: %s', (expected, t) => {
  expect(judge('oauth-client/validate-state', t)).toBe(expected)
})

test.each([
  ['pass', forged().returned('code=c').mark('genuine').returned().granted()],
  ['violation', forged().returned('code=c').mark('genuine').returned().gaveUp()],
])('the genuine one after it: %s', (expected, t) => {
  expect(judge('oauth-client/forged-callback-keeps-call', t)).toBe(expected)
})

test.each([
  ['pass', recording().asked().opened()],
  ['inconclusive', recording().asked()],
] as const)('whether a user is asked: %s', (expected, t) => {
  const { outcome } = handoff.asksUser('call-1')(t.transcript, options.context({}, undefined))
  expect(outcome).toBe(expected)
})

const denied = () => forged().returned('error=access_denied&state=x').window().mark('genuine')
const twin = () => forged().returned('code=c&state=x').window().mark('genuine')

test.each([
  ['pass', 'the genuine one is still taken', denied().returned().granted(), twin().granted()],
  ['violation', 'nobody takes the genuine one', denied().returned().gaveUp(), twin().granted()],
  [
    'pass',
    'a forged code ends the flow as well',
    denied().returnedInVain().gaveUp(),
    twin().returnedInVain().gaveUp(),
  ],
  [
    'inconclusive',
    'a forged code is redeemed, and ends the flow',
    denied().returnedInVain().gaveUp(),
    forged().returned('code=c').granted().mark('genuine').returnedInVain().gaveUp(),
  ],
  [
    'inconclusive',
    'nothing says why the genuine code is not taken',
    denied().returned().gaveUp(),
    twin().returned().gaveUp(),
  ],
  ['inconclusive', 'it was not sent', forged(), twin().granted()],
])('a forged denial, %s: %s', (expected, _, t, control) => {
  const found = oauthClientScenarios
    .find(({ id }) => id === 'error-with-state-missing')
    ?.checks[0]?.judge(t.transcript, options.context({}, control.transcript))
  expect(found?.outcome).toBe(expected)
})

test('what goes by the words of an end is not asked', () => {
  const ids = oauthClientScenarios.map(({ id }) => id)
  expect(ids).toContain('state-missing')
  expect(ids).toContain('issuer-missing')
  expect(ids).not.toContain('issuer-wrong-in-error')
})
