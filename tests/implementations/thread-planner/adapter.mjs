/**
 * A planner that interrupts threads: a pause is resumed by the id of its thread, which the application chose, and the node
 * that was interrupted runs again. It keeps everything in memory, and cannot listen: callbacks come as commands.
 */

import { createHash, randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'

const say = (event, fields = {}) =>
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`)
let settings = {}
const [threads, flows, tokens] = [new Map(), new Map(), new Map()]

class Interrupt extends Error {
  constructor(payload) {
    super('interrupted')
    this.payload = payload
  }
}

function authorize(user, provider, prefix) {
  const [state, verifier] = [randomBytes(24).toString('hex'), randomBytes(40).toString('base64url')]
  flows.set(state, { user, provider, prefix, verifier })
  const url = new URL(settings['provider.authorizationEndpoint'])
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: settings[`${prefix}.clientId`],
    redirect_uri: settings['callback.url'],
    scope: 'items:read',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return { display_name: provider, auth_url: url.href, scopes: 'items:read', state }
}

async function tool({ user }, name) {
  const provider = name.replace(/_list$/, '')
  const prefix = provider === settings['provider.name'] ? 'provider' : 'provider2'
  if (user === '') throw new Error('nobody to act for')
  const token = tokens.get(`${user} ${provider}`)
  if (token === undefined) {
    const request = authorize(user, provider, prefix)
    throw new Interrupt({ pause_type: 'oauth', provider, ...request, thread_note: 'resume me' })
  }
  const answer = await fetch(`${settings['resource.url']}/items`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`the API answered ${answer.status}`)
  return answer.text()
}

async function run(thread) {
  for (let turn = 0; turn < 12; turn += 1) {
    // A node that was interrupted runs again, without another word of the model.
    thread.calls ??= await ask(thread)
    while (thread.calls.length > 0) {
      const [{ id, function: called }] = thread.calls
      const content = await tool(thread, called.name).catch((error) => {
        if (error instanceof Interrupt) throw error
        return `Error: ${error.message}`
      })
      thread.calls.shift()
      thread.messages.push({ role: 'tool', tool_call_id: id, content })
    }
    const last = thread.messages.at(-1)
    if (last.role === 'assistant') return say('finished', { ...thread.about, text: last.content })
    delete thread.calls
  }
  throw new Error('too many turns')
}

async function ask(thread) {
  const tools = ['items_list', 'notes_list'].map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {} } },
  }))
  const answer = await fetch(`${settings['model.url']}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${settings['model.key']}`,
    },
    body: JSON.stringify({ model: 'model-1', messages: thread.messages, tools }),
  })
  const { message } = (await answer.json()).choices[0]
  thread.messages.push(message)
  return [...(message.tool_calls ?? [])]
}

function go(thread) {
  run(thread).catch((error) => {
    if (!(error instanceof Interrupt)) {
      return say('run_failed', { ...thread.about, kind: error.name, message: error.message })
    }
    threads.set(thread.about.conversation, thread)
    const { payload } = error
    const handle = thread.about.conversation
    return say('paused', { ...thread.about, handle, reason: 'external_event', payload })
  })
}

const commands = {
  hello: () => ({ protocol: 2, capabilities: ['callback'] }),
  configure: (command) => void (settings = command.settings),
  start: () => undefined,
  message({ conversation, user, text }) {
    go({ about: { conversation }, user, messages: [{ role: 'user', content: text }] })
  },
  resume({ conversation, user, handle, input }) {
    const thread = threads.get(handle)
    if (thread === undefined || thread.user !== user) {
      return void say('run_failed', {
        conversation,
        kind: 'NotInterrupted',
        message: 'no such thread',
      })
    }
    threads.delete(handle)
    if (input === 'no') {
      return void say('finished', { conversation, text: 'I left it, as you wish.' })
    }
    return void go(thread)
  },
  async callback({ url }) {
    const given = new URL(url).searchParams
    const flow = flows.get(given.get('state'))
    flows.delete(given.get('state'))
    const code = given.get('code')
    if (!flow || !code) return void say('callback', { outcome: 'refused', message: 'no code' })
    const answer = await fetch(settings['provider.tokenEndpoint'], {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: settings['callback.url'],
        code_verifier: flow.verifier,
        client_id: settings[`${flow.prefix}.clientId`],
        client_secret: settings[`${flow.prefix}.clientSecret`],
      }),
    })
    if (!answer.ok) return void say('callback', { outcome: 'refused', message: `${answer.status}` })
    tokens.set(`${flow.user} ${flow.provider}`, (await answer.json()).access_token)
    return void say('callback', { outcome: 'stored', user: flow.user })
  },
  shutdown: () => setImmediate(() => process.exit(0)) && undefined,
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const command = JSON.parse(line)
  const handler = commands[command.command]
  if (!handler) return say('unsupported', { id: command.id })
  const more = await handler(command)
  return say('settled', { id: command.id, ...more })
})
