/**
 * How long a program sleeps whatever its clock says: a jump is noticed by who looks at the time, and a thread in a timed
 * wait looks when that ends. Read from `/proc` (proc(5)); what cannot be read counts as sleeping for ever.
 */

import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import { list, readProcess, threadsOf } from '../implementation/processes.ts'

/** Where a system call has its timeout: milliseconds, or the address of two 64-bit numbers. */
interface TimedCall {
  readonly argument: number
  readonly unit: 'ms' | 'timespec' | 'timeval'
  /** Whether the time is a moment on a clock, and on which. */
  readonly absolute?: (args: readonly number[]) => 'monotonic' | 'realtime' | undefined
  /** Whether it is a wait at all. */
  readonly waits?: (args: readonly number[]) => boolean
}

const [futexWait, futexWaitBitset, futexRealtime] = [0, 9, 256]
const futex: TimedCall = {
  argument: 3,
  unit: 'timespec',
  waits: ([, operation = 0]) => [futexWait, futexWaitBitset].includes(operation & 127),
  absolute: ([, operation = 0]) => {
    if ((operation & 127) !== futexWaitBitset) return undefined
    return operation & futexRealtime ? 'realtime' : 'monotonic'
  },
}
const clockNanosleep: TimedCall = {
  argument: 2,
  unit: 'timespec',
  absolute: ([clock, flags = 0]) => {
    if ((flags & 1) === 0) return undefined
    return clock === 0 ? 'realtime' : 'monotonic'
  },
}
const milliseconds = (argument: number): TimedCall => ({ argument, unit: 'ms' })
const timespec = (argument: number): TimedCall => ({ argument, unit: 'timespec' })

/** The calls of an architecture by their numbers; others do not end by themselves. */
const calls: Readonly<Record<string, ReadonlyMap<number, TimedCall>>> = {
  x64: new Map([
    [7, milliseconds(2)], // poll
    [23, { argument: 4, unit: 'timeval' }], // select
    [35, timespec(0)], // nanosleep
    [128, timespec(2)], // rt_sigtimedwait
    [202, futex],
    [220, timespec(3)], // semtimedop
    [230, clockNanosleep],
    [232, milliseconds(3)], // epoll_wait
    [270, timespec(4)], // pselect6
    [271, timespec(2)], // ppoll
    [281, milliseconds(3)], // epoll_pwait
    [441, timespec(3)], // epoll_pwait2
  ]),
  arm64: new Map([
    [22, milliseconds(3)], // epoll_pwait
    [72, timespec(4)], // pselect6
    [73, timespec(2)], // ppoll
    [98, futex],
    [101, timespec(0)], // nanosleep
    [115, clockNanosleep],
    [137, timespec(2)], // rt_sigtimedwait
    [192, timespec(3)], // semtimedop
    [441, timespec(3)], // epoll_pwait2
  ]),
}

/** A thread that sleeps, as far as that ends by itself. */
export interface Sleeper {
  readonly thread: number
  /** How often it has slept so far. */
  readonly naps: string
  /** Milliseconds until it looks again, at most. */
  readonly ms: number
}

/** The threads of a process group that are in a timed wait now. */
export function sleepersOf(group: number): readonly Sleeper[] {
  return threadsOf(group).flatMap(({ pid, thread }) => {
    const ms = sleepOf(pid, thread)
    return ms === undefined ? [] : [{ thread, naps: napsOf(pid, thread), ms }]
  })
}

/** Whether a process of the group has a timer in the kernel, which goes by the machine's clock. */
export function hasKernelTimer(group: number): boolean {
  const pids = new Set(threadsOf(group).map(({ pid }) => pid))
  return [...pids].some(
    (pid) =>
      readProcess(pid, 'timers').trim() !== '' ||
      list(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`).includes('[timerfd]')),
  )
}

/** Milliseconds; `undefined` for a thread that is awake, or waits until something happens. */
function sleepOf(pid: number, thread: number): number | undefined {
  const text = readProcess(pid, `task/${thread}/syscall`).trim()
  if (text === '') return list(`/proc/${pid}/task`).includes(String(thread)) ? Infinity : undefined
  const [number = 0, ...args] = text.split(' ').map(Number)
  const known = calls[process.arch]
  if (!known) return Infinity
  const call = known.get(number)
  const given = args[call?.argument ?? 0]
  if (!call || given === undefined || call.waits?.(args) === false) return undefined
  if (call.unit === 'ms') return given > 0x7fffffff ? undefined : given
  if (given === 0) return undefined
  const [seconds, parts] = numbersAt(pid, given) ?? [Infinity, 0]
  const ms = seconds * 1000 + parts / (call.unit === 'timespec' ? 1e6 : 1e3)
  const clock = call.absolute?.(args)
  return clock === undefined ? ms : Math.max(0, ms - clocks[clock]())
}

const clocks = {
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  realtime: () => Date.now(),
}

function numbersAt(pid: number, address: number): [number, number] | undefined {
  const bytes = Buffer.alloc(16)
  try {
    const file = openSync(`/proc/${pid}/mem`, 'r')
    try {
      readSync(file, bytes, 0, bytes.length, address)
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
  return [Number(bytes.readBigInt64LE(0)), Number(bytes.readBigInt64LE(8))]
}

function napsOf(pid: number, thread: number): string {
  return (
    /^voluntary_ctxt_switches:\s*(\d+)/m.exec(readProcess(pid, `task/${thread}/status`))?.[1] ?? ''
  )
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
