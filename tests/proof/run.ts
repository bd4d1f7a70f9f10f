/**
 * `npm run test:defects [-- --full] [--scenario ID,...] [--shard I/N] [--seed TEXT]`: runs the proof; what else is given goes
 * to vitest.
 */

import { execFileSync, spawn } from 'node:child_process'
import { parseShard, variables } from './options.ts'

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
parseShard(env[variables.shard] ?? '1/1')
env[variables.seed] ??= commit()
const only = env[variables.scenarios] ?? ''
const what =
  only !== ''
    ? `only ${only} is driven`
    : env[variables.full] === '1'
      ? 'everything is driven'
      : 'what matters is driven, and one other'
console.log(`proof: ${what}; --seed ${env[variables.seed]}`)

const vitest = ['vitest', 'run', '--config', 'vitest.defects.config.ts', ...others]
spawn('npx', vitest, { env, stdio: 'inherit' }).once('exit', (code) => {
  process.exitCode = code ?? 1
})

/** Each commit rotates to other scenarios. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return new Date().toISOString().slice(0, 10)
  }
}
