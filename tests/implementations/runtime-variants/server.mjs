// A RAP runtime in plain Node that has many faces. Each word of VARIANT changes one habit of it; without any it
// answers tool calls by a placeholder, appends late results, and shows everything on every surface that it has.
//
//   chat | responses | messages   the model's wire, with -stream as a suffix for server-sent events
//   german       speaks German with its model            developer   tells of pending calls in system messages
//   manifest     begins with a long system prompt        titles      asks for a title beside every turn
//   markdown, html, json, slack   how links are written  async       answers callbacks 202 and acts afterwards
//   nocontent    answers callbacks 204                   ownids      has groups and ids unlike those of others
//   slow         waits before it asks the model          webhook     posts what it shows
//   secured      wants a key from its users
//   adapter      speaks the adapter protocol on its standard streams instead of HTTP with its users
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const has = (word) => (process.env.VARIANT ?? '').split(',').includes(word)
const settings = {
  port: process.env.PORT,
  url: process.env.PUBLIC_URL,
  toolsets: process.env.TOOLSETS?.split(','),
  model: process.env.MODEL_ORIGIN,
  key: process.env.MODEL_API_KEY,
  webhook: process.env.WEBHOOK_URL,
  data: process.env.DATA_DIR,
  timeoutMs: Number(process.env.CALL_TIMEOUT_MS || 600_000),
}
const german = has('german')
const words = german
  ? {
      running: (call) => `Der Aufruf ${call.id} läuft noch.`,
      authorizing: (call) => `Der Aufruf ${call.id}: die Freigabe durch den Benutzer steht aus.`,
      late: (call) => `Ergebnis von ${call.name} (${call.id}): ${call.text}`,
      refused: (status) => `Error: das Werkzeug antwortet ${status}`,
      timeout: 'Error: die Zeit ist um',
      cancelled: 'Error: abgebrochen',
    }
  : {
      running: (call) => `Call ${call.id} has been sent; its result follows.`,
      authorizing: (call) => `Call ${call.id} waits until the user has signed in.`,
      late: (call) => `[result of ${call.name}, call ${call.id}] ${call.text}`,
      refused: (status) => `Error: the tool cannot be reached (${status})`,
      timeout: 'Error: nobody signed in in time',
      cancelled: 'Error: cancelled by the user',
    }

const conversations = new Map()
const calls = new Map()
let moved = 0
const now = () => Date.now() + moved

function conversationOf(id, user) {
  if (!conversations.has(id)) {
    const group = has('ownids') ? `g:${createHash('sha1').update(id).digest('hex')}/α` : id
    const fresh = { id, group, user, items: [], shown: [], listeners: new Set(), turn: undefined }
    conversations.set(id, fresh)
  }
  return conversations.get(id)
}

// ---------------------------------------------------------------- what users see
function show(conversation, event) {
  const shown = { n: conversation.shown.length + 1, ...event }
  conversation.shown.push(shown)
  const text = has('html') ? htmlOf(shown) : JSON.stringify(shown)
  for (const listener of conversation.listeners) listener(text)
  if (has('adapter')) emit({ event: 'surfaced', conversation: conversation.id, text })
  if (has('webhook')) void post(settings.webhook, { conversation: conversation.id, ...shown })
}

const escaped = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const htmlOf = ({ text = '', card, link }) =>
  card
    ? `<script type="application/json">${card}</script>`
    : link
      ? `<p>${text} <a href="${escaped(link)}">Sign in</a></p>`
      : `<p>${escaped(text)}</p>`

function linkOf(url) {
  if (has('markdown')) {
    const target = url.replace(/[\\()*_~]/g, '\\$&')
    return { text: `Please [sign in](${target}).` }
  }
  if (has('slack')) return { text: `<${url.replaceAll('&', '&amp;')}|Sign in>` }
  if (has('json'))
    return { card: JSON.stringify({ actions: [{ open: url }] }).replaceAll('/', '\\/') }
  return { text: 'Please sign in:', link: url }
}

