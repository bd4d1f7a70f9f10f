/**
 * `npm run test:defects [-- --full] [--scenario ID,...] [--shard I/N] [--seed TEXT]`: runs the proof; what else is given goes
 * to vitest.
 */

import { execFileSync, spawn } from 'node:child_process'
import { readOptions, variables, type ProofOptions } from './options.ts'

const env = { ...process.env }
const others: string[] = []
const given = process.argv.slice(2)
for (let arg = given.shift(); arg !== undefined; arg = given.shift()) {
  if (arg === '--full') env[variables.full] = '1'
  else if (arg === '--scenario') env[variables.scenarios] = given.shift() ?? ''
  else if (arg === '--shard') env[variables.shard] = given.shift() ?? ''
  else if (arg === '--seed') env[variables.seed] = given.shift() ?? ''
  else others.push(arg)
}
env[variables.seed] ??= commit()
const { seed, ...options } = readOptions(env)
console.log(`proof: ${whatIsDriven(options)}; --seed ${seed}`)

const vitest = ['vitest', 'run', '--config', 'vitest.defects.config.ts', ...others]
spawn('npx', vitest, { env, stdio: 'inherit' }).once('exit', (code) => {
  process.exitCode = code ?? 1
})

function whatIsDriven({ full, scenarios }: Pick<ProofOptions, 'full' | 'scenarios'>): string {
  if (scenarios.length > 0) return `only ${scenarios.join(', ')}`
  return full ? 'everything' : 'what matters, and one other'
}

/** Each commit rotates to other scenarios. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return new Date().toISOString().slice(0, 10)
  }
}
