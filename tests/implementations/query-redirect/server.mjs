// "shelf": a RAP toolset whose redirect URI is different for every call (/cb?flow=<random>).
//
// Environment: PORT, DATA_DIR, AUTHORIZATION_ENDPOINT, TOKEN_ENDPOINT, RESOURCE_URL, CLIENT_ID,
// CLIENT_SECRET (client_secret_post), SCOPES, PENDING_TIMEOUT_MS (300000), UPSTREAM_TIMEOUT_MS (2000);
// optional: ISSUER (then `iss` is required and compared), PUBLIC_URL, TOKEN_KEY, and
// REGISTRATION_ENDPOINT: without CLIENT_ID, every call registers a client for its own redirect URI.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { createServer, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { join } from 'node:path'

const port = Number(process.env.PORT)
const dataDir = process.env.DATA_DIR ?? 'data'
const publicUrl = process.env.PUBLIC_URL ?? `http://127.0.0.1:${port}`
const pendingMs = Number(process.env.PENDING_TIMEOUT_MS ?? 300000)
const upstreamMs = Number(process.env.UPSTREAM_TIMEOUT_MS ?? 2000)
const enabled = (process.env.SCOPES ?? 'items:read items:write').split(' ')
const items = `${(process.env.RESOURCE_URL ?? '').replace(/\/+$/, '')}/items`

const say = {
  denied:
    'Error: Authorization was denied by the user. Please try again and grant the requested permissions.',
  refused: 'Error: The authorization could not be completed. Please try again.',
  late: 'Error: The authorization was not completed in time. Please try again.',
  down: 'Error: The item service did not respond. Please try again later.',
  broken: 'Error: The item service reported a failure.',
  scope: 'Error: The authorization does not cover this operation.',
  restart: 'Error: The tool was interrupted. Please try again.',
  cancelled: 'Error: The call was cancelled.',
}
const random = () => randomBytes(32).toString('base64url')
const pause = (ms) => new Promise((done) => setTimeout(done, ms))

// --- files: every record is one file, sealed under its own name ---------------------------------

mkdirSync(join(dataDir, 'records'), { recursive: true, mode: 0o700 })
mkdirSync(join(dataDir, 'secret'), { recursive: true, mode: 0o700 })
const secretFile = join(dataDir, 'secret', 'root')
if (!process.env.TOKEN_KEY && !existsSync(secretFile))
  writeFileSync(secretFile, randomBytes(32), { mode: 0o600 })
const root = process.env.TOKEN_KEY ?? readFileSync(secretFile)
const sealKey = Buffer.from(hkdfSync('sha256', root, 'shelf', 'records', 32))
const nameKey = Buffer.from(hkdfSync('sha256', root, 'shelf', 'names', 32))
const algorithm = 'chacha20-poly1305'

const records = {
  path: (name) => join(dataDir, 'records', name),
  write(name, value) {
    const iv = randomBytes(12)
    const cipher = createCipheriv(algorithm, sealKey, iv, { authTagLength: 16 })
    cipher.setAAD(Buffer.from(name))
    const sealed = [cipher.update(JSON.stringify(value)), cipher.final()]
    const temporary = this.path(`tmp-${randomUUID()}`)
    writeFileSync(temporary, Buffer.concat([iv, cipher.getAuthTag(), ...sealed]), { mode: 0o600 })
    renameSync(temporary, this.path(name))
  },
  read(name) {
    try {
      const raw = readFileSync(this.path(name))
      const cipher = createDecipheriv(algorithm, sealKey, raw.subarray(0, 12), {
        authTagLength: 16,
      })
      cipher.setAAD(Buffer.from(name))
      cipher.setAuthTag(raw.subarray(12, 28))
      return JSON.parse(cipher.update(raw.subarray(28), undefined, 'utf8') + cipher.final('utf8'))
    } catch {
      return null // absent or not readable with this key: the same as no record
    }
  },
  remove: (name) => rmSync(records.path(name), { force: true }),
  list: (prefix) => readdirSync(join(dataDir, 'records')).filter((n) => n.startsWith(prefix)),
}
const grantName = (user, scope) =>
  `grant-${createHmac('sha256', nameKey)
    .update(JSON.stringify([user, scope]))
    .digest('hex')}`

// --- the provider and the API --------------------------------------------------------------------

/** Throws the text of an error result. */
async function ask(url, init) {
  try {
    const res = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(upstreamMs),
    })
    const body = await res.text()
    return { res, status: res.status, body }
  } catch {
    throw say.down
  }
}

const parsed = (text) => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

