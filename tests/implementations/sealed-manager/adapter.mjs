/**
 * A manager that keeps no flows: the state itself is a sealed note. Its planner continues the call that has paused, without
 * asking the model first. EARLY answers the browser before the code is redeemed.
 */

import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const say = (event, f = {}) => process.stdout.write(JSON.stringify({ event, ...f }) + '\n')
let s = {},
  ahead = 0,
  key,
  store,
  used,
  pauses
const now = () => Date.now() + ahead
const seal = (o) => {
  const iv = randomBytes(12)
  const c = createCipheriv('aes-256-gcm', key, iv)
  const b = Buffer.concat([c.update(JSON.stringify(o)), c.final()])
  return Buffer.concat([iv, c.getAuthTag(), b]).toString('base64url')
}
const open = (t) => {
  try {
    const b = Buffer.from(t, 'base64url')
    if (b.toString('base64url') !== t) return
    const d = createDecipheriv('aes-256-gcm', key, b.subarray(0, 12))
    d.setAuthTag(b.subarray(12, 28))
    return JSON.parse(Buffer.concat([d.update(b.subarray(28)), d.final()]))
  } catch {
    return
  }
}
const client = (p) => (p === s['provider.name'] ? 'provider' : 'provider2')
const check = (u) => {
  const x = new URL(u)
  if (x.protocol !== 'https:' && x.hostname !== '127.0.0.1') throw new Error('https only')
}
function ask(user, provider) {
  if (![s['provider.name'], s['provider2.name']].includes(provider)) {
    throw new Error('no such provider ' + provider)
  }
  check(s['provider.authorizationEndpoint'])
  check(s['provider.tokenEndpoint'])
  const verifier = randomBytes(40).toString('base64url')
  const state = seal({ user, provider, verifier, at: now(), id: randomUUID() })
  const u = new URL(s['provider.authorizationEndpoint'])
  for (const [k, v] of Object.entries({
    client_id: s[client(provider) + '.clientId'],
    response_type: 'code',
    redirect_uri: s['callback.url'],
    scope: s.scopes,
    state,
    nonce_hint: 'x',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }))
    u.searchParams.set(k, v)
  return {
    display_name: '🔑 ' + provider,
    auth_url: u.href,
    scopes: s.scopes,
    state,
    expires_at: now() + 6e5,
    hint: { locale: 'de' },
  }
}
async function callback(url) {
  const q = new URL(url).searchParams
  if (q.getAll('state').length !== 1) throw new Error('no state, or several')
  const st = q.get('state')
  const flow = open(st)
  if (!flow) throw new Error('this state is not mine')
  if (now() - flow.at > 6e5) throw new Error('it took too long')
  if (used.has(flow.id)) throw new Error('this link was used')
  used.add(flow.id)
  save()
  if (q.has('iss') && q.get('iss') !== s['provider.issuer']) throw new Error('wrong issuer')
  if (q.has('error')) throw new Error('declined: ' + q.get('error').slice(0, 40))
  if (!q.get('code')) throw new Error('no code')
  const body = new URLSearchParams({
    code_verifier: flow.verifier,
    code: q.get('code'),
    redirect_uri: s['callback.url'],
    grant_type: 'authorization_code',
    client_id: s[client(flow.provider) + '.clientId'],
    client_secret: s[client(flow.provider) + '.clientSecret'],
  })
  const r = await fetch(s['provider.tokenEndpoint'], { method: 'POST', body, redirect: 'error' })
  const text = await r.text()
  let a
  try {
    a = JSON.parse(text)
  } catch {
    throw new Error('the answer is not JSON')
  }
  if (!r.ok)
    throw new Error(`token endpoint: ${r.status} ${typeof a.error === 'string' ? a.error : ''}`)
  if (typeof a.access_token !== 'string' || a.access_token === '')
    throw new Error('no token in the answer')
  if (String(a.token_type).toLowerCase() !== 'bearer') throw new Error('unknown token type')
  const life = Number(a.expires_in)
  const until = !Number.isFinite(life) ? null : now() + life * 1000
  const who = flow.user
  store[K(who, flow.provider)] = { t: a.access_token, until }
  save()
  return who
}
const K = (user, p) =>
  createHash('sha256')
    .update(JSON.stringify([user, p]))
    .digest('hex')
const token = (user, p) => {
  const k = store[K(user, p)]
  if (!k || (k.until !== null && k.until - 30000 <= now())) return
  return k.t
}
const file = () => s['data.dir'] + '/all.json'
const save = () =>
  s.state === 'durable' &&
  writeFileSync(
    file(),
    JSON.stringify({ key: key.toString('hex'), store, used: [...used], pauses: [...pauses] }),
  )
