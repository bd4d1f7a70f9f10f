/** Runs the benchmark, tells what it measures, and writes the results. */
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { contenderNames, start } from './contender.ts'
import { prepareJava } from './java.ts'
import { memory, rates, startUp, type Growth, type Medians } from './measure.ts'
import { readOptions, usage, type BenchOptions } from './options.ts'
import { goalsOf, ratiosOf, type Results } from './results.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') say(usage)
  else await run(options)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}

async function run(options: BenchOptions): Promise<void> {
  const results = await measure(options)
  const goals = goalsOf(results)
  for (const [name, { value, wanted, holds }] of Object.entries(goals)) {
    say(`${holds ? 'holds' : 'FAILS'}  ${name}: ${value} (${wanted})`)
  }
  const file = {
    goals,
    ratios: ratiosOf(results),
    memory: results.memory,
    measured: { startUp: results.startUp, rates: results.rates },
    with: { ...options, node: process.version, processor: cpus()[0]?.model, cores: cpus().length },
  }
  await writeFile(options.output, `${JSON.stringify(file, null, 2)}\n`)
  say(`written to ${options.output}`)
}

async function measure(options: BenchOptions): Promise<Results> {
  const names = contenderNames.filter((name) => name !== 'mock-oauth2-server' || prepareJava())
  if (names.length < contenderNames.length) say('without mock-oauth2-server: no java, or no mvn')
  say(`${names.length} contenders take ${options.rounds} turns each; medians:`)
  const started = await startUp(names, options)
  say(line('start-up to first answer, ms', started))
  const contenders = await Promise.all(names.map(start))
  const measured = async (task: Parameters<typeof rates>[1]) => {
    const result = await rates(contenders, task, options)
    say(line(`${task} per second`, result.perSecond))
    say(line(`${task} per second of the server's processor`, result.perCpuSecond))
    return result
  }
  const byTask = {
    discovery: await measured('discovery'),
    jwks: await measured('jwks'),
    tokens: await measured('tokens'),
    rounds: await measured('rounds'),
  }
  await Promise.all(contenders.map((each) => each.stop()))
  const growth: Record<string, Growth> = {}
  for (const name of names.filter((each) => each !== 'bare')) {
    const grown = await memory(name, options.tokens)
    growth[name] = grown
    say(`${name}, MB over ${options.tokens} tokens: heap ${grown.heap.join(' ')}`)
    say(`${name}, MB over ${options.tokens} tokens: resident ${grown.resident.join(' ')}`)
  }
  return { startUp: started, rates: byTask, memory: growth }
}

function line(what: string, medians: Medians): string {
  const values = Object.entries(medians).map(([name, value]) => `${name} ${Math.round(value)}`)
  return `${what}: ${values.join(', ')}`
}
