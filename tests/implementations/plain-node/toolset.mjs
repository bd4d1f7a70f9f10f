// A toolset of RAP around a provider and its API, which a program of its own brings. Node only, no packages.
//
//   PORT, DATA_DIR                           where to listen, where to keep state
//   PUBLIC_URL (optional)                    how a browser reaches us, default http://127.0.0.1:PORT
//   TOKEN_KEY (optional)                     passphrase of the vault, default DATA_DIR/key/vault.key
//   PENDING_TIMEOUT_MS (600000)              an unapproved call ends in an error after this long
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const env = process.env
const PORT = Number(env.PORT)
const PUBLIC_URL = env.PUBLIC_URL || `http://127.0.0.1:${PORT}`
const REDIRECT_URI = `${PUBLIC_URL}/auth/acme/return`
const PENDING_MS = Number(env.PENDING_TIMEOUT_MS || 600_000)

/** An error whose message may be shown to the model. */
export class Problem extends Error {}

// ---------------------------------------------------------------- storage

/** One AES-256-GCM file with every grant and every unfinished call. */
class Vault {
  grants = new Map() // user + scope -> grant
  calls = new Map() // our own reference -> call

  constructor(dir) {
    fs.mkdirSync(path.join(dir, 'store'), { recursive: true, mode: 0o700 })
    this.file = path.join(dir, 'store', 'vault.bin')
    this.key = env.TOKEN_KEY
      ? crypto.scryptSync(env.TOKEN_KEY, 'acme-items vault', 32)
      : keyFile(dir)
    if (!fs.existsSync(this.file)) return
    try {
      const raw = fs.readFileSync(this.file)
      const box = crypto.createDecipheriv('aes-256-gcm', this.key, raw.subarray(0, 12))
      box.setAuthTag(raw.subarray(12, 28))
      const text = Buffer.concat([box.update(raw.subarray(28)), box.final()]).toString()
      const saved = JSON.parse(text)
      this.grants = new Map(saved.grants)
      this.calls = new Map(saved.calls)
    } catch {
      console.error('the vault cannot be opened, starting an empty one')
      fs.renameSync(this.file, `${this.file}.unreadable`)
    }
  }

  save() {
    const iv = crypto.randomBytes(12)
    const box = crypto.createCipheriv('aes-256-gcm', this.key, iv)
    const text = JSON.stringify({ grants: [...this.grants], calls: [...this.calls] })
    const sealed = Buffer.concat([box.update(text), box.final()])
    fs.writeFileSync(`${this.file}.new`, Buffer.concat([iv, box.getAuthTag(), sealed]), {
      mode: 0o600,
    })
    fs.renameSync(`${this.file}.new`, this.file)
  }
}

function keyFile(dir) {
  const file = path.join(dir, 'key', 'vault.key')
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  if (!fs.existsSync(file)) fs.writeFileSync(file, crypto.randomBytes(32), { mode: 0o600 })
  return fs.readFileSync(file)
}

/**
 * What a program brings: `name`, `title` of its provider, `build`, its `operations`, whether one is `allows`-ed, `issuer`, and the provider:
 * `authorizationUrl({ state, verifier, scope, redirectUri })`, `exchange({ code, verifier, redirectUri })` and
 * `refresh(token)`, which give `{ grant }` or `{ refused }`.
 */
let own

const vault = new Vault(env.DATA_DIR || './data')
const live = new Map() // reference -> { timer, stop, outbox } of a call waiting for its user
const grantKey = (user, scope) => JSON.stringify([user, scope])

// ---------------------------------------------------------------- grants

const locks = new Map()

/** Runs `job` after every earlier job of the same key. */
function serially(key, job) {
  const turn = (locks.get(key) ?? Promise.resolve()).then(job)
  const tail = turn.catch(() => {})
  locks.set(key, tail)
  void tail.then(() => locks.get(key) === tail && locks.delete(key))
  return turn
}

