/**
 * Speaks the adapter protocol for opencode: each call of a tool is a conversation of `opencode run`, whose model is a script
 * that calls the tool once and then stops. What opencode prints is what its user reads.
 */

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('XDG_')),
)
let settings = {}
let asked
const running = new Set()
const model = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => (body += piece))
  request.on('end', () => answer(JSON.parse(body), response))
})

function say(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

/** Chat completions, streamed: the tool first, and a word at the end. */
function answer({ messages, tools = [] }, response) {
  const tool = tools.find(({ function: { name } }) => name.endsWith(asked.tool))?.function.name
  const isFirst = tool !== undefined && !messages.some(({ role }) => role === 'tool')
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(asked.arguments) },
  }
  const delta = isFirst
    ? { role: 'assistant', tool_calls: [call] }
    : { role: 'assistant', content: 'Done.' }
  const chunk = (choice) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'script',
    choices: [{ index: 0, ...choice }],
  })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const each of [
    chunk({ delta, finish_reason: null }),
    chunk({ delta: {}, finish_reason: isFirst ? 'tool_calls' : 'stop' }),
  ]) {
    response.write(`data: ${JSON.stringify(each)}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

/** A home of its own, with the servers and the model. */
function configure() {
  const home = settings['data.dir']
  const options = { baseURL: `http://127.0.0.1:${model.address().port}/v1`, apiKey: 'none' }
  const servers = ['', '2'].map((nth) => [
    settings[`mcp.name${nth}`],
    { type: 'remote', url: settings[`mcp.url${nth}`], enabled: true },
  ])
  mkdirSync(join(home, 'project'), { recursive: true })
  const configuration = {
    model: 'scripted/script',
    small_model: 'scripted/script',
    autoupdate: false,
    share: 'disabled',
    permission: 'allow',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options,
        models: { script: { tool_call: true } },
      },
    },
    mcp: Object.fromEntries(servers),
  }
  writeFileSync(join(home, 'project', 'opencode.json'), JSON.stringify(configuration))
}

function call(command) {
  asked = command
  const home = settings['data.dir']
  const program = join(import.meta.dirname, 'node_modules/.bin/opencode')
  const child = spawn(program, ['run', 'List what my account holds.'], {
    cwd: join(home, 'project'),
    env: {
      ...environment,
      HOME: home,
      PWD: join(home, 'project'),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const show = (piece) => say({ event: 'surfaced', text: String(piece) })
  child.stdout.on('data', show)
  child.stderr.on('data', show)
}

const commands = {
  hello: ({ id }) =>
    say({ event: 'settled', id, protocol: 1, name: 'opencode', capabilities: ['call'] }),
  configure({ id, settings: told }) {
    settings = told
    say({ event: 'settled', id })
  },
  start: ({ id }) =>
    model.listen(0, '127.0.0.1', () => {
      configure()
      say({ event: 'settled', id })
    }),
  call(command) {
    call(command)
    say({ event: 'settled', id: command.id })
  },
  shutdown({ id }) {
    for (const child of running) child.kill()
    say({ event: 'settled', id })
    process.exit(0)
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const command = JSON.parse(line)
  const carryOut = commands[command.command] ?? (({ id }) => say({ event: 'unsupported', id }))
  carryOut(command)
})