async function clientFor(redirectUri, scope) {
  if (process.env.CLIENT_ID)
    return { id: process.env.CLIENT_ID, secret: process.env.CLIENT_SECRET ?? null }
  const { status, body } = await ask(process.env.REGISTRATION_ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_name: 'shelf',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope,
    }),
  })
  const { client_id: id, client_secret: secret = null } = parsed(body)
  if (status >= 300 || typeof id !== 'string') throw say.refused
  return { id, secret }
}

/** A grant; null if the provider refuses the code or refresh token; throws on any other trouble. */
async function fetchGrant(client, fields, before = {}) {
  const form = new URLSearchParams({ ...fields, client_id: client.id })
  if (client.secret) form.set('client_secret', client.secret)
  const headers = { accept: 'application/json' }
  const { status, body } = await ask(process.env.TOKEN_ENDPOINT, {
    method: 'POST',
    headers,
    body: form,
  })
  if (status === 400) return null
  const data = parsed(body)
  if (status !== 200 || typeof data.access_token !== 'string') throw say.refused
  if (data.access_token === '') throw say.refused
  if (String(data.token_type).toLowerCase() !== 'bearer') throw say.refused
  const seconds = Number(data.expires_in)
  return {
    client,
    access: data.access_token,
    refresh: data.refresh_token ?? before.refresh ?? null,
    scope: data.scope ?? before.scope ?? null,
    until: seconds > 0 ? Date.now() + seconds * 1000 : null,
  }
}

// One queue per grant, so that a refresh token is spent only once.
const queues = new Map()
async function inTurn(name, job) {
  const before = queues.get(name)
  const mine = (async () => {
    await before?.catch(() => {})
    return job()
  })()
  queues.set(name, mine)
  try {
    return await mine
  } finally {
    if (queues.get(name) === mine) queues.delete(name)
  }
}

/** The usable stored grant of a user, or null. `spent`: an access token that the API refused. */
function grantOf(user, scope, spent = null) {
  if (user === null) return null
  const name = grantName(user, scope)
  return inTurn(name, async () => {
    const grant = records.read(name)
    if (!grant) return null
    const old = grant.until !== null && Date.now() + 1000 >= grant.until
    if (!old && grant.access !== spent) return grant
    const fields = { grant_type: 'refresh_token', refresh_token: grant.refresh }
    const next = grant.refresh ? await fetchGrant(grant.client, fields, grant) : null
    if (next) records.write(name, next)
    else records.remove(name)
    return next
  })
}

const operations = {
  __proto__: null,
  list_items: {
    scope: 'items:read',
    description: 'Lists your items.',
    readOnly: true,
    schema: { type: 'object', additionalProperties: false },
    fits: (args) => Object.keys(args).length === 0,
    init: () => ({ method: 'GET' }),
    text: (data) =>
      ['Items:', ...data.items.map((item) => `- ${item.title} (${item.id})`)].join('\n'),
  },
  create_item: {
    scope: 'items:write',
    description: 'Adds one item.',
    readOnly: false,
    schema: {
      type: 'object',
      properties: { title: { type: 'string', minLength: 1 } },
      required: ['title'],
      additionalProperties: false,
    },
    fits: ({ title, ...rest }) =>
      typeof title === 'string' && title.length > 0 && Object.keys(rest).length === 0,
    init: ({ title }) => ({ method: 'POST', body: JSON.stringify({ title }) }),
    text: (data) => `Added "${data.title}" (${data.id}).`,
  },
}

/** Returns { text } or, if the token does not do, { again: 'token' | 'scope' }. */
async function perform(call, grant) {
  const operation = operations[call.operation]
  const headers = { authorization: `Bearer ${grant.access}`, 'content-type': 'application/json' }
  const { res, status, body } = await ask(items, { ...operation.init(call.arguments), headers })
  if (status === 401) return { again: 'token' }
  if (status === 403 && /insufficient_scope/.test(res.headers.get('www-authenticate')))
    return { again: 'scope' }
  if (!res.ok) throw say.broken
  try {
    let text = operation.text(JSON.parse(body))
    for (const secret of [grant.access, grant.refresh])
      if (secret) text = text.replaceAll(secret, '***')
    return { text }
  } catch {
    throw say.broken
  }
}

// --- messages to the runtime ---------------------------------------------------------------------

