/**
 * A RAP runtime on Node's own modules, written from RAP's pages alone: OpenAI's responses, streamed, each request with
 * nothing but what is new (`previous_response_id`); a result comes as a second call that repeats the first; WebSockets in
 * fragments; one callback URL for everything, whose answer is always 204; an encrypted store. VIOLATION names what it does wrong.
 */

import http from 'node:http'
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const {
  PORT,
  PUBLIC_URL,
  TOOLSETS,
  MODEL_URL,
  MODEL_KEY,
  MODEL,
  DATA_DIR,
  TOOL_TIMEOUT_MS = '0',
  VIOLATION,
} = process.env
const bases = JSON.parse(TOOLSETS)
const violates = (v) => VIOLATION === v
const key = scryptSync('passphrase of the operator', 'salt', 32)
const file = `${DATA_DIR}/vault.bin`
mkdirSync(DATA_DIR, { recursive: true })

const load = () => {
  if (!existsSync(file)) return {}
  const raw = readFileSync(file)
  const d = createDecipheriv('aes-256-gcm', key, raw.subarray(0, 12)).setAuthTag(
    raw.subarray(12, 28),
  )
  return JSON.parse(Buffer.concat([d.update(raw.subarray(28)), d.final()]).toString())
}
const threads = load()
const save = () => {
  const iv = randomBytes(12)
  const c = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([c.update(JSON.stringify(threads)), c.final()])
  writeFileSync(file + '~', Buffer.concat([iv, c.getAuthTag(), body]))
  renameSync(file + '~', file)
}
const thread = (id) =>
  (threads[id] ??= { id, count: 0, calls: {}, fresh: [], previous: null, shown: [] })

// ---- http client: chunked, whole bodies
const agent = new http.Agent({ keepAlive: true, maxSockets: 50 })
const send = (method, url, payload, headers = {}) =>
  new Promise((resolve, reject) => {
    const req = http.request(
      url,
      {
        method,
        agent,
        headers: {
          accept: '*/*',
          ...(payload ? { 'Content-Type': 'application/json' } : {}),
          ...headers,
        },
      },
      (res) => {
        let text = ''
        res
          .setEncoding('utf8')
          .on('data', (c) => (text += c))
          .on('end', () => resolve({ status: res.statusCode, text }))
          .on('error', reject)
      },
    )
    req.on('error', reject)
    if (payload) {
      const text = Buffer.from(JSON.stringify(payload))
      req.write(text.subarray(0, 7))
      req.write(text.subarray(7))
    }
    req.end()
  })

// ---- toolsets, at the first message of a session
const sessions = new Map()
const toolsOf = (t) => {
  if (!sessions.has(t.id)) sessions.set(t.id, fetchTools())
  return sessions.get(t.id)
}
async function fetchTools() {
  const all = []
  for (const base of bases) {
    try {
      const { status, text } = await send('GET', `${base}/.well-known/rap-toolset`)
      const set = JSON.parse(text)
      if (status !== 200 || !set.name || !new URL(set.endpoint) || !set.tools.length)
        throw new Error('invalid')
      if (
        set.tools.some(
          (o) => !o.name || typeof o.description !== 'string' || typeof o.inputSchema !== 'object',
        )
      )
        throw new Error('invalid tool')
      all.push(...set.tools.map((o) => ({ ...o, endpoint: set.endpoint })))
    } catch (e) {
      console.error('toolset', base, e.message)
    }
  }
  return all.filter((o) => all.filter(({ name }) => name === o.name).length === 1)
}

// ---- one thing at a time per thread
const chains = new Map()
const inTurn = (t, work) => {
  const next = (chains.get(t.id) ?? Promise.resolve())
    .then(work)
    .catch((e) => console.error(e.stack))
  chains.set(t.id, next)
  return next
}
const open = (t) => Object.values(t.calls).filter((c) => !c.done)