function forgetLink(conversation, call) {
  call.authUrl = undefined
  conversation.shown = conversation.shown.map((each) =>
    each.call === call.rapId ? { n: each.n, text: 'Sign-in requested.' } : each,
  )
}

function save() {
  if (!settings.data) return
  const all = [...conversations.values()].map(({ id, items, shown }) => ({ id, items, shown }))
  mkdirSync(settings.data, { recursive: true })
  writeFileSync(`${settings.data}/state.json`, JSON.stringify(all))
}

// ---------------------------------------------------------------- tools
/** What a conversation can call: fetched when it begins (RAP Toolsets, Caching). */
async function discover() {
  const found = []
  for (const base of settings.toolsets) {
    const toolset = await (await fetch(`${base}/.well-known/rap-toolset`)).json()
    if (!isToolset(toolset)) {
      console.error(`the toolset at ${base} is invalid, and left out`)
      continue
    }
    for (const tool of toolset.tools) found.push({ ...tool, endpoint: toolset.endpoint, base })
  }
  const isAlone = ({ name }) => found.filter((each) => each.name === name).length === 1
  for (const { name } of found.filter((each) => !isAlone(each)))
    console.error(`there are several tools ${name}, and none of them is offered`)
  return found.filter(isAlone)
}

/** RAP Toolsets, Validation: a toolset is valid as a whole, or not at all. */
function isToolset({ name, endpoint, tools }) {
  const isText = (value) => typeof value === 'string' && value !== ''
  const isObject = (value) => typeof value === 'object' && value !== null
  const isTool = (tool) =>
    isText(tool?.name) &&
    isText(tool.description) &&
    /^[^\s\p{C}]{1,128}$/u.test(tool.name) &&
    isObject(tool.inputSchema) &&
    (tool.inputSchema.properties === undefined || isObject(tool.inputSchema.properties))
  return (
    isText(name) &&
    URL.canParse(endpoint) &&
    Array.isArray(tools) &&
    tools[0] &&
    tools.every(isTool) &&
    new Set(tools.map((tool) => tool.name)).size === tools.length
  )
}