function send(url, body, signal) {
  return new Promise((done) => {
    const start = /^https:/i.test(url) ? tlsRequest : plainRequest
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const options = { method: 'POST', headers, agent: false, signal, timeout: 10000 }
    const [, path] = /^https?:\/\/[^/?#]*(\/[!-~]*)$/i.exec(url) ?? [] // as given, not normalised
    if (path) options.path = path.split('#')[0]
    const req = start(url, options)
    req.on('response', (res) => done(res.resume().statusCode))
    req.on('timeout', () => req.destroy())
    req.on('error', () => done(599))
    req.on('close', () => done(599))
    req.end(body)
  })
}

async function deliver(url, body, signal) {
  for (let delay = 250; delay <= 16000; delay *= 2) {
    if (signal?.aborted) return
    if ((await send(url, body, signal).catch(() => 599)) < 500) return
    await pause(delay)
  }
}

// --- calls ---------------------------------------------------------------------------------------

const calls = new Map() // file name -> call; `flow` is set while the user is being asked
const timers = new Map()
const outgoing = new Map()

function envelope(call, type, more) {
  const { group_id, id, call_id } = call
  return JSON.stringify({ type, group_id, id, ...(call_id !== null && { call_id }), ...more })
}

async function settle(name, text) {
  const call = calls.get(name)
  if (!call || call.result) return
  clearTimeout(timers.get(name))
  timers.delete(name)
  delete call.flow
  call.result = envelope(call, 'tool_result', { text })
  records.write(name, call)
  const message = outgoing.get(name)
  outgoing.delete(name)
  if (message) {
    await Promise.race([message.sent, pause(500)])
    message.stop.abort()
  }
  await hand(name, call)
}

async function hand(name, call) {
  await deliver(call.callback_url, call.result)
  calls.delete(name)
  records.remove(name)
}

const settleError = (name, error) =>
  settle(name, typeof error === 'string' ? error : 'Error: The call failed.')

async function run(name, call) {
  try {
    if (call.objection) throw call.objection
    const { scope } = operations[call.operation]
    let grant = await grantOf(call.user, scope)
    let outcome = grant && (await perform(call, grant))
    if (outcome?.again === 'token') {
      grant = await grantOf(call.user, scope, grant.access)
      outcome = grant && (await perform(call, grant))
    }
    if (outcome?.again) drop(call.user, scope, grant)
    if (outcome?.text !== undefined) await settle(name, outcome.text)
    else await askUser(name, call, scope)
  } catch (error) {
    await settleError(name, error)
  }
}

function drop(user, scope, grant) {
  const name = grantName(user, scope)
  if (records.read(name)?.access === grant.access) records.remove(name)
}

async function askUser(name, call, scope) {
  const auth = new URL(process.env.AUTHORIZATION_ENDPOINT)
  if (auth.protocol !== 'https:') throw say.refused
  const flow = { tag: random(), state: random(), verifier: random(), until: Date.now() + pendingMs }
  flow.redirectUri = `${publicUrl}/cb?flow=${flow.tag}`
  flow.client = await clientFor(flow.redirectUri, scope)
  call.flow = flow
  records.write(name, call)
  const parameters = {
    response_type: 'code',
    client_id: flow.client.id,
    redirect_uri: flow.redirectUri,
    scope,
    state: flow.state,
    code_challenge: createHash('sha256').update(flow.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [key, value] of Object.entries(parameters)) auth.searchParams.set(key, value)
  const stop = new AbortController()
  const body = envelope(call, 'oauth', { auth_url: auth.href })
  watch(name, call)
  outgoing.set(name, { stop, sent: deliver(call.callback_url, body, stop.signal) })
}

function watch(name, call) {
  const left = Math.max(0, Math.min(call.flow.until - Date.now(), 0x7fffffff))
  timers.set(
    name,
    setTimeout(() => void settle(name, say.late), left),
  )
}

const same = (a, b) => {
  const [x, y] = [a, b].map((v) => createHash('sha256').update(v).digest())
  return timingSafeEqual(x, y)
}

/** Everything about the call and its user comes from our own record; the query only has to match. */
async function onRedirect(query) {
  const repeated = [...query.keys()].some((key, at, all) => all.indexOf(key) !== at)
  const [tag, state, code, error] = ['flow', 'state', 'code', 'error'].map((k) => query.get(k))
  if (repeated || !tag || !state || (code ? error : !error)) return false
  if (process.env.ISSUER && query.get('iss') !== process.env.ISSUER) return false
  const found = [...calls].find(
    ([, c]) => c.flow && same(c.flow.tag, tag) && same(c.flow.state, state),
  )
  if (!found) return false
  const [name, call] = found
  const { flow } = call
  delete call.flow
  records.write(name, call)
  clearTimeout(timers.get(name))
  try {
    if (error) throw error === 'access_denied' ? say.denied : say.refused
    const { scope } = operations[call.operation]
    const grant = await fetchGrant(flow.client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: flow.redirectUri,
      code_verifier: flow.verifier,
    })
    if (!grant) throw say.refused
    grant.scope ??= scope
    if (!String(grant.scope).split(' ').includes(scope)) throw say.scope
    if (call.user !== null) {
      const at = grantName(call.user, scope)
      await inTurn(at, () => records.write(at, grant))
    }
    void perform(call, grant)
      .then((outcome) => {
        if (outcome.again) drop(call.user, scope, grant)
        return settle(name, (outcome.text ?? say.scope).replaceAll(code, '***'))
      })
      .catch((reason) => settleError(name, reason))
  } catch (reason) {
    void settleError(name, reason)
  }
  return true
}

// --- HTTP ----------------------------------------------------------------------------------------

function objectionTo(input) {
  const operation = typeof input.operation === 'string' ? operations[input.operation] : undefined
  if (!operation) return 'Error: There is no such operation.'
  if (!enabled.includes(operation.scope)) return 'Error: This operation is switched off.'
  const args = input.arguments
  if (!args || typeof args !== 'object' || Array.isArray(args) || !operation.fits(args))
    return 'Error: The arguments are not valid for this operation.'
  for (const key of ['user_id', 'call_id'])
    if (!['string', 'undefined'].includes(typeof (input[key] ?? undefined)))
      return `Error: The invocation has an unusable ${key}.`
  return null
}

function take(input) {
  const text = (value) => (typeof value === 'string' && value !== '' ? value : null)
  const objection = objectionTo(input)
  const call = {
    group_id: input.group_id,
    id: input.id,
    call_id: typeof input.call_id === 'string' ? input.call_id : null,
    callback_url: input.callback_url,
    user: text(input.user_id),
    objection,
    operation: objection ? null : input.operation,
    arguments: objection ? null : input.arguments,
  }
  const identity = (c) => JSON.stringify([c.callback_url, c.group_id, c.id, c.user, c.operation])
  for (const other of calls.values()) if (identity(other) === identity(call)) return
  const name = `call-${randomUUID()}`
  calls.set(name, call)
  records.write(name, call)
  void run(name, call)
}

const answerable = (input) =>
  input !== null &&
  typeof input === 'object' &&
  ['id', 'group_id', 'callback_url'].every((key) => typeof input[key] === 'string') &&
  /^https?:/i.test(input.callback_url) &&
  URL.canParse(input.callback_url)

async function json(req) {
  const chunks = []
  let length = 0
  for await (const chunk of req) if ((length += chunk.length) < 2 ** 20) chunks.push(chunk)
  return length < 2 ** 20 ? parsed(Buffer.concat(chunks).toString()) : {}
}

function reply(res, status, body, type = 'application/json') {
  res.setHeader('content-type', type)
  res.setHeader('cache-control', 'no-store')
  res.setHeader('referrer-policy', 'no-referrer')
  res.statusCode = status
  res.end(body)
}

const toolset = JSON.stringify({
  name: 'shelf',
  description: `A shelf of items. Unfinished authorizations end with an error after ${pendingMs} ms.`,
  endpoint: `${publicUrl}/invoke`,
  tools: Object.entries(operations).map(([name, { description, schema, readOnly }]) => ({
    name,
    description,
    inputSchema: schema,
    annotations: { requiresAuth: 'acme', readOnly },
  })),
})

async function handle(req, res) {
  const { pathname, searchParams } = new URL(req.url, 'http://shelf')
  if (req.method === 'GET' && pathname === '/.well-known/rap-toolset')
    return reply(res, 200, toolset)
  if (req.method === 'GET' && pathname === '/cb') {
    const known = await onRedirect(searchParams)
    const text = known ? 'Thank you. You may close this page.' : 'This link is no longer valid.'
    return reply(
      res,
      known ? 200 : 400,
      `<!doctype html><p>${text}</p>`,
      'text/html; charset=utf-8',
    )
  }
  if (req.method !== 'POST') return reply(res, 404, '{}')
  const input = await json(req)
  if (pathname === '/invoke') {
    if (!answerable(input)) return reply(res, 400, '{"ok":false}')
    reply(res, 200, '{"ok":true}')
    return take(input)
  }
  if (pathname !== '/close_thread' && pathname !== '/cancel_tool_call') return reply(res, 404, '{}')
  reply(res, 200, '{"ok":true}')
  for (const [name, call] of calls) {
    const hit = pathname === '/close_thread' || call.id === input.tool_call_id
    if (call.flow && hit && call.group_id === input.thread_id) void settle(name, say.cancelled)
  }
}

for (const name of records.list('call-')) {
  const call = records.read(name)
  if (call) calls.set(name, call)
  else records.remove(name)
}

createServer((req, res) => {
  handle(req, res).catch(() => {
    console.error('request failed')
    if (!res.headersSent) reply(res, 500, '{"ok":false}')
  })
}).listen(port, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${port}`)
  for (const [name, call] of calls) {
    if (call.result) void hand(name, call)
    else if (call.flow) watch(name, call)
    else void settle(name, say.restart)
  }
})