async function ask(t) {
  const tools = await toolsOf(t)
  const body = {
    model: MODEL,
    stream: true,
    store: true,
    input: t.fresh,
    tools: tools.map((o) => ({
      type: 'function',
      name: o.name,
      description: o.description,
      parameters: o.inputSchema,
      strict: false,
    })),
    ...(t.previous ? { previous_response_id: t.previous } : {}),
  }
  const { status, text } = await send('POST', `${MODEL_URL}/responses`, body, {
    authorization: `Bearer ${MODEL_KEY}`,
  })
  if (status !== 200) return console.error('model', status, text)
  const done = text
    .split('\n')
    .filter((l) => l.startsWith('data: {'))
    .map((l) => JSON.parse(l.slice(6)))
    .find((e) => e.type === 'response.completed').response
  t.previous = done.id
  t.fresh = []
  for (const item of done.output) {
    if (item.type === 'message') show(t, { says: item.content.map((c) => c.text).join('') })
    if (item.type !== 'function_call') continue
    const id = String(++t.count)
    const call = (t.calls[id] = {
      id,
      model: item.call_id,
      op: item.name,
      args: JSON.parse(item.arguments || '{}'),
      user: t.speaker,
      at: Date.now(),
    })
    // The API wants an answer to every call before it goes on.
    t.fresh.push({
      type: 'function_call_output',
      call_id: item.call_id,
      output: 'Running; its outcome comes in a later call of the same name.',
    })
    void dispatch(t, call, tools)
    arm(t, call)
  }
  save()
}

function arm(t, call) {
  if (Number(TOOL_TIMEOUT_MS))
    setTimeout(
      () => inTurn(t, () => end(t, call, 'Error: timed out')),
      Math.max(0, call.at + Number(TOOL_TIMEOUT_MS) - Date.now()),
    )
}

async function dispatch(t, call, tools) {
  const tool = tools.find((o) => o.name === call.op)
  let why = 'no such tool'
  for (let i = 0, pause = 60; tool && i < 4; i++, pause *= 4) {
    if (call.heard || call.done) return
    try {
      const { status } = await send('POST', tool.endpoint, {
        operation: call.op,
        arguments: call.args,
        id: call.id,
        callback_url: PUBLIC_URL,
        group_id: t.id,
        user_id: null,
        call_id: call.model,
      })
      if (status < 300) return
      why = `HTTP ${status}`
      if (status < 500) break
    } catch (e) {
      why = e.code ?? e.message
    }
    if (i < 3) await new Promise((r) => setTimeout(r, pause))
  }
  if (!call.heard) inTurn(t, () => end(t, call, `Error: ${why}`))
}

/** The first call has an answer already, so it is repeated. */
function report(t, call, output) {
  const call_id = `${call.model}_outcome`
  const args = JSON.stringify(call.args)
  t.fresh.push({ type: 'function_call', call_id, name: call.op, arguments: args })
  t.fresh.push({ type: 'function_call_output', call_id, output })
}

async function end(t, call, output) {
  if (call.done) return
  call.done = true
  delete call.url
  report(t, call, output)
  save()
  await ask(t)
}

/** The model is told once of every call that waits for its user. */
async function talk(t, user, text) {
  t.speaker = user
  for (const call of open(t)) {
    if (!call.url || call.told) continue
    call.told = true
    const content = `${call.op} is suspended: its owner has been handed a link with which to let it in.`
    t.fresh.push({ role: 'developer', content })
  }
  t.fresh.push({ role: 'user', content: text })
  await ask(t)
}