const post = (url, body, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function invoke(conversation, call) {
  const tool = (await conversation.tools).find(({ name }) => name === call.name)
  const message = {
    operation: call.name,
    arguments: call.arguments,
    id: call.rapId,
    call_id: call.id,
    callback_url: `${settings.url}/callback?token=${call.token}`,
    group_id: conversation.group,
    user_id: conversation.user ?? null,
  }
  for (let attempt = 0; ; attempt += 1) {
    const status = await post(tool.endpoint, message).then(
      (answer) => answer.status,
      (error) => error.cause?.code ?? 'no answer',
    )
    if (status === 200 || call.state !== 'running') return
    if (attempt === 3 || (status >= 400 && status < 500)) {
      return settle(conversation, call, words.refused(status))
    }
    await pause(100 * 2 ** attempt)
  }
}

function settle(conversation, call, text) {
  call.state = 'done'
  call.text = text
  forgetLink(conversation, call)
  // What the model was told already stays; the result is news.
  if (call.told && !has('developer'))
    conversation.items.push({ role: 'user', text: words.late(call) })
  save()
  think(conversation)
}

setInterval(() => {
  for (const call of calls.values()) {
    if (call.state !== 'done' && now() - call.since >= settings.timeoutMs) {
      settle(call.conversation, call, words.timeout)
    }
  }
}, 20).unref()

function takeCallback(token, body) {
  const message = parsed(body)
  const call = calls.get(token)
  if (typeof message !== 'object' || message === null || !call) return 400
  const { conversation } = call
  if (message.id !== call.rapId || message.group_id !== conversation.group) return 404
  if (call.state === 'done') return 409
  if (message.type === 'oauth') {
    const url = message.auth_url
    // oxlint-disable-next-line no-control-regex -- what no URL contains is refused (RFC 3986 §2)
    if (typeof url !== 'string' || /[\u0000-\u001f\u007f\\]/.test(url) || !URL.canParse(url))
      return 400
    const { protocol, username } = new URL(url)
    if (protocol !== 'https:' || username !== '') return 400
    if (url === call.authUrl) return 200
    call.authUrl = url
    call.state = 'authorizing'
    show(conversation, { call: call.rapId, ...linkOf(url) })
    return 200
  }
  if (message.type !== 'tool_result') return 400
  const text = Array.isArray(message.content)
    ? message.content.map((item) => item.text ?? '[image]').join('\n')
    : typeof message.text === 'string'
      ? message.text
      : undefined
  if (text === undefined) return 400
  settle(conversation, call, text)
  return 200
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function cancel(conversation) {
  for (const call of calls.values()) {
    if (call.conversation !== conversation || call.state === 'done') continue
    for (const base of settings.toolsets) {
      void post(`${base}/cancel_tool_call`, {
        thread_id: conversation.group,
        tool_call_id: call.rapId,
      })
    }
    settle(conversation, call, words.cancelled)
  }
}

// ---------------------------------------------------------------- the model
/** One turn of a conversation after the other; turns that wait become one. */
function think(conversation) {
  if (conversation.waiting) return
  conversation.waiting = true
  conversation.turn = (conversation.turn ?? Promise.resolve()).then(async () => {
    if (has('slow')) await pause(200)
    conversation.waiting = false
    await turn(conversation).catch((error) => console.error('turn failed', error.message))
  })
}

async function turn(conversation) {
  const tools = await (conversation.tools ??= discover())
  if (has('titles'))
    void ask([{ role: 'user', text: 'Give this a title.' }, ...conversation.items], [])
  const { text, requested } = await ask(conversation.items, tools, manifest(tools))
  const own = requested.map((each) => ({
    ...each,
    rapId: has('ownids') ? `${conversation.group}#${randomUUID()}` : each.id,
    token: randomUUID(),
    state: 'running',
    since: now(),
  }))
  conversation.items.push({ role: 'assistant', text, calls: own })
  for (const call of own) {
    Object.defineProperty(call, 'conversation', { value: conversation })
    calls.set(call.token, call)
    void invoke(conversation, call)
  }
  if (text) show(conversation, { text })
  save()
}

const manifest = (tools) =>
  `You are helpful. Tools: ${JSON.stringify(tools.map(({ name, description }) => ({ name, description })))}`

/** What the model is told of a call: its result, or how things stand. */
function toldOf(call) {
  if (call.state === 'done' && !call.told) return call.text
  call.told = true
  return (
    call.placeholder ??
    (call.placeholder = words[call.state === 'done' ? 'running' : call.state](call))
  )
}

/** Turns that are neutral: {role, text} | {role: 'assistant', text, calls} | {role: 'tool', id, text}. */
function historyOf(items, instruction) {
  const system = has('manifest') && instruction ? [{ role: 'system', text: instruction }] : []
  const waiting = []
  const turns = items.flatMap((item) => {
    if (!item.calls) return [item]
    if (!has('developer')) {
      // Where an authorization has been asked for since, that is said at the end.
      for (const call of item.calls) {
        if (call.state === 'authorizing' && call.placeholder) waiting.push(call)
      }
      return [
        item,
        ...item.calls.map((call) => ({ role: 'tool', id: call.id, text: toldOf(call) })),
      ]
    }
    const done = item.calls.filter(({ state }) => state === 'done')
    waiting.push(...item.calls.filter(({ state }) => state !== 'done'))
    const kept = done.length > 0 || item.text ? [{ ...item, calls: done }] : []
    return [...kept, ...done.map(({ id, text }) => ({ role: 'tool', id, text }))]
  })
  const notes = waiting.map((call) => ({ role: 'system', text: words[call.state](call) }))
  return [...system, ...turns, ...notes]
}

const wire = (process.env.VARIANT ?? '').match(/\b(chat|responses|messages)(-stream)?\b/) ?? [
  '',
  'chat',
]
const stream = wire[2] !== undefined

async function ask(items, tools, instruction) {
  const history = historyOf(items, instruction)
  if (wire[1] === 'messages') return askMessages(history, tools)
  return wire[1] === 'responses' ? askResponses(history, tools) : askChat(history, tools)
}

async function* eventsOf(answer) {
  let rest = ''
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    rest += chunk
    const blocks = rest.split('\n\n')
    rest = blocks.pop()
    for (const block of blocks) {
      const data = block.match(/^data: (.*)$/m)?.[1]
      if (data && data !== '[DONE]') yield JSON.parse(data)
    }
  }
}

async function askModel(path, body, headers) {
  const answer = await post(settings.model + path, { ...body, stream }, headers)
  if (!answer.ok) throw new Error(`the model answers ${answer.status}: ${await answer.text()}`)
  return answer
}
const bearer = () => ({ authorization: `Bearer ${settings.key}` })
const reply = (text, requested) => ({
  text: text ?? '',
  requested: requested.map(({ id, name, input }) => ({
    id,
    name,
    arguments: typeof input === 'string' ? JSON.parse(input || '{}') : input,
  })),
})

async function askChat(history, tools) {
  const messages = history.map(({ role, text, id, calls }) => ({
    role: role === 'system' && has('developer') ? 'developer' : role,
    content: text,
    ...(id ? { tool_call_id: id } : {}),
    ...(calls?.length
      ? {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          })),
        }
      : {}),
  }))
  const offered = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  const body = { model: 'any', messages, ...(offered.length ? { tools: offered } : {}) }
  const answer = await askModel('/v1/chat/completions', body, bearer())
  if (!stream) {
    const { message } = (await answer.json()).choices[0]
    const requested = (message.tool_calls ?? []).map(({ id, function: each }) => ({
      id,
      name: each.name,
      input: each.arguments,
    }))
    return reply(message.content, requested)
  }
  let text = ''
  const requested = []
  for await (const { choices } of eventsOf(answer)) {
    const delta = choices[0]?.delta ?? {}
    text += delta.content ?? ''
    for (const { index, id, function: each } of delta.tool_calls ?? []) {
      requested[index] ??= { id, name: each.name, input: '' }
      requested[index].input += each.arguments ?? ''
    }
  }
  return reply(text, requested)
}

