/**
 * Speaks the adapter protocol for mcpdo, the Inspector's program for a shell: each command is a process, and a call that waits
 * for its user ends with a text that says how to answer. That text is what the user reads, and its commands are what is run.
 */

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const program = join(import.meta.dirname, 'node_modules/.bin/mcpdo')
const answers = { accept: '--done', decline: '--decline', cancel: '--cancel' }
/** The path of a socket must be short. */
const daemon = mkdtempSync(join(tmpdir(), 'mcpdo-'))
let settings = {}

function say(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

/** Runs a command to its end; what it prints may ask the user something. */
function run(...args) {
  const home = settings['data.dir']
  return new Promise((resolve) => {
    const child = spawn(program, ['--config', join(home, 'servers.json'), '--plain', ...args], {
      env: {
        ...process.env,
        HOME: home,
        MCP_INSPECTOR_DAEMON_DIR: daemon,
        MCP_INSPECTOR_SECRET_STORE: 'file',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    const read = (piece) => (text += piece)
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', (code) => {
      const id = /elicitation\/respond (\S+) --/.exec(text)?.[1]
      if (id !== undefined) say({ event: 'prompt', id, text })
      else say({ event: 'surfaced', text })
      resolve({ code, text })
    })
  })
}

const servers = () =>
  ['', '2'].map((nth) => [settings[`mcp.name${nth}`], settings[`mcp.url${nth}`]])

const commands = {
  hello: () => ({ protocol: 1, name: 'mcpdo', capabilities: ['call', 'answer'] }),
  configure({ settings: told }) {
    settings = told
    const mcpServers = Object.fromEntries(
      servers().map(([name, url]) => [name, { type: 'streamable-http', url }]),
    )
    mkdirSync(settings['data.dir'], { recursive: true })
    writeFileSync(join(settings['data.dir'], 'servers.json'), JSON.stringify({ mcpServers }))
  },
  async start() {
    for (const [name] of servers()) {
      const { code, text } = await run('connect', name)
      if (code !== 0) throw new Error(text)
    }
  },
  call({ tool, arguments: given }) {
    const [name] = servers()[tool === 'list_items' ? 0 : 1]
    void run('--connection', name, 'tools/call', tool, JSON.stringify(given))
  },
  answer: ({ prompt, action }) => void run('elicitation/respond', prompt, answers[action]),
  async shutdown() {
    await run('daemon', 'stop')
    rmSync(daemon, { recursive: true, force: true })
    setImmediate(() => process.exit(0))
  },
}

async function carryOut(line) {
  const { id, command, ...given } = JSON.parse(line)
  if (commands[command] === undefined) return say({ event: 'unsupported', id })
  try {
    say({ event: 'settled', id, ...(await commands[command](given)) })
  } catch (error) {
    say({ event: 'failed', id, message: String(error.message) })
  }
}

createInterface({ input: process.stdin }).on('line', (line) => void carryOut(line))
