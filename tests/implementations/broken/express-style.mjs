import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'

const PORT = Number(process.env.PORT || 3000)
const DATA_DIR = process.env.DATA_DIR || '.'
const TOKENS = `${DATA_DIR}/tokens.json`
const TIMEOUT = Number(process.env.UPSTREAM_TIMEOUT_MS || 2000)
const PENDING = Number(process.env.PENDING_TIMEOUT_MS || 600000)
const API = `${process.env.RESOURCE_URL}/items`
const SCOPE = { list_items: 'items:read', create_item: 'items:write' }

fs.mkdirSync(DATA_DIR, { recursive: true })
const loadTokens = () => (fs.existsSync(TOKENS) ? JSON.parse(fs.readFileSync(TOKENS, 'utf8')) : {})
const saveToken = (uid, scope, token) => {
  const all = loadTokens()
  all[`${scope} ${uid}`] = token
  fs.writeFileSync(TOKENS, JSON.stringify(all, null, 2))
}
const tokenOf = (uid, scope) => (uid ? loadTokens()[`${scope} ${uid}`] : undefined)

// ---- tiny express

const routes = []
const app = {
  get: (path, handler) => routes.push(['GET', path, handler]),
  post: (path, handler) => routes.push(['POST', path, handler]),
}
const server = http.createServer(async (req, res) => {
  const url = new URL(req.url, 'http://localhost')
  const route = routes.find(([method, path]) => method === req.method && path === url.pathname)
  res.status = (code) => {
    res.statusCode = code
    return res
  }
  res.json = (value) => {
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify(value))
  }
  res.send = (html) => {
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.end(html)
  }
  if (!route) return res.status(404).json({ error: 'not found' })
  let raw = ''
  for await (const chunk of req) raw += chunk
  try {
    req.query = Object.fromEntries(url.searchParams)
    req.body = raw ? JSON.parse(raw) : {}
    await route[2](req, res)
  } catch {
    if (!res.headersSent) res.status(400).json({ error: 'bad request' })
  }
})

// ---- helpers

const post = async (call, message) => {
  const body = JSON.stringify({ ...message, group_id: call.group_id, id: call.id })
  for (let i = 0; i < 7; i++) {
    try {
      const headers = { 'content-type': 'application/json' }
      const res = await fetch(call.callback_url, { method: 'POST', headers, body })
      if (res.status < 500) return
    } catch {
      // try again
    }
    await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** i))
  }
}
const result = (call, text) => post(call, { type: 'tool_result', text })

