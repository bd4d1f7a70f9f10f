import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const env = process.env
const origin = `http://127.0.0.1:${env.PORT}`
const redirectUri = `${origin}/oauth2/callback`
const scopes = { list_items: 'items:read', create_item: 'items:write' }
const dir = env.DATA_DIR || 'data'
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// tokens, encrypted on disk
mkdirSync(`${dir}/store`, { recursive: true })
if (!existsSync(`${dir}/key`)) writeFileSync(`${dir}/key`, randomBytes(32), { mode: 0o600 })
const key = readFileSync(`${dir}/key`)
const file = `${dir}/store/tokens.enc`
let tokens = {}
if (existsSync(file)) {
  const raw = readFileSync(file)
  const decipher = createDecipheriv('aes-256-gcm', key, raw.subarray(0, 12))
  decipher.setAuthTag(raw.subarray(12, 28))
  tokens = JSON.parse(decipher.update(raw.subarray(28), null, 'utf8') + decipher.final('utf8'))
}
function saveToken(user, operation, token) {
  if (!user) return
  tokens[`${operation}:${user}`] = token
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const data = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()])
  writeFileSync(file, Buffer.concat([iv, cipher.getAuthTag(), data]), { mode: 0o600 })
}

async function callback(invocation, message) {
  const body = { ...message, group_id: invocation.group_id, id: invocation.id }
  if (invocation.call_id !== undefined) body.call_id = invocation.call_id
  for (let attempt = 0; attempt < 12; attempt++) {
    try {
      const res = await fetch(invocation.callback_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (res.ok) return
    } catch (e) {
      console.error('callback failed, retrying:', e.name)
    }
    await wait(Math.min(200 * 2 ** attempt, 5000))
  }
}

async function doRequest(invocation, token) {
  for (;;) {
    const create = invocation.operation === 'create_item'
    const res = await fetch(`${env.RESOURCE_URL}/items`, {
      method: create ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: create ? JSON.stringify({ title: invocation.arguments.title }) : undefined,
    })
    if (res.status === 401) {
      await wait(50)
      continue
    }
    if (!res.ok) return 'Error: The item API failed.'
    const data = await res.json()
    if (create) return `Created item ${data.id} (${data.title})`
    return data.items.map((item) => `${item.id} ${item.title}`).join('\n') || 'There are no items.'
  }
}

const pending = new Map()

async function handle(invocation) {
  if (!Object.hasOwn(scopes, invocation.operation))
    return callback(invocation, { type: 'tool_result', text: 'Error: Unknown operation.' })
  if (invocation.operation === 'create_item' && typeof invocation.arguments?.title !== 'string')
    return callback(invocation, { type: 'tool_result', text: 'Error: A title is needed.' })

  const token = invocation.user_id && tokens[`${invocation.operation}:${invocation.user_id}`]
  if (token) {
    const text = await doRequest(invocation, token)
    return callback(invocation, { type: 'tool_result', text })
  }

  const state = randomBytes(32).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  pending.set(state, { invocation, verifier })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: env.CLIENT_ID,
    redirect_uri: redirectUri,
    scope: scopes[invocation.operation],
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return callback(invocation, { type: 'oauth', auth_url: `${env.AUTHORIZATION_ENDPOINT}?${query}` })
}

async function handleRedirect(query) {
  const entry = pending.get(query.get('state'))
  if (!entry) return 'This link is not valid.'
  pending.delete(query.get('state'))
  const { invocation, verifier } = entry
  if (query.get('error')) {
    await callback(invocation, {
      type: 'tool_result',
      text: 'Error: Authorization was denied by the user.',
    })
    return 'Authorization was denied.'
  }
  const res = await fetch(env.TOKEN_ENDPOINT, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: query.get('code'),
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: env.CLIENT_ID,
      client_secret: env.CLIENT_SECRET,
    }),
  })
  if (!res.ok) {
    console.error('token endpoint answered', res.status)
    return 'Something went wrong, please try again later.'
  }
  const { access_token } = await res.json()
  saveToken(invocation.user_id, invocation.operation, access_token)
  const text = await doRequest(invocation, access_token)
  await callback(invocation, { type: 'tool_result', text })
  return 'Authorization complete, you can close this page.'
}

const schema = (properties) => ({ type: 'object', properties, required: Object.keys(properties) })
const toolset = {
  name: 'blocking-items',
  endpoint: `${origin}/rap/invoke`,
  tools: [
    {
      name: 'list_items',
      description: 'List items',
      inputSchema: schema({}),
      annotations: { requiresAuth: 'acme', readOnly: true },
    },
    {
      name: 'create_item',
      description: 'Create an item',
      inputSchema: schema({ title: { type: 'string' } }),
      annotations: { requiresAuth: 'acme' },
    },
  ],
}

const server = createServer(async (req, res) => {
  const url = new URL(req.url, origin)
  try {
    if (url.pathname === '/.well-known/rap-toolset') {
      res.setHeader('content-type', 'application/json')
      return res.end(JSON.stringify(toolset))
    }
    if (url.pathname === '/oauth2/callback') {
      const text = await handleRedirect(url.searchParams)
      res.setHeader('content-type', 'text/html; charset=utf-8')
      return res.end(`<p>${text}</p>`)
    }
    let body = ''
    for await (const chunk of req) body += chunk
    if (url.pathname === '/rap/invoke') await handle(JSON.parse(body))
    res.end('ok')
  } catch (e) {
    console.error('request failed:', e.name)
    res.statusCode = 500
    res.end('error')
  }
})
server.requestTimeout = 0
server.listen(Number(env.PORT), '127.0.0.1', () => console.log(`ready ${origin}`))