function load() {
  key = randomBytes(32)
  store = {}
  used = new Set()
  pauses = new Map()
  if (s.state === 'durable' && existsSync(file())) {
    const d = JSON.parse(readFileSync(file()))
    key = Buffer.from(d.key, 'hex')
    store = d.store
    used = new Set(d.used)
    pauses = new Map(d.pauses)
  }
}
const names = { items_list: 'items', notes_list: 'notes', mails_list: 'mails' }
async function model(messages) {
  const r = await fetch(s['model.url'] + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + s['model.key'] },
    body: JSON.stringify({
      model: s['model.name'],
      messages,
      tools: Object.keys(names).map((name) => ({
        type: 'function',
        function: {
          name,
          parameters: { type: 'object', properties: { search: { type: 'string' } } },
        },
      })),
    }),
  })
  return (await r.json()).choices[0].message
}
async function go(run) {
  for (let n = 0; n < 12; n++) {
    while (run.todo.length) {
      const c = run.todo[0],
        p = names[c.function.name]
      let content
      try {
        if (!run.user) throw new Error('user_id required')
        const t = token(run.user, p)
        if (!t) {
          const payload = { pause_type: 'oauth', provider: p, ...ask(run.user, p) }
          const handle = 'urn:pause:' + randomUUID()
          pauses.set(handle, structuredClone(run))
          save()
          return say('paused', {
            conversation: run.c,
            user: run.user,
            handle,
            reason: 'external_event',
            payload,
          })
        }
        say('tool_run', { conversation: run.c, user: run.user, tool: c.function.name })
        const r = await fetch(
          `${s['resource.url']}/items?search=${encodeURIComponent(JSON.parse(c.function.arguments || '{}').search ?? '')}`,
          { headers: { authorization: 'Bearer ' + t } },
        )
        if (r.status === 401) {
          delete store[K(run.user, p)]
          continue
        }
        content = await r.text()
      } catch (e) {
        content = 'ERR ' + e.message
      }
      run.todo.shift()
      run.m.push({ role: 'tool', tool_call_id: c.id, content })
    }
    const m = await model(run.m)
    run.m.push(m)
    if (!m.tool_calls?.length)
      return say('finished', { conversation: run.c, text: m.content ?? '' })
    run.todo = [...m.tool_calls]
  }
  throw new Error('loop')
}
const start = (run) =>
  void go(run).catch((e) =>
    say('run_failed', { conversation: run.c, kind: e.name, message: e.message }),
  )
const took = async (url) => {
  const state = URL.canParse(url)
    ? (new URL(url).searchParams.get('state') ?? undefined)
    : undefined
  try {
    say('callback', { outcome: 'stored', user: await callback(url), state })
    return true
  } catch (e) {
    say('callback', { outcome: 'refused', kind: e.constructor.name, message: e.message, state })
    return false
  }
}
const commands = {
  hello: () => ({ protocol: 2, capabilities: ['advance_clock', 'restart', 'dump'] }),
  configure: (c) => void (s = c.settings),
  start: () => {
    load()
    return new Promise((ok) =>
      createServer((q, r) => {
        if (q.url.startsWith('/bye')) return r.end('Bye')
        const go = took(s['host.url'] + q.url)
        const end = () => r.writeHead(303, { location: s['host.url'] + '/bye' }).end()
        process.env.EARLY ? end() : go.then(end)
      }).listen(Number(s.port), '127.0.0.1', () => ok()),
    )
  },
  restart: () => load(),
  message: (c) =>
    start({ c: c.conversation, user: c.user, m: [{ role: 'user', content: c.text }], todo: [] }),
  resume: (c) => {
    const run = pauses.get(c.handle)
    if (!run || run.user !== c.user)
      return void say('run_failed', {
        conversation: c.conversation,
        kind: 'Error',
        message: 'unknown pause',
      })
    pauses.delete(c.handle)
    save()
    if (c.input === 'oauth_denied') {
      run.todo.shift()
      return void say('finished', { conversation: run.c, text: 'As you wish.' })
    }
    start(run)
  },
  advance_clock: (c) => void (ahead += c.ms),
  dump: () => ({
    entries: [...pauses].map(([h, v]) => ({
      path: createHash('sha256').update(h).digest('hex'),
      kind: 'pause',
      text: JSON.stringify(v),
    })),
  }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const c = JSON.parse(line)
  if (c.command === 'shutdown') {
    say('settled', { id: c.id })
    process.exit(0)
  }
  try {
    commands[c.command]
      ? say('settled', { id: c.id, ...(await commands[c.command](c)) })
      : say('unsupported', { id: c.id })
  } catch (e) {
    say('failed', { id: c.id, message: e.message })
  }
}
