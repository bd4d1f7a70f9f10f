/**
 * An MCP server over stdio with no library: no call waits for its user. The URL is the provider's own; once the client has
 * agreed the call ends in words, and the next call has what was authorized. VARIANT does one thing wrong; two of them are
 * right: `late-pages` answers browsers a moment after its client, and `elsewhere` sends its user to a shop.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, API_URL, PORT, VARIANT } = process.env
const redirectUri = `http://127.0.0.1:${PORT}/cb`
const random = () => randomBytes(32).toString('base64url')

// ------------------------------------------------------------- the provider

async function request(url, init = {}) {
  try {
    const signal = AbortSignal.timeout(5000)
    const response = await fetch(url, { redirect: 'manual', signal, ...init })
    const json = await response.json().catch(() => undefined)
    return { status: response.status, json: Object(json) }
  } catch {
    return { status: 0, json: {} }
  }
}

let metadata
async function provider() {
  if (metadata) return metadata
  const { status, json } = await request(`${OAUTH_ISSUER}/.well-known/oauth-authorization-server`)
  if (status !== 200 || json.issuer !== OAUTH_ISSUER)
    throw new Error('the provider is out of reach')
  return (metadata = json)
}

async function tokens(form) {
  const secret = [OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET].map(encodeURIComponent).join(':')
  const { status, json } = await request((await provider()).token_endpoint, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
  })
  const { access_token: access, token_type: type, expires_in: life, refresh_token, scope } = json
  const usable = status === 200 && typeof access === 'string' && access && /^bearer$/i.test(type)
  const granted = scope === undefined || String(scope).split(' ').includes('items:read')
  if (!usable || !granted)
    throw Object.assign(new Error('the provider gave nothing'), {
      final: json.error === 'invalid_grant',
    })
  const seconds = life != null && Number.isFinite(Number(life)) ? Number(life) : 3600
  const refresh = refresh_token ?? form.refresh_token
  return { access, refresh, until: Date.now() + 1000 * seconds }
}

// ------------------------------------------------------------- the one user

let grant, renewal, trouble
const flows = new Map()

/** A token to try; undefined where the user has to be asked. */
async function access(spent) {
  if (!grant || (grant.access !== spent && grant.until > Date.now())) return grant?.access
  renewal ??= (
    grant.refresh
      ? tokens({ grant_type: 'refresh_token', refresh_token: grant.refresh })
      : Promise.reject(Object.assign(new Error(), { final: true }))
  )
    .then(
      (renewed) => (grant = renewed).access,
      (error) => {
        if (!error.final) throw error
        grant = undefined
      },
    )
    .finally(() => (renewal = undefined))
  return renewal
}

async function ask() {
  if (VARIANT === 'elsewhere') {
    const params = { mode: 'url', url: 'https://shop.example/pay', message: 'This costs a coin.' }
    const { result } = await asked({ ...params, elicitationId: randomUUID() })
    return result?.action === 'accept' ? 'Call again when you have paid.' : 'Not paid.'
  }
  const [state, verifier, id] = [random(), random(), VARIANT === 'one-id' ? 'stash' : randomUUID()]
  const url = new URL((await provider()).authorization_endpoint)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: OAUTH_CLIENT_ID,
    redirect_uri: redirectUri,
    scope: 'items:read offline_access',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  flows.set(state, { id, verifier, until: Date.now() + 600_000 })
  const message = 'Your stash has to be connected, one time only.'
  if (VARIANT === 'complete-first') setImmediate(complete, id)
  const { result } = await asked({ mode: 'url', elicitationId: id, url: url.href, message })
  if (result?.action === 'accept') return 'Begun. Call again when you have finished in the browser.'
  flows.delete(state)
  return result?.action === 'decline' ? 'All right, not connected.' : 'Nobody decided anything.'
}

async function list() {
  let spent
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const token = await access(spent)
    if (!token) break
    const headers = { authorization: `Bearer ${token}` }
    const { status, json } = await request(`${API_URL}/items`, { headers })
    if (status === 200 && Array.isArray(json.items))
      return json.items.map(({ title }) => title).join(', ')
    if (status !== 401) throw new Error(`the stash answered ${status}`)
    spent = token
    if (attempt === 1) grant = undefined
  }
  if (!capable) throw new Error('it is not connected, and this client shows no pages')
  const why = trouble
  trouble = undefined
  if (why) throw new Error(why)
  return ask()
}

// ------------------------------------------------------------- the browser

const page = (response, status, text) =>
  response
    .writeHead(status, {
      'content-type': 'text/html',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .end(`<!doctype html><title>Stash</title><p>${text}</p>`)

async function callback(response, query) {
  const flow = flows.get(query.get('state') ?? '')
  if (!flow || flow.until < Date.now()) return page(response, 400, 'This was not begun here.')
  const promised = (await provider()).authorization_response_iss_parameter_supported
  if ((query.has('iss') || promised) && query.get('iss') !== OAUTH_ISSUER)
    return page(response, 400, 'Another provider answered.')
  flows.delete(query.get('state'))
  try {
    if (query.has('error') || !query.get('code')) throw new Error('its user did not want to')
    const form = {
      code: query.get('code'),
      redirect_uri: redirectUri,
      code_verifier: flow.verifier,
    }
    grant = await tokens({ grant_type: 'authorization_code', ...form })
  } catch (error) {
    trouble = error.message
    return page(response, 200, 'Not connected. You may close this.')
  }
  page(response, 200, 'Connected. You may close this.')
  if (VARIANT !== 'complete-first') complete(flow.id)
}

const pages = createServer((incoming, response) => {
  const { pathname, searchParams } = new URL(incoming.url, redirectUri)
  if (pathname === '/cb') void callback(response, searchParams)
  else page(response, 404, 'Nothing here.')
})
if (VARIANT === 'late-pages') setTimeout(() => pages.listen(Number(PORT), '127.0.0.1'), 1500)
else if (VARIANT !== 'elsewhere') pages.listen(Number(PORT), '127.0.0.1')

// ------------------------------------------------------------- MCP

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const complete = (elicitationId) =>
  send({ method: 'notifications/elicitation/complete', params: { elicitationId } })
const waiting = new Map()
let capable = false

function asked(params) {
  const id = `ask/${waiting.size + 1}/${randomUUID()}`
  send({ id, method: 'elicitation/create', params })
  return new Promise((resolve) => waiting.set(id, resolve))
}

const say = (text, isError = false) => ({ content: [{ type: 'text', text }], isError })
const methods = {
  initialize({ capabilities }) {
    capable = VARIANT === 'asks-anyone' || capabilities?.elicitation?.url !== undefined
    const serverInfo = { name: 'stash', version: '1' }
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  },
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'stash', inputSchema: { type: 'object' } }] }),
  'tools/call': () => list().then(say, (error) => say(`No stash: ${error.message}.`, true)),
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params = {}, ...answer } = JSON.parse(line)
    if (method === undefined) return void (waiting.get(id)?.(answer), waiting.delete(id))
    if (id === undefined) return
    const error = { code: -32601, message: 'there is no such method' }
    send({ id, ...(methods[method] ? { result: await methods[method](params) } : { error }) })
  })
  .on('close', () => process.exit(0))