/** The stored grant, refreshed if it has expired or if `rejected` is its access token. */
function storedGrant(user, scope, rejected) {
  if (user === null) return null
  const key = grantKey(user, scope)
  return serially(key, async () => {
    const grant = vault.grants.get(key)
    if (!grant) return null
    const expired = grant.expires !== null && grant.expires <= Date.now() + 1000
    if (!expired && grant.access !== rejected) return grant
    if (grant.refresh) {
      const answer = await own.refresh(grant.refresh)
      if (answer.grant) {
        answer.grant.scope ??= grant.scope
        vault.grants.set(key, answer.grant)
        vault.save()
        return answer.grant
      }
      if (!answer.refused) throw new Problem(`${own.title} did not answer. Please try again later.`)
    }
    vault.grants.delete(key)
    vault.save()
    return null
  })
}

function forget(user, scope, grant) {
  const key = grantKey(user, scope)
  if (vault.grants.get(key)?.access !== grant.access) return
  vault.grants.delete(key)
  vault.save()
}

// ---------------------------------------------------------------- callbacks to the runtime

function post(target, body, signal) {
  return new Promise((resolve, reject) => {
    const lib = /^https:/i.test(target) ? https : http
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    }
    const options = { method: 'POST', headers, agent: false, signal }
    const exact = /^https?:\/\/[^/?#]+(\/[!-~]*)$/i.exec(target) // `new URL` would resolve dots
    if (exact) options.path = exact[1].replace(/#.*/, '')
    const req = lib.request(target, options, (res) => {
      res.resume()
      resolve(res.statusCode)
    })
    req.setTimeout(10_000, () => req.destroy(new Error('timeout')))
    req.on('error', reject)
    req.end(body)
  })
}

/** Whether the runtime took the message. */
async function deliver(target, body, signal) {
  for (let attempt = 0; attempt < 8; attempt++) {
    if (attempt > 0) await sleep(100 * 2 ** attempt)
    if (signal?.aborted) return false
    const status = await post(target, body, signal).catch(() => 0)
    if (status > 0 && status < 500) return status < 300
  }
  return false
}

function message(call, type, fields) {
  const own = 'call_id' in call ? { call_id: call.call_id } : {}
  const { group_id, id } = call
  return JSON.stringify({
    type,
    group_id,
    id,
    ...own,
    ...fields,
    vendor: { name: own.name, build: own.build },
    schema_revision: 3,
  })
}

/** Ends a call. Whatever happens next, no second result can be produced for it. */
async function finish(ref, text, secrets = []) {
  const call = vault.calls.get(ref)
  if (!call || call.phase === 'delivering') return
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '[removed]')
  call.phase = 'delivering'
  // RAP Tool Result, Error Handling: the description of an error stands in `text`.
  const said = text.startsWith('Error') ? { text } : { content: [{ type: 'text', text }] }
  call.result = message(call, 'tool_result', said)
  for (const field of ['state', 'verifier', 'args']) delete call[field]
  vault.save()
  const waiting = live.get(ref)
  live.delete(ref)
  clearTimeout(waiting?.timer)
  if (waiting?.outbox) {
    await Promise.race([waiting.outbox, sleep(500)])
    waiting.stop.abort()
  }
  await sendResult(ref, call)
}

async function sendResult(ref, call) {
  await deliver(call.callback_url, call.result)
  vault.calls.delete(ref)
  vault.save()
}

// ---------------------------------------------------------------- the life of a call

function fail(ref, error, secrets) {
  const text = error instanceof Problem ? error.message : 'The call failed.'
  return finish(ref, `Error: ${text}`, secrets)
}

async function work(ref) {
  const call = vault.calls.get(ref)
  const tool = own.operations.get(call.operation)
  try {
    if (call.invalid) throw new Problem(call.invalid)
    let grant = await storedGrant(call.user, tool.scope)
    let reply = grant && (await tool.run(call.args, grant.access))
    if (reply?.status === 401) {
      grant = await storedGrant(call.user, tool.scope, grant.access)
      reply = grant && (await tool.run(call.args, grant.access))
    }
    if (grant && reply.unfit) {
      forget(call.user, tool.scope, grant)
      grant = null
    }
    if (!grant) return askUser(ref, call, tool)
    await finish(ref, outcome(tool, reply), [grant.access, grant.refresh])
  } catch (error) {
    await fail(ref, error)
  }
}

function outcome(tool, reply) {
  try {
    if (reply.status >= 200 && reply.status < 300) return tool.tell(reply.body)
  } catch {
    // an unexpected body is reported like any other failure
  }
  throw new Problem(`${own.title} could not carry out the operation (status ${reply.status}).`)
}

