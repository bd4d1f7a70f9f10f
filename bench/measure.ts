/** The measurements: contenders take turns, so that what disturbs the machine disturbs all of them. */
import { start, type Contender, type ContenderName } from './contender.ts'
import { perTurn, repeat, tasks, type TaskName } from './load.ts'
import type { BenchOptions } from './options.ts'

export type Medians = Readonly<Record<ContenderName, number>>

/** How often a task is done. */
export interface Rates {
  /** By the clock on the wall: load generator, other programs and all. */
  readonly perSecond: Medians
  /** By the processor time of the server alone, which a busy machine does not change. */
  readonly perCpuSecond: Medians
}

/** Milliseconds from starting the process to the first answer of discovery. */
export async function startUp(
  names: readonly ContenderName[],
  { rounds }: BenchOptions,
): Promise<Medians> {
  const measured = await inTurns(names, rounds, async (name) => {
    const begin = performance.now()
    const contender = await start(name)
    await repeat(contender.endpoints, tasks.discovery, 1)
    const taken = performance.now() - begin
    await contender.stop()
    return taken
  })
  return medians(measured, (taken) => taken)
}

/** How often a task is done. The first turn warms up and does not count. */
export async function rates(
  contenders: readonly Contender[],
  task: TaskName,
  { rounds, scale }: BenchOptions,
): Promise<Rates> {
  const count = Math.ceil(perTurn[task] * scale)
  const byName = new Map(contenders.map((each) => [each.name, each]))
  for (const { endpoints } of contenders) await repeat(endpoints, tasks[task], count)
  const measured = await inTurns([...byName.keys()], rounds, async (name) => {
    const contender = byName.get(name)!
    const [cpu, wall] = [await contender.ask('cpu'), performance.now()]
    await repeat(contender.endpoints, tasks[task], count)
    const seconds = (performance.now() - wall) / 1000
    const cpuSeconds = ((await contender.ask('cpu')) - cpu) / 1000
    return { perSecond: count / seconds, perCpuSecond: count / cpuSeconds }
  })
  return {
    perSecond: medians(measured, ({ perSecond }) => perSecond),
    perCpuSecond: medians(measured, ({ perCpuSecond }) => perCpuSecond),
  }
}

export interface Growth {
  /** Megabytes of heap before the first token, and after each tenth of them. */
  readonly megabytes: readonly number[]
  /** The last of them by the one in the middle: 1 is flat. */
  readonly lastByMiddle: number
  /** Whether everything that was issued could be let expire after each tenth. */
  readonly expired: boolean
}

/** Issues tokens and watches the heap; whatever can expire does after each tenth. */
export async function memory(name: ContenderName, tokens: number): Promise<Growth> {
  const contender = await start(name)
  const bytes = [await contender.ask('memory')]
  let expired = false
  for (let tenth = 0; tenth < 10; tenth++) {
    await repeat(contender.endpoints, tasks.tokens, Math.ceil(tokens / 10))
    expired = await contender.ask('expire')
    // what has expired is forgotten by the requests that follow
    await repeat(contender.endpoints, tasks.tokens, 1)
    bytes.push(await contender.ask('memory'))
  }
  await contender.stop()
  const megabytes = bytes.map((each) => Math.round(each / 1e5) / 10)
  const lastByMiddle = (megabytes[10] ?? 0) / (megabytes[5] ?? 1)
  return { megabytes, lastByMiddle: Math.round(lastByMiddle * 100) / 100, expired }
}

async function inTurns<T>(
  names: readonly ContenderName[],
  rounds: number,
  measure: (name: ContenderName) => Promise<T>,
): Promise<ReadonlyMap<ContenderName, readonly T[]>> {
  const measured = new Map<ContenderName, T[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured.get(name)?.push(await measure(name))
  }
  return measured
}

function medians<T>(
  measured: ReadonlyMap<ContenderName, readonly T[]>,
  value: (each: T) => number,
): Medians {
  const all = [...measured].map(([name, each]) => [name, median(each.map(value))] as const)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name is there
  return Object.fromEntries(all) as Medians
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