async function askResponses(history, tools) {
  const input = history.flatMap(({ role, text, id, calls = [] }) => [
    ...(role === 'tool'
      ? [{ type: 'function_call_output', call_id: id, output: text }]
      : text
        ? [{ role, content: text }]
        : []),
    ...calls.map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    })),
  ])
  const offered = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
  }))
  const answer = await askModel('/v1/responses', { model: 'any', input, tools: offered }, bearer())
  let output
  if (stream) {
    for await (const event of eventsOf(answer)) {
      if (event.type === 'response.completed') output = event.response.output
    }
  } else output = (await answer.json()).output
  const text = output.flatMap((item) => item.content ?? []).map((part) => part.text ?? '')
  const requested = output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: id, name, arguments: input }) => ({ id, name, input }))
  return reply(text.join(''), requested)
}

async function askMessages(history, tools) {
  const messages = []
  const add = (role, ...blocks) => {
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else messages.push({ role, content: blocks })
  }
  for (const { role, text, id, calls = [] } of history.filter(({ role }) => role !== 'system')) {
    if (role === 'tool') add('user', { type: 'tool_result', tool_use_id: id, content: text })
    else {
      const said = text ? [{ type: 'text', text }] : []
      const used = calls.map((call) => ({
        type: 'tool_use',
        id: call.id,
        name: call.name,
        input: call.arguments,
      }))
      if (said.length + used.length > 0) add(role, ...said, ...used)
    }
  }
  const system = history.filter(({ role }) => role === 'system').map(({ text }) => text)
  const offered = tools.map(({ name, description, inputSchema: input_schema }) => ({
    name,
    description,
    input_schema,
  }))
  const body = {
    model: 'any',
    max_tokens: 1000,
    messages,
    ...(system.length ? { system: system.join('\n') } : {}),
    ...(offered.length ? { tools: offered } : {}),
  }
  const headers = { 'x-api-key': settings.key, 'anthropic-version': '2023-06-01' }
  const answer = await askModel('/v1/messages', body, headers)
  let blocks = []
  if (stream) {
    for await (const event of eventsOf(answer)) {
      if (event.type === 'content_block_start')
        blocks[event.index] = { ...event.content_block, json: '' }
      if (event.type !== 'content_block_delta') continue
      const block = blocks[event.index]
      if (event.delta.type === 'text_delta') block.text += event.delta.text
      else block.json += event.delta.partial_json
    }
  } else blocks = (await answer.json()).content
  const text = blocks.map((block) => block.text ?? '').join('')
  const requested = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input, json }) => ({ id, name, input: json || input }))
  return reply(text, requested)
}