function askUser(ref, call, tool) {
  const state = crypto.randomBytes(32).toString('base64url')
  const verifier = crypto.randomBytes(32).toString('base64url')
  const asked = { state, verifier, scope: tool.scope, redirectUri: REDIRECT_URI }
  const url = own.authorizationUrl(asked)
  Object.assign(call, { phase: 'waiting', state, verifier, deadline: Date.now() + PENDING_MS })
  vault.save()
  const body = message(call, 'oauth', { auth_url: url })
  const waiting = wait(ref, call)
  const send = () => deliver(call.callback_url, body, waiting.stop.signal)
  waiting.outbox = send().then((taken) => taken && send())
}

function wait(ref, call) {
  const waiting = { stop: new AbortController() }
  const left = Math.min(Math.max(call.deadline - Date.now(), 0), 2 ** 31 - 1)
  waiting.timer = setTimeout(() => {
    void finish(
      ref,
      `Error: ${own.title} authorization was not completed in time. Please try again.`,
    )
  }, left)
  live.set(ref, waiting)
  return waiting
}

/** The user's browser comes back. Returns whether the request belonged to a waiting call. */
async function onReturn(query) {
  for (const name of ['state', 'code', 'error', 'iss'])
    if (query.getAll(name).length > 1) return false
  const state = query.get('state')
  const code = query.get('code')
  const denied = query.get('error')
  if (!state || Boolean(code) === Boolean(denied)) return false
  if (own.issuer && query.get('iss') !== own.issuer) return false
  const found = [...vault.calls].find(([, c]) => c.phase === 'waiting' && c.state === state)
  if (!found) return false
  const [ref, call] = found
  const { verifier } = call
  call.phase = 'working'
  delete call.state
  delete call.verifier
  vault.save()
  clearTimeout(live.get(ref)?.timer)
  if (denied) {
    const text =
      denied === 'access_denied'
        ? `${own.title} authorization was denied by the user. Please try again and grant the requested permissions.`
        : `${own.title} could not complete the authorization. Please try again.`
    void fail(ref, new Problem(text))
    return true
  }
  const tool = own.operations.get(call.operation)
  try {
    const { grant } = await own.exchange({ code, verifier, redirectUri: REDIRECT_URI })
    if (!grant)
      throw new Problem(`${own.title} did not accept the authorization. Please try again.`)
    if (grant.scope !== undefined && !String(grant.scope).split(' ').includes(tool.scope))
      throw new Problem('The permission that this operation needs was not granted.')
    if (call.user !== null)
      await serially(grantKey(call.user, tool.scope), () => {
        vault.grants.set(grantKey(call.user, tool.scope), grant)
        vault.save()
      })
    void resume(ref, call, tool, grant, code)
  } catch (error) {
    void fail(ref, error)
  }
  return true
}

async function resume(ref, call, tool, grant, code) {
  const secrets = [grant.access, grant.refresh, code]
  try {
    const reply = await tool.run(call.args, grant.access)
    if (reply.unfit) forget(call.user, tool.scope, grant)
    await finish(ref, outcome(tool, reply), secrets)
  } catch (error) {
    await fail(ref, error, secrets)
  }
}

// ---------------------------------------------------------------- HTTP

