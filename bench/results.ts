/** What the measurements say: ratios, because only those mean the same on every machine. */
import type { ContenderName } from './contender.ts'
import type { TaskName } from './load.ts'
import type { Growth, Medians, Rates } from './measure.ts'

export interface Results {
  readonly startUp: Medians
  readonly rates: Readonly<Record<TaskName, Rates>>
  readonly memory: Readonly<Record<Exclude<ContenderName, 'bare'>, Growth>>
}

export interface Goal {
  readonly ratio: number
  readonly wanted: string
  readonly holds: boolean
}

/** The goals, each by the clock on the wall and by the processor time of the server. */
export function goalsOf({ rates, memory }: Results): Readonly<Record<string, Goal>> {
  const { rounds, discovery } = rates
  return {
    'complete rounds per second, by the faster peer': atLeast(3, byPeer(rounds.perSecond)),
    'complete rounds per processor second, by the faster peer': atLeast(
      3,
      byPeer(rounds.perCpuSecond),
    ),
    'discovery per second, by the ceiling': atLeast(0.9, byCeiling(discovery.perSecond)),
    'discovery per processor second, by the ceiling': atLeast(
      0.9,
      byCeiling(discovery.perCpuSecond),
    ),
    'heap at the end, by the heap half-way': atMost(1.1, memory['mock-provider'].lastByMiddle),
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

function byEach({ 'mock-provider': ours, ...others }: Medians): Readonly<Record<string, number>> {
  const ratios = Object.entries(others).map(([name, theirs]) => [name, rounded(ours / theirs)])
  return Object.fromEntries(ratios)
}

const byCeiling = (medians: Medians) => medians['mock-provider'] / medians.bare

const byPeer = (medians: Medians) =>
  medians['mock-provider'] / Math.max(medians['oauth2-mock-server'], medians['oidc-provider'])

const atLeast = (bound: number, ratio: number): Goal => ({
  ratio: rounded(ratio),
  wanted: `at least ${bound}`,
  holds: ratio >= bound,
})

const atMost = (bound: number, ratio: number): Goal => ({
  ratio: rounded(ratio),
  wanted: `at most ${bound}`,
  holds: ratio <= bound,
})

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
