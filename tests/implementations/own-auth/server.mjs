// "ledger": a RAP toolset behind its own API key, mounted under /v1/toolset.
//
//   PORT, DATA_DIR, PUBLIC_URL (optional)   listening address, state directory, address for browsers
//   TOOL_KEY                                required in `Authorization: Bearer` of every invocation
//   ISSUER                                  the provider; its RFC 8414 metadata gives the endpoints
//   CLIENT_ID, CLIENT_SECRET (optional)     registration (client_secret_basic, or public)
//   RESOURCE_URL                            the item API
//   TOKEN_KEY (optional)                    encryption passphrase, default a key file in DATA_DIR/keys
//   PENDING_TIMEOUT_MS (900000)             limit for the user to authorize
//   UPSTREAM_TIMEOUT_MS (2000)              limit for each provider or API request
import * as crypto from 'node:crypto'
import * as fs from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'

const {
  PORT,
  DATA_DIR = 'data',
  TOOL_KEY,
  ISSUER,
  CLIENT_ID,
  CLIENT_SECRET,
  RESOURCE_URL,
  PUBLIC_URL = `http://127.0.0.1:${PORT}`,
  TOKEN_KEY,
} = process.env
const PENDING = Number(process.env.PENDING_TIMEOUT_MS || 900_000)
const UPSTREAM = Number(process.env.UPSTREAM_TIMEOUT_MS || 2_000)
const BASE = '/v1/toolset'
if (!TOOL_KEY) {
  console.error('TOOL_KEY is not set')
  process.exit(2)
}

class UserError extends Error {}
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const digest = (value) => crypto.createHash('sha256').update(value).digest()
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

// ============================================================ sealing and files

function rootKey() {
  if (TOKEN_KEY) return crypto.scryptSync(TOKEN_KEY, 'ledger', 32)
  fs.mkdirSync(`${DATA_DIR}/keys`, { recursive: true, mode: 0o700 })
  try {
    fs.writeFileSync(`${DATA_DIR}/keys/root`, crypto.randomBytes(32), { flag: 'wx', mode: 0o600 })
  } catch {
    // it is there already
  }
  return fs.readFileSync(`${DATA_DIR}/keys/root`)
}

const root = rootKey()
const subkey = (use) => Buffer.from(crypto.hkdfSync('sha256', root, '', `ledger ${use}`, 32))
const keys = { store: subkey('store'), state: subkey('state'), index: subkey('index') }

function seal(key, context, value) {
  const nonce = crypto.randomBytes(12)
  const aead = crypto.createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([aead.update(JSON.stringify(value)), aead.final()])
  return Buffer.concat([nonce, body, aead.getAuthTag()]).toString('base64url')
}

/** The sealed value, or undefined if the text is not one of ours. */
function open(key, context, text) {
  try {
    const raw = Buffer.from(text, 'base64url')
    if (raw.toString('base64url') !== text) return undefined
    const aead = crypto.createDecipheriv('aes-256-gcm', key, raw.subarray(0, 12))
    aead.setAAD(Buffer.from(context)).setAuthTag(raw.subarray(-16))
    return JSON.parse(aead.update(raw.subarray(12, -16), undefined, 'utf8') + aead.final('utf8'))
  } catch {
    return undefined
  }
}

/** A persistent map. Names are hashed and values are sealed, each to its own name. */
class Table {
  constructor(name) {
    this.name = name
    this.file = `${DATA_DIR}/store/${name}.json`
    fs.mkdirSync(`${DATA_DIR}/store`, { recursive: true, mode: 0o700 })
    const exists = fs.existsSync(this.file)
    this.rows = new Map(
      exists ? Object.entries(JSON.parse(fs.readFileSync(this.file, 'utf8'))) : [],
    )
  }
  #index(...parts) {
    const hmac = crypto.createHmac('sha256', keys.index)
    return hmac.update(JSON.stringify([this.name, ...parts])).digest('hex')
  }
  get(...parts) {
    const at = this.#index(...parts)
    return this.rows.has(at) ? open(keys.store, at, this.rows.get(at)) : undefined
  }
  set(value, ...parts) {
    const at = this.#index(...parts)
    this.rows.set(at, seal(keys.store, at, value))
    this.#write()
  }
  delete(...parts) {
    if (this.rows.delete(this.#index(...parts))) this.#write()
  }
  all() {
    return [...this.rows].map(([at, row]) => open(keys.store, at, row)).filter(Boolean)
  }
  #write() {
    fs.writeFileSync(`${this.file}~`, JSON.stringify(Object.fromEntries(this.rows)), {
      mode: 0o600,
    })
    fs.renameSync(`${this.file}~`, this.file)
  }
}

