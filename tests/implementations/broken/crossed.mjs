import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'

const e = process.env
const self = `http://127.0.0.1:${e.PORT}`
const redirect = `${self}/auth/callback`
const limit = Number(e.UPSTREAM_TIMEOUT_MS || 2000)
const pendingLimit = Number(e.PENDING_TIMEOUT_MS || 600000)
const dir = e.DATA_DIR || 'data'
const scopeOf = { list_items: 'items:read', create_item: 'items:write' }

let current = null
let tokens = {}
const verifier = crypto.randomBytes(48).toString('base64url')
const challenge = crypto.createHash('sha256').update(verifier).digest('base64url')

fs.mkdirSync(`${dir}/store`, { recursive: true })
const keyPath = `${dir}/secret.key`
if (!fs.existsSync(keyPath)) fs.writeFileSync(keyPath, crypto.randomBytes(32), { mode: 0o600 })
const key = fs.readFileSync(keyPath)
const tokenPath = `${dir}/store/token.bin`

function persist() {
  const iv = crypto.randomBytes(12)
  const cipher = crypto.createCipheriv('aes-256-gcm', key, iv)
  const data = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()])
  fs.writeFileSync(tokenPath, Buffer.concat([iv, cipher.getAuthTag(), data]), { mode: 0o600 })
}

function restore() {
  if (!fs.existsSync(tokenPath)) return
  const raw = fs.readFileSync(tokenPath)
  const decipher = crypto.createDecipheriv('aes-256-gcm', key, raw.subarray(0, 12))
  decipher.setAuthTag(raw.subarray(12, 28))
  tokens = JSON.parse(decipher.update(raw.subarray(28), null, 'utf8') + decipher.final('utf8'))
}

async function notify(inv, message) {
  const body = JSON.stringify({
    ...message,
    group_id: inv.group_id,
    id: inv.id,
    call_id: inv.call_id,
  })
  let pause = 200
  for (let i = 0; i < 7; i++) {
    const headers = { 'content-type': 'application/json' }
    const res = await fetch(inv.callback_url, { method: 'POST', headers, body }).catch(() => null)
    if (res && res.status < 500) return
    await new Promise((done) => setTimeout(done, pause))
    pause *= 2
  }
}

async function tokenCall(fields) {
  const form = { client_id: e.CLIENT_ID, client_secret: e.CLIENT_SECRET, ...fields }
  const res = await fetch(e.TOKEN_ENDPOINT, {
    method: 'POST',
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(limit),
  })
  if (!res.ok) throw new Error('The authorization was not accepted.')
  const data = await res.json()
  return { access: data.access_token, refresh: data.refresh_token ?? fields.refresh_token }
}

const refreshing = {}
function refresh(scope) {
  const fields = { grant_type: 'refresh_token', refresh_token: tokens[scope].refresh }
  refreshing[scope] ??= tokenCall(fields)
    .then((token) => (tokens[scope] = token))
    .catch(() => delete tokens[scope])
    .finally(() => {
      delete refreshing[scope]
      persist()
    })
  return refreshing[scope]
}

function api() {
  const { operation, arguments: args } = current
  const create = operation === 'create_item'
  const token = tokens[scopeOf[operation]]
  return fetch(`${e.RESOURCE_URL}/items`, {
    method: create ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token?.access}`, 'content-type': 'application/json' },
    body: create ? JSON.stringify(args) : undefined,
    signal: AbortSignal.timeout(limit),
  })
}

async function complete() {
  let res = await api()
  if (res.status === 401 && tokens[scopeOf[current.operation]]) {
    await refresh(scopeOf[current.operation])
    if (!tokens[scopeOf[current.operation]]) return authorize()
    res = await api()
  }
  if (!res.ok) throw new Error('The item service refused the request.')
  const data = await res.json()
  const text = data.items ? data.items.map((i) => i.title).join(', ') : `Created ${data.title}`
  current.finished = true
  await notify(current, { type: 'tool_result', text: text || 'No items' })
  await notify(current, { type: 'tool_result', text: `Completed ${current.operation}: ${text}` })
}

async function authorize() {
  const inv = current
  setTimeout(() => {
    if (!inv.finished)
      notify(inv, { type: 'tool_result', text: 'Error: Nobody authorized this in time.' })
  }, pendingLimit)
  const url = new URL(e.AUTHORIZATION_ENDPOINT)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', e.CLIENT_ID)
  url.searchParams.set('redirect_uri', redirect)
  url.searchParams.set('scope', scopeOf[inv.operation])
  url.searchParams.set('state', crypto.randomBytes(16).toString('hex'))
  url.searchParams.set('code_challenge', challenge)
  url.searchParams.set('code_challenge_method', 'S256')
  await notify(inv, { type: 'oauth', auth_url: url.href })
}

async function invoke() {
  try {
    if (!Object.hasOwn(scopeOf, current.operation)) throw new Error('Unknown operation.')
    if (current.operation === 'create_item' && typeof current.arguments?.title !== 'string')
      throw new Error('title is required.')
    if (tokens[scopeOf[current.operation]]) await complete()
    else await authorize()
  } catch (error) {
    const text = error.name === 'Error' ? error.message : 'The call failed.'
    await notify(current, { type: 'tool_result', text: `Error: ${text}` })
  }
}

async function callback(query) {
  if (!current) return
  try {
    if (query.get('error')) throw new Error('The authorization was denied by the user.')
    tokens[scopeOf[current.operation]] = await tokenCall({
      grant_type: 'authorization_code',
      code: query.get('code') ?? '',
      redirect_uri: redirect,
      code_verifier: verifier,
    })
    persist()
    await complete()
  } catch (error) {
    current.finished = true
    const text = error.name === 'Error' ? error.message : 'The call failed.'
    await notify(current, { type: 'tool_result', text: `Error: ${text}` })
  }
}

const toolset = {
  name: 'crossed-items',
  description: `Items, ${pendingLimit} ms to authorize`,
  endpoint: `${self}/invoke`,
  tools: Object.keys(scopeOf).map((name) => {
    const properties = name === 'create_item' ? { title: { type: 'string' } } : {}
    const inputSchema = { type: 'object', properties, required: Object.keys(properties) }
    return { name, description: name, inputSchema, annotations: { requiresAuth: 'acme' } }
  }),
}

restore()
http
  .createServer(async (req, res) => {
    const url = new URL(req.url, self)
    let body = ''
    for await (const chunk of req) body += chunk
    if (url.pathname === '/.well-known/rap-toolset') {
      res.setHeader('content-type', 'application/json')
      return res.end(JSON.stringify(toolset))
    }
    if (url.pathname === '/invoke') {
      let inv = null
      try {
        inv = JSON.parse(body)
      } catch {
        // answered below
      }
      if (!inv?.callback_url) {
        res.statusCode = 400
        return res.end()
      }
      current = inv
      res.end('{}')
      return invoke()
    }
    if (url.pathname === '/auth/callback') {
      res.setHeader('content-type', 'text/html')
      res.end('<p>Thank you, you can close this tab.</p>')
      return callback(url.searchParams)
    }
    return res.end('{}')
  })
  .listen(Number(e.PORT), '127.0.0.1', () => console.log(`ready ${self}`))
