/** A shell with two commands of mcporter in it: each line is one command, run to its end. */

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [first, second] = process.argv.slice(2)
const home = process.env.HOME
const names = [process.env.MCP_NAME, process.env.MCP_NAME2]
const file = join(home, 'mcporter.json')
const mcpServers = Object.fromEntries(
  [first, second].map((url, index) => [names[index], { baseUrl: url }]),
)
mkdirSync(home, { recursive: true })
writeFileSync(file, JSON.stringify({ mcpServers, imports: [] }))

const program = join(import.meta.dirname, 'node_modules/.bin/mcporter')

function run(args) {
  const child = spawn(program, ['--config', file, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, MCPORTER_DAEMON_DIR: join(home, 'daemon') },
  })
  child.once('exit', () => process.stdout.write('$ '))
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [, tool, json] = /^(\S+)(?: (.*))?$/.exec(line)
  if (tool === 'auth') return run(['auth', names[0]])
  const server = tool === 'list_items' ? names[0] : names[1]
  run(['call', `${server}.${tool}`, '--args', json])
})
process.stdout.write('$ ')
