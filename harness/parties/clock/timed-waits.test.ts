import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { hasKernelTimer, sleepersOf } from './timed-waits.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
const readable = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** The process group of a program that has printed something. */
async function run(command: string, code: string): Promise<number> {
  const args = command === 'python3' ? ['-c', code] : ['--input-type=module', '-e', code]
  const child = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout, 'data')
  return child.pid!
}

const untilAsleep = (group: number) =>
  expect.poll(() => Math.max(0, ...sleepersOf(group).map(({ ms }) => ms)), { timeout: 5000 })

test.runIf(readable && hasPython).each([
  ['time.sleep', 'import time; print(1, flush=True); time.sleep(600)'],
  ['a lock', 'import threading as t; print(1, flush=True); t.Event().wait(600)'],
  ['poll', 'import select; p = select.poll(); print(1, flush=True); p.poll(600000)'],
  ['select', 'import select, sys; print(1, flush=True); select.select([sys.stdin], [], [], 600)'],
  ['epoll', 'import select; print(1, flush=True); select.epoll().poll(600)'],
])('%s of ten minutes is seen', async (_, code) => {
  const asleep = untilAsleep(await run('python3', code))
  await asleep.toBeGreaterThan(590_000)
  await asleep.toBeLessThanOrEqual(601_000)
})

test.runIf(readable)('a timer of Node is seen where its loop waits', async () => {
  const asleep = untilAsleep(
    await run(process.execPath, 'setTimeout(() => 0, 600_000); console.log(1)'),
  )
  await asleep.toBeGreaterThan(500_000)
})

test.runIf(readable && hasPython)('who waits for something does not sleep', async () => {
  const group = await run('python3', 'import sys; print(1, flush=True); sys.stdin.read()')
  await expect.poll(() => sleepersOf(group), { timeout: 5000 }).toEqual([])
  expect(hasKernelTimer(group)).toBe(false)
})

test.runIf(readable && hasPython)('a timer in the kernel is seen', async () => {
  const code = `
import ctypes
libc = ctypes.CDLL(None)
print(libc.timerfd_create(1, 0), flush=True)
input()`
  expect(hasKernelTimer(await run('python3', code))).toBe(true)
})