const tokenRequest = async (client, fields) => {
  const res = await fetch(process.env.TOKEN_ENDPOINT, {
    method: 'POST',
    body: new URLSearchParams({ ...client, ...fields }),
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (res.status === 400) return null
  if (!res.ok) throw new Error('token endpoint')
  const data = await res.json()
  return {
    client,
    access_token: data.access_token,
    refresh_token: data.refresh_token ?? fields.refresh_token,
    expires_at: data.expires_in ? Date.now() + data.expires_in * 1000 : null,
  }
}

const getClient = async (redirectUri) => {
  const { CLIENT_ID, CLIENT_SECRET, REGISTRATION_ENDPOINT } = process.env
  if (CLIENT_ID) return { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  const res = await fetch(REGISTRATION_ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'items',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
    signal: AbortSignal.timeout(TIMEOUT),
  })
  const { client_id, client_secret } = await res.json()
  return { client_id, client_secret }
}

const refreshes = {}
const refresh = (uid, scope, token) => {
  const key = `${scope} ${uid}`
  refreshes[key] ??= (async () => {
    const stored = tokenOf(uid, scope)
    if (stored && stored.access_token !== token.access_token) return stored
    const fields = { grant_type: 'refresh_token', refresh_token: token.refresh_token }
    const fresh = token.refresh_token ? await tokenRequest(token.client, fields) : null
    saveToken(uid, scope, fresh ?? undefined)
    return fresh
  })().finally(() => delete refreshes[key])
  return refreshes[key]
}

const callApi = async (call, token) => {
  const create = call.operation === 'create_item'
  const res = await fetch(API, {
    method: create ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
    body: create ? JSON.stringify(call.arguments) : undefined,
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (res.status === 401) return null
  if (!res.ok) throw new Error('api')
  const data = await res.json()
  return create ? `Created ${data.title}` : data.items.map((i) => i.title).join('\n') || 'No items'
}

// ---- the tool

const pending = {}

const startOAuth = async (call) => {
  const redirectUri = `http://127.0.0.1:${PORT}/oauth/callback?uid=${encodeURIComponent(call.user_id || '')}`
  const client = await getClient(redirectUri)
  const verifier = crypto.randomBytes(32).toString('base64url')
  const timer = setTimeout(() => {
    delete pending[call.id]
    result(call, 'Error: The authorization took too long. Please try again.')
  }, PENDING)
  pending[call.id] = { call, client, verifier, redirectUri, timer }
  const url = new URL(process.env.AUTHORIZATION_ENDPOINT)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: SCOPE[call.operation],
    state: call.id,
    code_challenge: crypto.createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  await post(call, { type: 'oauth', auth_url: url.href })
}

const run = async (call) => {
  const uid = call.user_id
  const scope = SCOPE[call.operation]
  let token = tokenOf(uid, scope)
  if (token?.expires_at && token.expires_at < Date.now()) token = await refresh(uid, scope, token)
  let text = token ? await callApi(call, token) : null
  if (token && text === null) {
    token = await refresh(uid, scope, token)
    text = token ? await callApi(call, token) : null
  }
  if (text === null) return startOAuth(call)
  return result(call, text)
}

app.get('/.well-known/rap-toolset', (req, res) => {
  const tool = (name, properties) => ({
    name,
    description: name.replace('_', ' '),
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    annotations: { requiresAuth: 'acme' },
  })
  res.json({
    name: 'express-items',
    description: `Items. Authorizations time out after ${PENDING} ms.`,
    endpoint: `http://127.0.0.1:${PORT}/invoke`,
    tools: [tool('list_items', {}), tool('create_item', { title: { type: 'string' } })],
  })
})

app.post('/invoke', (req, res) => {
  const call = req.body
  res.json({ ok: true })
  if (!Object.hasOwn(SCOPE, call.operation)) return result(call, 'Error: Unknown operation.')
  if (call.operation === 'create_item' && typeof call.arguments?.title !== 'string')
    return result(call, 'Error: title is required.')
  run(call).catch(() => result(call, 'Error: Something went wrong.'))
})

const oauthCallback = async (req, res) => {
  const { code, state, uid, error } = req.query
  if (!state || !Object.hasOwn(pending, state))
    return res.status(400).send('<h1>Unknown request</h1>')
  const { call, client, verifier, redirectUri, timer } = pending[state]
  delete pending[state]
  clearTimeout(timer)
  if (error)
    return res.send('<h1>Authorization was not granted</h1><p>You can close this page.</p>')
  res.send('<h1>Thanks!</h1><p>You can close this page.</p>')
  try {
    const grant_type = 'authorization_code'
    const fields = { grant_type, code, redirect_uri: redirectUri, code_verifier: verifier }
    const token = await tokenRequest(client, fields)
    if (!token) return await result(call, 'Error: The authorization was not accepted.')
    if (uid) saveToken(uid, SCOPE[call.operation], token)
    const text = await callApi(call, token)
    await result(call, text ?? 'Error: The authorization was not accepted by the API.')
  } catch {
    await result(call, 'Error: The authorization could not be completed.')
  }
}
app.get('/oauth/callback', (req, res) => oauthCallback(req, res))

app.post('/close_thread', (req, res) => res.json({}))
app.post('/cancel_tool_call', (req, res) => res.json({}))

server.listen(PORT, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${PORT}`))
