import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRun } from '../../engine/run.ts'
import { Unreached } from '../../engine/scenario.ts'
import type { Clocked } from './jumps.ts'
import type { MovedClock } from './moved-clock.ts'
import { MovedInstances } from './moved-instances.ts'

const timing = { ackMs: 1, stepMs: 100, observeMs: 1, maxWaitMs: 1, graceMs: 1 }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clocks-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Programs in `group`, which date what they answer at this path alone, and those that were opened. */
function programs({ follows = true, group = process.pid }: { follows?: boolean; group?: number }) {
  const opened: string[] = []
  const run = createRun({ timing })
  const instances = new MovedInstances({ run, folder, path: '/about' })
  const open = (name: string, clock: MovedClock): Promise<Clocked> => {
    opened.push(name)
    const transport: Clocked['transport'] = ({ url }) => {
      const now = follows ? clock.now() : Date.now()
      const date = url.endsWith('/about') ? { date: new Date(now).toUTCString() } : {}
      return Promise.resolve({ status: 200, headers: date, body: { text: '', bytes: 0 } })
    }
    const implementation = { url: 'http://127.0.0.1:1', headers: {}, group }
    return Promise.resolve({ implementation, transport } as unknown as Clocked)
  }
  const ask = (scenario: string, timers: boolean, pend = () => Promise.resolve()) =>
    instances.open({
      recorder: run.recorder(scenario),
      behind: (waiting) => waiting,
      open,
      clocked: (own) => own,
      pend,
      timers,
    })
  return { instances, opened, ask }
}

/** A process group that nobody is in: nothing sleeps. */
const nobody = 2 ** 22 + 1

test('each scenario has a clock of its own, and the trial another one', async () => {
  const { instances, opened, ask } = programs({ group: nobody })
  const [first, second] = [await ask('one', true), await ask('two', false)]
  await first?.clock.jump(600_000)
  expect(opened).toEqual(['moved-clock-trial', 'moved-one', 'moved-two'])
  expect(readFileSync(join(folder, 'moved-one'), 'utf8')).toBe('+4200.000\n')
  expect(readFileSync(join(folder, 'moved-two'), 'utf8')).toBe('+3600.000\n')
  expect(second).toBeDefined()
  expect(instances.facts).toEqual({ moved: ['one', 'two'], real: {} })
})

test('a clock that stays is tried once, and the reason is told for each scenario', async () => {
  const { instances, opened, ask } = programs({ follows: false })
  expect(await ask('one', true)).toBeUndefined()
  expect(await ask('two', false)).toBeUndefined()
  const reason: unknown = expect.stringContaining('its clock cannot be moved: its Date is still')
  expect(instances.facts).toEqual({ moved: [], real: { one: reason, two: reason } })
  expect(opened).toEqual(['moved-clock-trial'])
})

test('what nothing can be made to wait on is not moved', async () => {
  const { instances, ask } = programs({ group: nobody })
  await ask('one', true, () => Promise.reject(new Unreached('no oauth message')))
  expect(instances.facts.real).toEqual({ one: 'no oauth message' })
})

test('what breaks is nobody to blame for', async () => {
  const { ask } = programs({ group: nobody })
  await expect(ask('one', true, () => Promise.reject(new TypeError('ours')))).rejects.toThrow(
    'ours',
  )
})