// ---------------------------------------------------------------- HTTP
function say(id, user, text) {
  const conversation = conversationOf(id, user)
  conversation.items.push({ role: 'user', text })
  think(conversation)
  return conversation
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > 1_000_000) return response.writeHead(413, { connection: 'close' }).end()
  }
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const [, what, name = ''] = pathname.split('/').map(decodeURIComponent)
  const send = (status, value) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(value === undefined ? '' : JSON.stringify(value))
  // Users need a key. Tools have none, and are not to be handed one.
  if (has('secured') && (request.headers['x-key'] === 'k') === (what === 'callback'))
    return send(403)
  if (what === 'message') {
    const { conversation, user, text } = parsed(body)
    const { turn } = say(conversation, user, text)
    if (!has('answers')) return send(202)
    await turn
    return send(200, conversationOf(conversation).shown)
  }
  if (what === 'callback') {
    const token = searchParams.get('token')
    if (has('async')) {
      setTimeout(() => takeCallback(token, body), 30)
      return send(202)
    }
    const status = takeCallback(token, body)
    return send(status === 200 && has('nocontent') ? 204 : status)
  }
  if (what === 'cancel') return send(200, cancel(conversationOf(name)) ?? null)
  if (what === 'events') return send(200, { events: conversationOf(name).shown })
  if (what === 'page') {
    const page = conversationOf(name).shown.map(htmlOf).join('\n')
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }
  if (what === 'stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const { listeners, shown } = conversationOf(name)
    const tell = (text) => response.write(`data: ${text.split('\n').join('\ndata: ')}\n\n`)
    for (const each of shown) tell(JSON.stringify(each))
    listeners.add(tell)
    return request.socket.once('close', () => listeners.delete(tell))
  }
  return send(404)
})

// RFC 6455: the server's half of a WebSocket that only ever sends text.
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  )
  const { listeners, shown } = conversationOf(decodeURIComponent(request.url.split('/')[2]))
  const tell = (text) => {
    const payload = Buffer.from(text)
    const head =
      payload.length < 126
        ? Buffer.from([0x81, payload.length])
        : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255])
    socket.write(Buffer.concat([head, payload]))
  }
  for (const each of shown) tell(JSON.stringify(each))
  listeners.add(tell)
  socket.once('close', () => listeners.delete(tell))
  socket.on('error', () => undefined)
  socket.resume()
})

// ---------------------------------------------------------------- the adapter protocol
const emit = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)

const commands = {
  hello: () => ({ protocol: 1 }),
  configure: (command) => {
    const given = command.settings
    Object.assign(settings, {
      port: given.port,
      url: given['runtime.url'],
      toolsets: [given['toolset.url'], given['toolset2.url']],
      model: given['model.origin'],
      key: given['model.key'],
      timeoutMs: Number(given['user.timeoutMs']),
    })
  },
  start: () =>
    new Promise((resolve) => server.listen(Number(settings.port), '127.0.0.1', () => resolve())),
  message: ({ conversation, user, text }) => void say(conversation, user, text),
  cancel: ({ conversation }) => cancel(conversationOf(conversation)),
  advance_clock: ({ ms }) => void (moved += ms),
  shutdown: () => void setTimeout(() => process.exit(0), 10),
}

if (has('adapter')) {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const command = JSON.parse(line)
    const act = commands[command.command]
    if (!act) return emit({ event: 'unsupported', id: command.id })
    emit({ event: 'settled', id: command.id, ...(await act(command)) })
  })
} else server.listen(Number(settings.port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