const grants = new Table('grants') // [user, scope] -> grant
const journal = new Table('journal') // [flow] -> unfinished call
const used = new Table('used') // ['set'] -> [[flow, expiry], ...]

// ============================================================ the provider

async function http1(url, options = {}) {
  try {
    const signal = AbortSignal.timeout(UPSTREAM)
    const res = await fetch(url, { ...options, redirect: 'manual', signal })
    const text = await res.text()
    return { status: res.status, headers: res.headers, text }
  } catch {
    throw new UserError('The item service did not answer in time.')
  }
}

function asJson(text) {
  try {
    const value = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

let known = null

async function provider() {
  if (known && known.until > Date.now()) return known.metadata
  const issuer = new URL(ISSUER)
  const suffix = issuer.pathname === '/' ? '' : issuer.pathname
  const wellKnown = '/.well-known/oauth-authorization-server'
  const inserted = `${issuer.origin}${wellKnown}${suffix}`
  const appended = `${ISSUER.replace(/\/$/, '')}${wellKnown}`
  for (const url of new Set([inserted, appended])) {
    const { status, text } = await http1(url, { headers: { accept: 'application/json' } })
    const metadata = asJson(text)
    if (status !== 200 || metadata.issuer !== ISSUER) continue
    const endpoints = [metadata.authorization_endpoint, metadata.token_endpoint]
    if (!endpoints.every((e) => typeof e === 'string' && e.startsWith('https://'))) continue
    known = { metadata, until: Date.now() + 300_000 }
    return metadata
  }
  throw new UserError('The authorization service is not available.')
}

/** `null` means that the provider refused the grant that was presented. */
async function redeem(fields) {
  const { token_endpoint } = await provider()
  const headers = { accept: 'application/json' }
  const form = new URLSearchParams(fields)
  const part = (value) => encodeURIComponent(value).replaceAll('%20', '+')
  if (CLIENT_SECRET) {
    const pair = `${part(CLIENT_ID)}:${part(CLIENT_SECRET)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  } else form.set('client_id', CLIENT_ID)
  const { status, text } = await http1(token_endpoint, { method: 'POST', headers, body: form })
  if (status === 400) return null
  const data = asJson(text)
  const isText = typeof data.access_token === 'string' && data.access_token !== ''
  const good = status === 200 && isText && String(data.token_type).toLowerCase() === 'bearer'
  if (!good) throw new UserError('The authorization service could not issue a token.')
  return {
    access: data.access_token,
    refresh: data.refresh_token ? String(data.refresh_token) : (fields.refresh_token ?? null),
    scope: data.scope === undefined ? null : String(data.scope),
    expires: Number(data.expires_in) > 0 ? Date.now() + Number(data.expires_in) * 1000 : Infinity,
  }
}

const refreshing = new Map() // one refresh at a time for each user and scope; others share it

function refresh(user, scope, old) {
  const key = JSON.stringify([user, scope])
  if (refreshing.has(key)) return refreshing.get(key)
  const job = (async () => {
    const stored = grants.get(user, scope)
    if (stored?.access !== old.access) return stored // someone was faster
    const fields = { grant_type: 'refresh_token', refresh_token: old.refresh }
    const next = old.refresh ? await redeem(fields) : null
    if (grants.get(user, scope)?.access !== old.access) return grants.get(user, scope)
    if (next) grants.set(next, user, scope)
    else grants.delete(user, scope)
    return next
  })().finally(() => refreshing.delete(key))
  refreshing.set(key, job)
  return job
}

// ============================================================ operations

const OPERATIONS = new Map([
  [
    'list_items',
    {
      scope: 'items:read',
      path: '/v1/oauth/read',
      description: 'Read the items in the ledger.',
      annotations: { requiresAuth: 'acme', readOnly: true, idempotent: true },
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      check: (args) => Object.keys(args).length === 0,
      method: 'GET',
      render: ({ items }) => JSON.stringify(items.map(({ id, title }) => ({ id, title }))),
    },
  ],
  [
    'create_item',
    {
      scope: 'items:write',
      path: '/v1/oauth/write',
      description: 'Write a new item to the ledger.',
      annotations: { requiresAuth: 'acme', idempotent: false },
      inputSchema: {
        type: 'object',
        properties: { title: { type: 'string', minLength: 1 } },
        required: ['title'],
        additionalProperties: false,
      },
      check: ({ title, ...rest }) =>
        typeof title === 'string' && title !== '' && Object.keys(rest).length === 0,
      method: 'POST',
      render: ({ id, title }) => JSON.stringify({ created: { id, title } }),
    },
  ],
])

/** The text of the result, or null if the API does not accept the token. */
async function operate(call, grant) {
  const { method, render } = OPERATIONS.get(call.operation)
  const headers = { authorization: `Bearer ${grant.access}`, accept: 'application/json' }
  const options = { method, headers }
  if (method === 'POST') {
    headers['content-type'] = 'application/json'
    options.body = JSON.stringify({ title: call.title })
  }
  const reply = await http1(`${RESOURCE_URL.replace(/\/$/, '')}/items`, options)
  const challenge = reply.headers.get('www-authenticate') ?? ''
  if (reply.status === 401) return null
  if (reply.status === 403 && challenge.includes('insufficient_scope')) return null
  let text
  try {
    if (reply.status >= 200 && reply.status < 300) text = render(JSON.parse(reply.text))
  } catch {
    // handled below
  }
  if (text === undefined) throw new UserError('The item service could not do this.')
  return [grant.access, grant.refresh].reduce((t, s) => (s ? t.replaceAll(s, '') : t), text)
}

// ============================================================ messages

function transmit(url, body, signal) {
  return new Promise((resolve) => {
    const { request } = /^https:/i.test(url) ? https : http
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const options = { method: 'POST', headers, agent: false, signal, timeout: 10_000 }
    const afterHost = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
    if (/^\/[\x21-\x7e]*$/.test(afterHost)) options.path = afterHost // without normalising
    const req = request(url, options)
    req.on('timeout', () => req.destroy())
    req.on('error', () => resolve(null))
    req.on('response', (res) => {
      res.resume()
      resolve(res.statusCode)
    })
    req.end(body)
  })
}

/** Eight attempts, about 200 ms, 400 ms, ... 12.8 s apart (a little less at random). */
async function deliver(url, body, signal) {
  for (let attempt = 0; attempt < 8; attempt++) {
    const status = await transmit(url, body, signal).catch(() => null)
    if (status !== null && status < 500) return
    await delay(200 * 2 ** attempt * (0.8 + Math.random() / 5))
    if (signal?.aborted) return
  }
}

function compose(call, type, rest) {
  const { group_id, id, call_id } = call
  return JSON.stringify(
    call_id === undefined
      ? { type, group_id, id, ...rest }
      : { type, group_id, id, call_id, ...rest },
  )
}

// ============================================================ calls

const calls = new Map() // flow -> unfinished call, mirrored in the journal
const waits = new Map() // flow -> { timer, abort, sent }

function keep(call, changes) {
  Object.assign(call, changes)
  journal.set(call, call.flow)
}

async function conclude(call, text) {
  if (call.result !== undefined) return
  const wait = waits.get(call.flow)
  waits.delete(call.flow)
  clearTimeout(wait?.timer)
  keep(call, {
    status: 'done',
    verifier: undefined,
    result: compose(call, 'tool_result', { text }),
  })
  if (wait?.sent) await Promise.race([wait.sent, delay(500)])
  wait?.abort.abort()
  await hand(call)
}

async function hand(call) {
  await deliver(call.callback_url, call.result)
  calls.delete(call.flow)
  journal.delete(call.flow)
}

function concludeWith(call, error) {
  const text = error instanceof UserError ? error.message : 'The operation failed.'
  return conclude(call, `Error: ${text}`)
}

async function begin(call) {
  try {
    if (call.fault) throw new UserError(call.fault)
    const { scope } = OPERATIONS.get(call.operation)
    const { user } = call
    let grant = user === null ? undefined : grants.get(user, scope)
    if (grant && (grant.expires ?? Infinity) < Date.now() + 1000)
      grant = await refresh(user, scope, grant)
    let text = grant ? await operate(call, grant) : null
    if (text === null && grant) {
      grant = await refresh(user, scope, grant)
      text = grant ? await operate(call, grant) : null
    }
    if (text !== null) return await conclude(call, text)
    if (grant) revoke(user, scope, grant)
    await authorize(call)
  } catch (error) {
    await concludeWith(call, error)
  }
}

function revoke(user, scope, grant) {
  if (grants.get(user, scope)?.access === grant.access) grants.delete(user, scope)
}

async function authorize(call) {
  const { scope, path } = OPERATIONS.get(call.operation)
  const { authorization_endpoint } = await provider()
  const deadline = Date.now() + PENDING
  const verifier = crypto.randomBytes(48).toString('base64url')
  keep(call, { status: 'waiting', deadline, verifier })
  const url = new URL(authorization_endpoint)
  const set = (name, value) => url.searchParams.set(name, value)
  set('response_type', 'code')
  set('client_id', CLIENT_ID)
  set('redirect_uri', PUBLIC_URL + path)
  set('scope', scope)
  set('state', seal(keys.state, path, { flow: call.flow, expires: deadline }))
  set('code_challenge', digest(verifier).toString('base64url'))
  set('code_challenge_method', 'S256')
  const wait = expect(call)
  wait.sent = deliver(
    call.callback_url,
    compose(call, 'oauth', { auth_url: url.href }),
    wait.abort.signal,
  )
}

function expect(call) {
  const left = Math.min(Math.max(call.deadline - Date.now(), 0), 2_147_483_647)
  const expire = () =>
    void concludeWith(call, new UserError('The authorization was not completed in time.'))
  const wait = { timer: setTimeout(expire, left), abort: new AbortController() }
  waits.set(call.flow, wait)
  return wait
}

/** Takes the one use of a state. Undefined unless it is authentic, unexpired, unused and awaited. */
function claim(path, state) {
  const token = open(keys.state, path, state)
  if (!isObject(token) || token.expires < Date.now()) return undefined
  const set = (used.get('set') ?? []).filter(([, expires]) => expires > Date.now())
  if (set.some(([flow]) => flow === token.flow)) return undefined
  const call = calls.get(token.flow)
  if (call?.status !== 'waiting') return undefined
  used.set([...set, [token.flow, token.expires]], 'set')
  return call
}

async function comeBack(path, query) {
  const single = ['state', 'code', 'error', 'iss'].every((name) => query.getAll(name).length < 2)
  const [state, code, refusal] = [query.get('state'), query.get('code'), query.get('error')]
  if (!single || !state || Boolean(code) === Boolean(refusal)) return false
  if (!open(keys.state, path, state)) return false
  const metadata = await provider().catch(() => ({ issuer: ISSUER }))
  const mustHaveIss = metadata.authorization_response_iss_parameter_supported === true
  if ((mustHaveIss || query.has('iss')) && query.get('iss') !== ISSUER) return false
  const call = claim(path, state)
  if (!call) return false
  clearTimeout(waits.get(call.flow)?.timer)
  const { verifier, user } = call
  keep(call, { status: 'working', verifier: undefined })
  try {
    if (refusal === 'access_denied')
      throw new UserError(
        'Authorization was denied by the user. Please try again and grant access.',
      )
    if (refusal) throw new UserError('The authorization was not granted.')
    const { scope } = OPERATIONS.get(call.operation)
    const grant = await redeem({
      grant_type: 'authorization_code',
      code,
      redirect_uri: PUBLIC_URL + path,
      code_verifier: verifier,
    })
    if (!grant) throw new UserError('The authorization was not valid. Please try again.')
    if (grant.scope !== null && !grant.scope.split(' ').includes(scope))
      throw new UserError('The authorization does not include the required permission.')
    await refreshing.get(JSON.stringify([user, scope]))?.catch(() => {})
    if (user !== null) grants.set(grant, user, scope)
    const text = await operate(call, grant)
    if (text === null && user !== null) revoke(user, scope, grant)
    if (text === null) throw new UserError('The item service did not accept the authorization.')
    void conclude(call, text.replaceAll(code, ''))
  } catch (error) {
    void concludeWith(call, error)
  }
  return true
}

// ============================================================ HTTP

function faultOf(invocation) {
  const { operation, arguments: args, call_id = null, user_id = null } = invocation
  if (![call_id, user_id].every((v) => v === null || typeof v === 'string'))
    return 'The invocation is not well-formed.'
  if (!OPERATIONS.has(operation)) return 'The operation is not known.'
  if (!isObject(args) || !OPERATIONS.get(operation).check(args))
    return 'The arguments are not as described by the input schema.'
  return undefined
}

function invoke(invocation) {
  const fault = faultOf(invocation)
  const { group_id, id, call_id, callback_url, user_id } = invocation
  const user = typeof user_id === 'string' && user_id !== '' ? user_id : null
  const call = {
    flow: crypto.randomUUID(),
    status: 'working',
    group_id,
    id,
    callback_url,
    user,
    fault,
  }
  if (call_id === null || typeof call_id === 'string') call.call_id = call_id
  if (!fault)
    Object.assign(call, { operation: invocation.operation, title: invocation.arguments.title })
  const fields = ['group_id', 'id', 'callback_url', 'user', 'operation', 'title']
  if ([...calls.values()].some((c) => fields.every((f) => c[f] === call[f]))) return // sent again
  calls.set(call.flow, call)
  keep(call, {})
  void begin(call)
}

const toolset = {
  name: 'ledger',
  description: `A ledger of items. A call whose authorization is not completed within ${PENDING} ms fails.`,
  endpoint: `${PUBLIC_URL}${BASE}/invoke`,
  tools: [...OPERATIONS].map(([name, { description, inputSchema, annotations }]) => {
    return { name, description, inputSchema, annotations }
  }),
}

async function bodyOf(req) {
  const chunks = []
  let bytes = 0
  for await (const chunk of req) if ((bytes += chunk.length) <= 500_000) chunks.push(chunk)
  return bytes > 500_000 ? {} : asJson(Buffer.concat(chunks).toString())
}

function respond(res, status, body = '', headers = {}) {
  res.writeHead(status, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...headers,
  })
  res.end(body)
}

async function serve(req, res) {
  const { pathname, searchParams } = new URL(req.url, 'http://ledger')
  const at = `${req.method} ${pathname}`
  const json = { 'content-type': 'application/json' }
  if (at === `GET ${BASE}/.well-known/rap-toolset`)
    return respond(res, 200, JSON.stringify(toolset), json)
  if (at === 'GET /v1/oauth/read' || at === 'GET /v1/oauth/write') {
    const status = (await comeBack(pathname, searchParams)) ? 200 : 400
    return respond(res, status, 'You can close this window', { 'content-type': 'text/plain' })
  }
  const action =
    req.method === 'POST' && pathname.startsWith(BASE) ? pathname.slice(BASE.length) : ''
  if (!['/invoke', '/cancel_tool_call', '/close_thread'].includes(action)) return respond(res, 404)
  const given = digest(req.headers.authorization ?? '')
  const authorized = crypto.timingSafeEqual(given, digest(`Bearer ${TOOL_KEY}`))
  if (action === '/invoke' && !authorized)
    return respond(res, 401, '', { 'www-authenticate': 'Bearer realm="ledger"' })
  const message = await bodyOf(req)
  if (action === '/invoke') {
    const needed = [message.id, message.group_id, message.callback_url]
    const url = message.callback_url
    const usable = needed.every((v) => typeof v === 'string') && /^https?:\/\//i.test(url)
    if (!usable || !URL.canParse(url)) return respond(res, 400)
    respond(res, 200)
    return invoke(message)
  }
  respond(res, 200)
  if (!authorized) return
  for (const call of calls.values()) {
    const meant = action === '/close_thread' || call.id === message.tool_call_id
    if (call.status === 'waiting' && call.group_id === message.thread_id && meant)
      void concludeWith(call, new UserError('The call was cancelled.'))
  }
}

const server = http.createServer((req, res) => {
  serve(req, res).catch(() => {
    console.error('unexpected failure while serving a request')
    if (!res.headersSent) respond(res, 500)
  })
})
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${PORT}`)
  for (const call of journal.all()) {
    calls.set(call.flow, call)
    if (call.status === 'waiting') expect(call)
    else if (call.result !== undefined) void hand(call)
    else void concludeWith(call, new UserError('The tool was restarted. Please try again.'))
  }
})
