/** A manager that was not written for the suite, in another language, and that keeps no flows at all, is conformant. */

import { expect, test } from 'vitest'
import { certify, implementation } from './run-cli.ts'

const configurationOf = (role: string, env: object, declares: object) => ({
  profile: `penguiflow-oauth/${role}`,
  implementation: { name: 'sealed states' },
  target: { command: [process.execPath, implementation('sealed-manager/adapter.mjs')], env },
  operation: { name: 'items_list', arguments: { search: 'Welcome' } },
  others: { secondProvider: { name: 'notes_list' } },
  declares: { durable: true, ...declares },
  timing: { step: '15s', maxWait: '25s' },
})

const both = { clock: true, durableFlows: true }

test.concurrent.each([
  ['manager', {}, both],
  ['manager', { EARLY: '1' }, both],
  ['planner', {}, {}],
])('as a %s, with %o', { timeout: 180_000 }, async (role, env, declares) => {
  const { code, record } = await certify(configurationOf(role, env, declares))
  const { findings, failures } = record
  expect(failures).toEqual([])
  const others = findings.filter(({ verdict }) => verdict !== 'pass')
  // Its model is offered no tool of a provider that nobody has configured.
  expect(others.map(({ scenario, verdict }) => [scenario, verdict])).toEqual(
    role === 'manager' ? [['unknown-provider', 'not-applicable']] : [],
  )
  expect(code).toBe(0)
})
