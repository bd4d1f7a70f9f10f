// An agent application in Node without packages: dialect of responses (adk-rs), an OpenAI model, encrypted file, two consent routes.
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const E = process.env
const VARIANT = E.VARIANT ?? ''
const APP = 'ledger'
const TOOLS = {
  list_items: { key: 'ledger-read', scope: 'items:read', method: 'GET' },
  add_item: { key: 'ledger-write', scope: 'items:write', method: 'POST' },
  dice: {},
}
const rnd = (n = 16) => crypto.randomBytes(n).toString('hex')
const sha = (x) => crypto.createHash('sha256').update(x).digest('base64url')
const same = (a, b) =>
  typeof a === 'string' && crypto.timingSafeEqual(Buffer.from(sha(a)), Buffer.from(sha(b)))
const now = () => Date.now() / 1000
const sleep = (ms) => new Promise((ok) => setTimeout(ok, ms))

// ---- the store: one file, encrypted as a whole -----------------------------------------------------------------------
const file = path.join(E.DATA_DIR ?? '.', 'ledger.bin')
const secretKey = crypto
  .createHash('sha256')
  .update(E.STORE_KEY ?? 'k')
  .digest()
let db = { sessions: {}, creds: {}, flows: {} }
try {
  const raw = fs.readFileSync(file)
  const d = crypto.createDecipheriv('aes-256-gcm', secretKey, raw.subarray(0, 12))
  d.setAuthTag(raw.subarray(12, 28))
  db = JSON.parse(Buffer.concat([d.update(raw.subarray(28)), d.final()]))
} catch {}
const persist = () => {
  const iv = crypto.randomBytes(12)
  const c = crypto.createCipheriv('aes-256-gcm', secretKey, iv)
  const body = Buffer.concat([c.update(JSON.stringify(db)), c.final()])
  fs.writeFileSync(file + '.new', Buffer.concat([iv, c.getAuthTag(), body]))
  fs.renameSync(file + '.new', file)
}
const credKey = (user, key) => JSON.stringify([user, key])

// ---- OAuth -----------------------------------------------------------------------------------------------------------
async function token(form) {
  let res
  try {
    res = await fetch(E.TOKEN_ENDPOINT, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(3500),
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...form,
        client_id: E.CLIENT_ID,
        client_secret: E.CLIENT_SECRET,
      }),
    })
  } catch {
    throw new Error('the token endpoint cannot be reached')
  }
  const text = await res.text().catch(() => '')
  let t
  try {
    t = JSON.parse(text)
  } catch {
    t = {}
  }
  if (
    res.status !== 200 ||
    typeof t?.access_token !== 'string' ||
    !/^bearer$/i.test(t.token_type ?? '')
  )
    throw new Error(`the token endpoint refused (${res.status})`)
  return {
    client_id: E.CLIENT_ID,
    access_token: t.access_token,
    ...(t.refresh_token && { refresh_token: t.refresh_token }),
    ...(Number.isFinite(t.expires_in) && { expires_at: Math.floor(now() + t.expires_in) }),
  }
}
const refreshing = new Map()
async function usable(user, key) {
  const k = credKey(user, key)
  const c = db.creds[k]
  if (!c) return undefined
  if (!c.expires_at || c.expires_at - now() > 60) return c
  if (!c.refresh_token) {
    delete db.creds[k]
    return undefined
  }
  if (!refreshing.has(k))
    refreshing.set(
      k,
      token({ grant_type: 'refresh_token', refresh_token: c.refresh_token })
        .then(
          (n) => {
            const next = { refresh_token: c.refresh_token, ...n }
            db.creds[k] = next
            persist()
            return next
          },
          () => {
            delete db.creds[k]
            persist()
            return undefined
          },
        )
        .finally(() => refreshing.delete(k)),
    )
  return refreshing.get(k)
}

function begin(user, config) {
  const tool = Object.values(TOOLS).find((t) => t.key && t.key === config?.credential_key)
  if (!tool) return [400, { error: 'unknown credential_key' }]
  const id = rnd(),
    state = rnd(12),
    verifier = rnd(32)
  db.flows[id] = { user, key: tool.key, state, verifier, at: now() }
  persist()
  const q = new URLSearchParams({
    response_type: 'code',
    client_id: E.CLIENT_ID,
    redirect_uri: E.REDIRECT_URL,
    scope: tool.scope,
    state,
    code_challenge: sha(verifier),
    code_challenge_method: 'S256',
  })
  return [200, { authUri: `${E.AUTHORIZATION_ENDPOINT}?${q}`, flowId: id, expiresIn: 600 }]
}
async function complete(user, { flowId, state, code, iss }) {
  const flow = Object.hasOwn(db.flows, String(flowId)) ? db.flows[flowId] : undefined
  if (!flow) return [404, { error: 'no such flow' }]
  if (flow.user !== user) return [403, { error: 'not yours' }]
  if (!same(state, flow.state)) return [400, { error: 'state' }]
  if (iss !== E.ISSUER) return [400, { error: 'issuer' }]
  if (VARIANT !== 'keeps-flows') {
    delete db.flows[flowId]
    persist()
  }
  if (typeof code !== 'string' || !code) return [400, { error: 'code' }]
  try {
    const oauth2 = await token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: E.REDIRECT_URL,
      code_verifier: flow.verifier,
    })
    return [200, { credential: { auth_type: 'o_auth2', oauth2 } }]
  } catch (e) {
    return [502, { error: e.message }]
  }
}

