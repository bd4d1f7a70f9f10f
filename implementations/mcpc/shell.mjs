/** A shell with two commands of mcpc in it: each line is one command, run to its end. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const program = join(import.meta.dirname, 'node_modules/.bin/mcpc')
/** The path of a socket must be short. */
const home = mkdtempSync(join(tmpdir(), 'mcpc-'))
const env = { ...process.env, MCPC_HOME_DIR: home }
const servers = process.argv.slice(2)
const sessions = ['@first', '@second']

function run(args) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve) => child.once('exit', resolve))
}

/** It gives its bridge five seconds to start; on a busy machine that is a matter of another try. */
async function connect(url, session) {
  for (let attempt = 1; attempt <= 5; attempt += 1)
    if ((await run(['connect', url, session])) === 0) return
}

for (const [index, url] of servers.entries()) await connect(url, sessions[index])
const lines = createInterface({ input: process.stdin })
async function end() {
  await run(['clean', 'all'])
  rmSync(home, { recursive: true, force: true })
  process.exit(0)
}

async function call(line) {
  const [, tool, json] = /^(\S+) (.*)$/.exec(line)
  await run([sessions[tool === 'list_items' ? 0 : 1], 'tools-call', tool, json])
  process.stdout.write('$ ')
}

// Its bridges would outlive it.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void end())
lines.on('close', () => void end())
lines.on('line', (line) => void call(line))
process.stdout.write('$ ')