// ---- callbacks
const isText = (v) => typeof v === 'string'
const usable = (u) => {
  try {
    const { protocol, username, password, host } = new URL(u)
    return (
      protocol === 'https:' &&
      !username &&
      !password &&
      host !== '' &&
      /^https:\/\/[^\s\\@/?#]+([/?#][^\s\p{Cc}]*)?$/iu.test(u)
    )
  } catch {
    return false
  }
}
const item = (i) =>
  i?.type === 'text' && isText(i.text)
    ? i.text
    : i?.type === 'image' && isText(i.data) && isText(i.mediaType)
      ? `(${i.mediaType})`
      : undefined
function callback(raw) {
  let m
  try {
    m = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return
  }
  if (!m || ![m.type, m.group_id, m.id].every(isText) || !Object.hasOwn(threads, m.group_id)) return
  const t = threads[m.group_id]
  const call = Object.hasOwn(t.calls, m.id) ? t.calls[m.id] : undefined
  if (!call || (m.call_id != null && m.call_id !== call.model)) return
  if (m.type === 'oauth' && isText(m.auth_url)) {
    call.heard = true
    return inTurn(t, async () => {
      if (call.done || call.url === m.auth_url) return
      if (!usable(m.auth_url)) return show(t, { says: 'A tool sent a link that is not shown.' })
      call.url = m.auth_url
      show(t, { says: `${call.op} needs you:` })
      push(t, { link: call.url }, call.user)
      save()
    })
  }
  if (m.type !== 'tool_result') return
  if (
    'display_as' in m &&
    !(Array.isArray(m.display_as) && m.display_as.every((s) => isText(s?.type)))
  )
    return
  if ('text' in m && !isText(m.text)) return
  if (violates('empty-text-is-none') && !m.text && !m.content) return
  if (
    'content' in m &&
    !(Array.isArray(m.content) && m.content.every((i) => item(i) !== undefined))
  )
    return
  const output = m.content ? m.content.map(item).join('\n') : m.text
  if (output === undefined) return
  call.heard = true
  inTurn(t, () => end(t, call, output))
}

const cancel = (t) =>
  inTurn(t, () => {
    for (const call of open(t)) {
      call.done = true
      delete call.url
      report(t, call, 'Error: interrupted by the user')
      const payload = { tool_call_id: call.id, thread_id: t.id }
      for (const base of bases) send('POST', `${base}/cancel_tool_call`, payload).catch(() => {})
    }
    save()
  })

// ---- people
const sockets = new Set()
function frame(payload, opcode, fin) {
  const head =
    payload.length < 126
      ? Buffer.from([(fin ? 0x80 : 0) | opcode, payload.length])
      : Buffer.from([(fin ? 0x80 : 0) | opcode, 126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, payload])
}
function write(socket, value) {
  const payload = Buffer.from(
    JSON.stringify(value).replaceAll('&', '\\u0026').replaceAll('/', '\\/'),
  )
  socket.write(frame(Buffer.alloc(0), 9, true))
  const half = payload.length >> 1
  socket.write(frame(payload.subarray(0, half), 1, false))
  socket.write(frame(payload.subarray(half), 0, true))
}
function push(t, value, user) {
  for (const s of sockets)
    if (s.thread === t.id && (user === undefined || s.user === user)) write(s.socket, value)
}
function show(t, value) {
  t.shown.push(value)
  push(t, value)
}

const server = http.createServer(async (req, res) => {
  const parts = []
  for await (const c of req) parts.push(c)
  const raw = Buffer.concat(parts)
  const { pathname } = new URL(req.url, 'http://x')
  const [, place, id] = pathname.split('/').map(decodeURIComponent)
  if (violates('limit-of-100-kb') && raw.length > 102_400) return void res.writeHead(413).end()
  if (req.method === 'POST' && pathname === '/') callback(raw)
  else if (req.method === 'PUT' && place === 't') {
    const t = thread(id)
    const [user, text] = raw.toString().split('\n')
    void inTurn(t, () => talk(t, user, text))
  } else if (req.method === 'DELETE' && place === 't') {
    await cancel(thread(id))
  } else if (pathname !== '/') return void res.writeHead(404).end()
  res.writeHead(204, { connection: 'close' }).end()
})
server.on('upgrade', (req, socket) => {
  const { searchParams } = new URL(req.url, 'http://x')
  socket.on('error', () => {})
  const accept = createHash('sha1')
    .update(req.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11')
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  const one = { socket, thread: searchParams.get('t'), user: searchParams.get('u') }
  sockets.add(one)
  // A client that wants to close waits for the same from this side.
  socket.on('data', ([first]) => (first & 15) === 8 && socket.end(frame(Buffer.alloc(0), 8, true)))
  socket.on('close', () => {
    sockets.delete(one)
    if (violates('closes-with-socket') && threads[one.thread]) void cancel(threads[one.thread])
  })
  const t = threads[one.thread]
  for (const s of t?.shown ?? []) write(socket, s)
  for (const c of t ? open(t) : []) if (c.url && c.user === one.user) write(socket, { link: c.url })
})
server.listen(Number(PORT), '127.0.0.1')
for (const t of Object.values(threads)) for (const c of open(t)) arm(t, c)