// ---- tools and the model ---------------------------------------------------------------------------------------------
async function run(call, user, cred) {
  const t = TOOLS[call.name]
  if (!t.key) return { rolled: crypto.randomInt(1, 7), id: rnd(4) }
  const res = await fetch(`${E.RESOURCE_URL}/items`, {
    method: t.method,
    signal: AbortSignal.timeout(4000),
    headers: {
      authorization: `Bearer ${cred.access_token}`,
      ...(t.method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(t.method === 'POST' && { body: JSON.stringify({ name: 'entry' }) }),
  }).catch(() => undefined)
  if (!res) return { error: 'the API cannot be reached' }
  if (res.status === 401) return undefined
  if (!res.ok) return { error: `the API answered ${res.status}` }
  const text = (await res.text()).replaceAll(cred.access_token, '[token]')
  let v
  try {
    v = JSON.parse(text)
  } catch {
    v = text
  }
  return { result: v }
}
async function attempt(s, call) {
  const t = TOOLS[call.name]
  if (!t) return { error: 'unknown tool' }
  if (!t.key) return run(call, s.user)
  const c = await usable(s.user, t.key)
  if (!c) return undefined
  const r = await run(call, s.user, c)
  if (!r) {
    delete db.creds[credKey(s.user, t.key)]
    persist()
  }
  return r
}
async function model(s) {
  const messages = [{ role: 'system', content: 'You keep the ledger.' }, ...s.messages]
  const answered = new Set(s.messages.filter((m) => m.role === 'tool').map((m) => m.tool_call_id))
  const out = []
  for (const m of messages) {
    out.push(m)
    for (const c of m.tool_calls ?? [])
      if (!answered.has(c.id))
        out.push({ role: 'tool', tool_call_id: c.id, content: '"the user is signing in"' })
  }
  const res = await fetch(`${E.MODEL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
    body: JSON.stringify({
      model: 'm',
      messages: out,
      tools: Object.keys(TOOLS).map((name) => ({
        type: 'function',
        function: { name, parameters: { type: 'object', properties: {} } },
      })),
    }),
  })
  if (!res.ok) throw new Error('model')
  return (await res.json()).choices[0].message
}
const config = (t) => ({
  auth_scheme: {
    scheme_type: 'o_auth2',
    flows: {
      authorization_code: {
        authorization_url: E.AUTHORIZATION_ENDPOINT,
        token_url: E.TOKEN_ENDPOINT,
        scopes: { [t.scope]: '' },
      },
    },
  },
  raw_auth_credential: {
    auth_type: 'o_auth2',
    oauth2: { client_id: E.CLIENT_ID, redirect_uri: E.REDIRECT_URL, scopes: [t.scope] },
  },
  credential_key: t.key,
})
const event = (role, parts, more = {}) => ({
  id: rnd(6),
  author: APP,
  timestamp: now(),
  content: { role, parts },
  ...more,
})

async function turn(s, events) {
  for (let i = 0; i < 8; i++) {
    const m = await model(s)
    s.messages.push(m)
    const calls = (m.tool_calls ?? []).map((c) => ({
      id: c.id,
      name: c.function.name,
      args: JSON.parse(c.function.arguments || '{}'),
    }))
    const parts = [
      ...(m.content ? [{ text: m.content }] : []),
      ...calls.map((c) => ({ functionCall: c })),
    ]
    events.push(event('model', parts))
    if (!calls.length) return
    const out = [],
      waiting = []
    for (const c of calls) {
      const r = await attempt(s, c)
      if (r) {
        s.messages.push({ role: 'tool', tool_call_id: c.id, content: JSON.stringify(r) })
        out.push({ functionResponse: { id: c.id, name: c.name, response: r } })
      } else {
        const t = TOOLS[c.name]
        s.pending[c.id] = c
        waiting.push(c.id)
        out.push({
          functionResponse: {
            id: c.id,
            name: 'adk_request_credential',
            willContinue: true,
            response: config(t),
          },
        })
      }
    }
    // results and requests of a turn are parts of the same event
    events.push(event('tool', out, waiting.length ? { longRunningToolIds: waiting } : {}))
    if (waiting.length) return
  }
}
async function resume(s, responses, events) {
  for (const f of responses) {
    let call = Object.hasOwn(s.pending, String(f.id)) ? s.pending[f.id] : undefined
    if (!call && VARIANT === 'any-id') call = Object.values(s.pending)[0]
    if (!call || f.name !== 'adk_request_credential')
      throw Object.assign(new Error('nothing waits for that'), { status: 409 })
    const oauth2 = f.response?.exchanged_auth_credential?.oauth2
    const usableAnswer =
      oauth2 &&
      typeof oauth2 === 'object' &&
      typeof oauth2.access_token === 'string' &&
      oauth2.access_token
    delete s.pending[call.id]
    let r
    if (!usableAnswer)
      r =
        VARIANT === 'denial-is-pending'
          ? { status: 'pending', message: 'Waiting for the user to authorize.' }
          : { error: 'the user has not authorized this' }
    else {
      const t = TOOLS[call.name]
      db.creds[credKey(s.user, t.key)] = {
        client_id: E.CLIENT_ID,
        access_token: oauth2.access_token,
        ...(typeof oauth2.refresh_token === 'string' && { refresh_token: oauth2.refresh_token }),
        ...(Number.isFinite(oauth2.expires_at) && { expires_at: oauth2.expires_at }),
      }
      persist()
      r = await attempt(s, call)
      if (!r) {
        s.pending[call.id] = call
        events.push(
          event(
            'tool',
            [
              {
                functionResponse: {
                  id: call.id,
                  name: 'adk_request_credential',
                  willContinue: true,
                  response: config(t),
                },
              },
            ],
            { longRunningToolIds: [call.id] },
          ),
        )
        continue
      }
    }
    s.messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(r) })
    events.push(
      event('tool', [{ functionResponse: { id: call.id, name: call.name, response: r } }]),
    )
  }
  if (!Object.keys(s.pending).length) await turn(s, events)
}

// ---- REST ------------------------------------------------------------------------------------------------------------
const queue = new Map()
function exclusive(name, work) {
  const p = (queue.get(name) ?? Promise.resolve()).then(work, work)
  queue.set(
    name,
    p.catch(() => {}),
  )
  return p
}
const view = (s) => ({
  id: s.id,
  appName: APP,
  userId: s.user,
  state: s.state,
  events: s.events,
  lastUpdateTime: s.at,
})
async function handle(method, url, body) {
  const p = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  if (method === 'GET' && p[0] === 'list-apps') return [200, [APP]]
  if (p[0] === 'oauth') {
    const user = String(body?.userId ?? '')
    if (p[1] === 'begin') return begin(user, body?.authConfig)
    if (p[1] === 'complete') return complete(user, body ?? {})
  }
  if (p[0] === 'apps' && p[1] === APP && p[2] === 'users' && p[4] === 'sessions') {
    const key = JSON.stringify([p[3], p[5]])
    if (method === 'GET')
      return db.sessions[key]
        ? [200, view(db.sessions[key])]
        : [404, { error: { message: 'no session' } }]
    const id = p[5] ?? rnd()
    const k = JSON.stringify([p[3], id])
    if (db.sessions[k]) return [409, { error: { message: 'exists' } }]
    db.sessions[k] = { user: p[3], id, state: {}, events: [], messages: [], pending: {}, at: now() }
    persist()
    return [200, view(db.sessions[k])]
  }
  if (method === 'POST' && p[0] === 'run') {
    const user = body?.userId ?? body?.user_id,
      id = body?.sessionId ?? body?.session_id,
      msg = body?.newMessage ?? body?.new_message
    const k = JSON.stringify([user, id])
    const s = Object.hasOwn(db.sessions, k) ? db.sessions[k] : undefined
    if (!s) return [404, { error: { message: 'no session' } }]
    if (!Array.isArray(msg?.parts)) return [422, { error: { message: 'newMessage.parts' } }]
    return exclusive(k, async () => {
      await sleep(Number(E.DELAY ?? 300))
      const events = []
      const responses = msg.parts
        .map((x) => x?.functionResponse ?? x?.function_response)
        .filter((f) => f && typeof f === 'object')
      const text = msg.parts
        .map((x) => x?.text)
        .filter((t) => typeof t === 'string')
        .join('\n')
      try {
        if (responses.length) await resume(s, responses, events)
        else {
          s.messages.push({ role: 'user', content: text })
          s.events.push(event('user', [{ text }], { author: 'user' }))
          await turn(s, events)
        }
      } catch (e) {
        if (e.status) return [e.status, { error: { message: e.message } }]
        throw e
      } finally {
        s.events.push(...events)
        s.at = now()
        persist()
      }
      return [200, events]
    })
  }
  return [404, { error: { message: 'no such route' } }]
}
http
  .createServer(async (req, res) => {
    let raw = ''
    for await (const c of req) raw += c
    let out
    try {
      let body
      try {
        body = raw ? JSON.parse(raw) : {}
      } catch {
        out = [400, { error: { message: 'no JSON' } }]
      }
      out ??= await handle(req.method, new URL(req.url, 'http://x'), body)
    } catch (e) {
      console.error('failed:', e.message)
      out = [500, { error: { message: 'internal' } }]
    }
    res.writeHead(out[0], { 'content-type': 'application/json' }).end(JSON.stringify(out[1]))
  })
  .listen(Number(E.PORT), '127.0.0.1')
