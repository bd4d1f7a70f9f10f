/** What the measurements say: ratios, because only those mean the same on every machine. */
import { peerNames } from './contender.ts'
import type { TaskName } from './load.ts'
import type { Growth, Medians, Rates } from './measure.ts'

export interface Results {
  readonly startUp: Medians
  readonly rates: Readonly<Record<TaskName, Rates>>
  readonly memory: Readonly<Record<string, Growth>>
}

export interface Goal {
  readonly value: number
  readonly wanted: string
  readonly holds: boolean
}

/** The goals; rates by the processor time of the server. */
export function goalsOf({ startUp, rates, memory }: Results): Readonly<Record<string, Goal>> {
  const rate = (task: TaskName) => rates[task].perCpuSecond
  const { heap, resident } = memory['mock-provider'] ?? { heap: [], resident: [] }
  const fastest = Math.min(...ofPeers(startUp))
  return {
    'complete rounds, by the fastest peer': atLeast(3, byPeer(rate('rounds'))),
    'client credentials, by the fastest peer': atLeast(2, byPeer(rate('tokens'))),
    'discovery, by the ceiling': atLeast(0.9, byCeiling(rate('discovery'))),
    'milliseconds that `aoc provider` starts after the fastest peer': atMost(
      30,
      (startUp['aoc provider'] ?? Number.NaN) - fastest,
    ),
    'megabytes of heap after the last token': atMost(150, heap.at(-1) ?? Number.NaN),
    'resident megabytes after the last token': atMost(150, resident.at(-1) ?? Number.NaN),
  }
}

/** Ours divided by each of the others. */
export function ratiosOf({ startUp, rates }: Results) {
  const tasks = Object.entries(rates).flatMap(([task, { perSecond, perCpuSecond }]) => [
    [`${task} per second`, byEach(perSecond)] as const,
    [`${task} per processor second`, byEach(perCpuSecond)] as const,
  ])
  return { 'start-up time': byEach(startUp), ...Object.fromEntries(tasks) }
}

function byEach({ 'mock-provider': ours = Number.NaN, ...others }: Medians): Medians {
  const ratios = Object.entries(others).map(([name, theirs]) => [name, rounded(ours / theirs)])
  return Object.fromEntries(ratios)
}

const ours = (medians: Medians) => medians['mock-provider'] ?? Number.NaN
const ofPeers = (medians: Medians) => peerNames.flatMap((name) => medians[name] ?? [])
const byCeiling = (medians: Medians) => ours(medians) / (medians['bare'] ?? Number.NaN)
const byPeer = (medians: Medians) => ours(medians) / Math.max(...ofPeers(medians))

const atLeast = (bound: number, value: number): Goal => ({
  value: rounded(value),
  wanted: `at least ${bound}`,
  holds: value >= bound,
})

const atMost = (bound: number, value: number): Goal => ({
  value: rounded(value),
  wanted: `at most ${bound}`,
  holds: value <= bound,
})

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
