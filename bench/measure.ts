/** The measurements: contenders take turns, so that what disturbs the machine disturbs all of them. */
import { start, startCommand, type Contender, type ContenderName } from './contender.ts'
import { perTurn, repeat, tasks, type TaskName } from './load.ts'
import type { BenchOptions } from './options.ts'

/** By the names of the contenders that took part. */
export type Medians = Readonly<Record<string, number>>

/** How often a task is done. */
export interface Rates {
  /** By the clock on the wall: load generator, other programs and all. */
  readonly perSecond: Medians
  /** By the processor time of the server alone, which a busy machine does not change. */
  readonly perCpuSecond: Medians
}

/** Milliseconds from starting a process to the first answer of discovery. */
export async function startUp(
  names: readonly ContenderName[],
  { rounds }: BenchOptions,
): Promise<Medians> {
  const measured = await inTurns([...names, 'aoc provider'] as const, rounds, async (name) => {
    const begin = performance.now()
    const started = name === 'aoc provider' ? await startCommand() : await start(name)
    await repeat(started.endpoints, tasks.discovery, 1)
    const taken = performance.now() - begin
    await started.stop()
    return taken
  })
  return medians(measured, (taken) => taken)
}

/** How often a task is done, by servers whose code is compiled. */
export async function rates(
  contenders: readonly Contender[],
  task: TaskName,
  { rounds, scale }: BenchOptions,
): Promise<Rates> {
  const count = Math.ceil(perTurn[task] * scale)
  const byName = new Map(contenders.map((each) => [each.name, each]))
  const turn = async (contender: Contender) => {
    const [cpu, wall] = [await contender.ask('cpu'), performance.now()]
    await repeat(contender.endpoints, tasks[task], count)
    const seconds = (performance.now() - wall) / 1000
    const cpuSeconds = ((await contender.ask('cpu')) - cpu) / 1000
    return { perSecond: count / seconds, perCpuSecond: count / cpuSeconds }
  }
  for (const contender of contenders) await warm(() => turn(contender))
  const names = [...byName.keys()]
  const measured = await inTurns(names, rounds, (name) => turn(byName.get(name)!))
  return {
    perSecond: medians(measured, ({ perSecond }) => perSecond),
    perCpuSecond: medians(measured, ({ perCpuSecond }) => perCpuSecond),
  }
}

/** Takes turns that do not count, two to six, until one is hardly faster than those before: then the code is compiled. */
async function warm(turn: () => Promise<{ readonly perCpuSecond: number }>): Promise<void> {
  let { perCpuSecond: best } = await turn()
  for (let turns = 1; turns < 6; turns++) {
    const { perCpuSecond } = await turn()
    if (perCpuSecond < best * 1.03) return
    best = perCpuSecond
  }
}

/** Megabytes before the first token, and after each fifth of them. */
export interface Growth {
  /** What is alive: the heap after a full collection. */
  readonly heap: readonly number[]
  /** What the system counts as the process's. */
  readonly resident: readonly number[]
}

/** Issues tokens, none of which expires meanwhile, and watches the memory. */
export async function memory(name: ContenderName, tokens: number): Promise<Growth> {
  const contender = await start(name)
  const measured = [await contender.ask('memory')]
  for (let fifth = 0; fifth < 5; fifth++) {
    await repeat(contender.endpoints, tasks.tokens, Math.ceil(tokens / 5))
    measured.push(await contender.ask('memory'))
  }
  await contender.stop()
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  return {
    heap: measured.map(({ heap }) => megabytes(heap)),
    resident: measured.map(({ resident }) => megabytes(resident)),
  }
}

async function inTurns<Name extends string, T>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<T>,
): Promise<ReadonlyMap<Name, readonly T[]>> {
  const measured = new Map<Name, T[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured.get(name)?.push(await measure(name))
  }
  return measured
}

function medians<T>(
  measured: ReadonlyMap<string, readonly T[]>,
  value: (each: T) => number,
): Medians {
  return Object.fromEntries([...measured].map(([name, each]) => [name, median(each.map(value))]))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
