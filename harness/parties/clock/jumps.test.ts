import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clockStep } from '../../engine/judging/recorded.ts'
import { createRun } from '../../engine/run.ts'
import { HttpFailure, type HttpResponse } from '../http.ts'
import { Jumps, type Clocked } from './jumps.ts'
import { MovedClock } from './moved-clock.ts'
import { sleepersOf } from './timed-waits.ts'

const timing = { ackMs: 1, stepMs: 200, observeMs: 1, maxWaitMs: 1, graceMs: 1 }
const hour = 3600_000
const hasPython = spawnSync('python3', ['--version']).status === 0
const readable = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const fileOf = () => join(folder, 'clock')
const answer = (headers: Record<string, string>): HttpResponse => ({
  status: 404,
  headers,
  body: { text: '', bytes: 0 },
})

type Date_ = (clock: MovedClock, nth: number) => HttpResponse

function begin(respond: Date_, group?: number) {
  const run = createRun({ timing })
  const clock = new MovedClock(fileOf(), '/lib/libfaketime.so.1')
  let nth = 0
  const implementation = { url: 'http://127.0.0.1:1', headers: {}, group }
  const transport = async () => respond(clock, (nth += 1))
  const parts = { implementation, transport } as unknown as Clocked
  return { run, clock, jumps: Jumps.begin({ clock, ...parts, recorder: run.log, run }) }
}

const moved: Date_ = (clock) => answer({ date: new Date(clock.now()).toUTCString() })

test('a clock is moved in a file, and its programs are told where it is', () => {
  const clock = new MovedClock(fileOf(), '/lib/libfaketime.so.1')
  expect(readFileSync(fileOf(), 'utf8')).toBe('+0.000\n')
  clock.advance(600_100)
  clock.advance(1)
  expect(readFileSync(fileOf(), 'utf8')).toBe('+600.101\n')
  expect(clock.offset).toBe(600_101)
  expect(clock.environment).toMatchObject({ FAKETIME_TIMESTAMP_FILE: fileOf() })
})

test('a jump that is shown is recorded', async () => {
  const { jumps, run, clock } = begin(moved)
  await (await jumps).jump(600_000, { nap: 7 })
  const steps = run.log.transcript().steps(clockStep)
  expect(steps.map(({ detail }) => detail)).toEqual([{ ms: hour }, { ms: 600_000, nap: 7 }])
  expect(run.log.transcript().steps('clock-shown')).toHaveLength(2)
  expect(clock.offset).toBe(hour + 600_000)
})

test('a Date that follows a little later is waited for', async () => {
  const late: Date_ = (clock, nth) =>
    nth < 3 ? answer({ date: new Date().toUTCString() }) : moved(clock, nth)
  await expect(begin(late).jumps).resolves.toBeInstanceOf(Jumps)
})

test.each<[string, Date_]>([
  ['a clock of its own', () => answer({ date: new Date().toUTCString() })],
  ['no Date', () => answer({})],
  ['a Date that is none', () => answer({ date: 'today' })],
  [
    'no answer',
    () => {
      throw new HttpFailure('ECONNRESET', 'reset')
    },
  ],
])('a program with %s is not movable', async (_, respond) => {
  await expect(begin(respond).jumps).rejects.toThrow('its clock cannot be moved')
})

test('no jump goes beyond what the certificates last', async () => {
  const jumps = await begin(moved).jumps
  await expect(jumps.jump(301 * 24 * hour)).rejects.toThrow('300 days')
})

test('what is no process of the run cannot be looked at', async () => {
  await expect((await begin(moved).jumps).nap()).rejects.toThrow(
    'not a process that this run started',
  )
})

test.runIf(readable && hasPython)('who sleeps through a jump is waited for', async () => {
  const [code, output] = [
    'import time; print(1, flush=True); time.sleep(1)',
    ['ignore', 'pipe'] as const,
  ]
  const child = spawn('python3', ['-c', code], { detached: true, stdio: [...output, 'inherit'] })
  await once(child.stdout, 'data')
  const jumps = await begin(moved, child.pid).jumps
  await expect.poll(() => jumps.nap()).toBeGreaterThan(500)
  expect(child.exitCode).toBeNull()
  await jumps.awake()
  expect(sleepersOf(child.pid!)).toEqual([])
})