/** Turns an invocation into a call, or null if nobody could ever be answered. */
function toCall(inv) {
  if (inv === null || typeof inv !== 'object') return null
  const reachable = [inv.id, inv.group_id, inv.callback_url].every((v) => typeof v === 'string')
  if (!reachable || !/^https?:\/\//i.test(inv.callback_url) || !URL.canParse(inv.callback_url))
    return null
  const { id, group_id, callback_url, call_id, user_id } = inv
  const call = { phase: 'working', id, group_id, callback_url }
  if (call_id === null || typeof call_id === 'string') call.call_id = call_id
  call.user = typeof user_id === 'string' && user_id !== '' ? user_id : null
  call.invalid = objection(inv)
  call.operation = call.invalid ? null : inv.operation
  call.args = call.invalid ? {} : inv.arguments
  return call
}

function objection(inv) {
  const optional = (v) => v === undefined || v === null || typeof v === 'string'
  if (!optional(inv.call_id) || !optional(inv.user_id)) return 'The invocation is malformed.'
  const tool = own.operations.get(inv.operation)
  if (!tool) return 'Unknown operation.'
  if (!own.allows(tool.scope)) return 'This operation is not enabled.'
  const args = inv.arguments
  const isObject = args !== null && typeof args === 'object' && !Array.isArray(args)
  if (!isObject || !tool.accepts(args)) return 'The arguments do not fit the operation.'
  return null
}

function accept(call) {
  const same = (c) =>
    ['id', 'group_id', 'callback_url', 'user', 'operation'].every((f) => c[f] === call[f])
  if ([...vault.calls.values()].some(same)) return // a repeated delivery of a call in progress
  const ref = crypto.randomUUID()
  vault.calls.set(ref, call)
  vault.save()
  setImmediate(() => void work(ref))
}

/** close_thread and cancel_tool_call end the calls that still wait for their user. */
function cancel(note) {
  for (const [ref, call] of vault.calls) {
    if (call.phase !== 'waiting' || call.group_id !== note?.thread_id) continue
    if (note.tool_call_id !== undefined && call.id !== note.tool_call_id) continue
    void finish(ref, 'Error: The call was cancelled.')
  }
}

async function readJson(req) {
  const parts = []
  let size = 0
  for await (const part of req) {
    size += part.length
    if (size <= 1_000_000) parts.push(part)
  }
  if (size > 1_000_000) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)))
  } catch {
    return undefined
  }
}

function answer(res, status, type, body, headers = {}) {
  res.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  res.end(body)
}

function page(res, status, text) {
  const html = `<!doctype html><meta charset="utf-8"><title>${own.title} items</title><p>${text}</p>`
  answer(res, status, 'text/html', html, { 'content-security-policy': "default-src 'none'" })
}

const manifest = () => ({
  name: own.name,
  description: `Items at ${own.title}. An authorization that is not completed within ${PENDING_MS} ms ends in an error; other calls take a few seconds.`,
  endpoint: 'https://tools.example.invalid/rap',
  tools: [...own.operations].map(([name, { description, inputSchema, annotations }]) => ({
    name,
    description,
    inputSchema,
    annotations,
  })),
})

async function route(req, res) {
  const url = new URL(`http://tool${req.url.startsWith('/') ? req.url : '/'}`)
  const at = `${req.method} ${url.pathname}`
  if (at === 'GET /.well-known/rap-toolset')
    return answer(res, 200, 'application/json', JSON.stringify(manifest()))
  if (at === 'POST /rap') {
    const call = toCall(await readJson(req))
    if (!call) return answer(res, 400, 'text/plain', 'not an invocation')
    answer(res, 200, 'text/plain', 'accepted')
    return accept(call)
  }
  if (at === 'POST /cancel_tool_call' || at === 'POST /close_thread') {
    const note = (await readJson(req)) ?? {}
    answer(res, 200, 'text/plain', 'noted')
    if (at.endsWith('call') && typeof note?.tool_call_id !== 'string') return
    return cancel(at.endsWith('call') ? note : { thread_id: note?.thread_id })
  }
  if (at === 'GET /auth/acme/return') {
    if (await onReturn(url.searchParams))
      return answer(res, 303, 'text/plain', '', { location: '/done' })
    return page(res, 400, 'This link is not valid or was already used.')
  }
  if (at === 'GET /done') return page(res, 200, 'Done. You can return to your conversation.')
  return answer(res, 404, 'text/plain', 'not found')
}

const server = http.createServer((req, res) => {
  route(req, res).catch(() => {
    console.error('a request could not be handled')
    if (!res.headersSent) answer(res, 500, 'text/plain', 'internal error')
  })
})

/** Serves the toolset. */
export function serve(program) {
  own = program
  server.listen(PORT, '127.0.0.1', () => {
    console.log(`ready http://127.0.0.1:${PORT}`)
    for (const [ref, call] of vault.calls) {
      if (call.phase === 'waiting') wait(ref, call)
      else if (call.phase === 'delivering') void sendResult(ref, call)
      else void finish(ref, 'Error: The tool was restarted during the call. Please try again.')
    }
  })
}
