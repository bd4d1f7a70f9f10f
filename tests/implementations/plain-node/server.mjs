// The "acme-items" toolset. Node only, no packages. What RAP asks of it stands in toolset.mjs, with its own variables.
//
//   AUTHORIZATION_ENDPOINT, TOKEN_ENDPOINT   the provider, configured by hand
//   CLIENT_ID, CLIENT_SECRET, SCOPES         our registration (client_secret_post)
//   RESOURCE_URL                             the item API
//   ISSUER (optional)                        if set, `iss` of every redirect must equal it
//   UPSTREAM_TIMEOUT_MS (2000)               limit of each request to the provider and the API
import crypto from 'node:crypto'
import { Problem, serve } from './toolset.mjs'

const { env } = process
const UPSTREAM_MS = Number(env.UPSTREAM_TIMEOUT_MS || 2_000)
const ALLOWED = new Set((env.SCOPES || 'items:read items:write').split(/\s+/))

const operations = new Map([
  [
    'list_items',
    {
      scope: 'items:read',
      description: 'List the items of the user.',
      annotations: { requiresAuth: 'acme', readOnly: true },
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      accepts: (args) => Object.keys(args).length === 0,
      run: (args, token) => api('GET', token),
      tell: (body) =>
        body.items.map((i) => `${i.id}: ${i.title}`).join('\n') || 'There are no items.',
    },
  ],
  [
    'create_item',
    {
      scope: 'items:write',
      description: 'Create an item with the given title.',
      annotations: { requiresAuth: 'acme' },
      inputSchema: {
        type: 'object',
        properties: { title: { type: 'string', minLength: 1 } },
        required: ['title'],
        additionalProperties: false,
      },
      accepts: (args) =>
        typeof args.title === 'string' && args.title !== '' && Object.keys(args).length === 1,
      run: (args, token) => api('POST', token, { title: args.title }),
      tell: (body) => `Created item ${body.id}: ${body.title}`,
    },
  ],
])

async function upstream(url, init) {
  const signal = AbortSignal.timeout(UPSTREAM_MS)
  try {
    const res = await fetch(url, { ...init, redirect: 'manual', signal })
    const text = await res.text()
    let body = null
    try {
      body = JSON.parse(text)
    } catch {
      // not JSON: the status alone counts
    }
    const challenge = res.headers.get('www-authenticate') ?? ''
    const unfit = res.status === 401 || (res.status === 403 && /insufficient_scope/.test(challenge))
    return { status: res.status, body, unfit }
  } catch {
    throw new Problem('Acme did not answer. Please try again later.')
  }
}

function api(method, token, body) {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  if (body) headers['content-type'] = 'application/json'
  const url = `${env.RESOURCE_URL.replace(/\/$/, '')}/items`
  return upstream(url, { method, headers, body: body && JSON.stringify(body) })
}

async function tokenRequest(fields) {
  const { status, body } = await upstream(env.TOKEN_ENDPOINT, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      ...fields,
      client_id: env.CLIENT_ID,
      client_secret: env.CLIENT_SECRET ?? '',
    }),
  })
  if (status !== 200) return { refused: status === 400 }
  const isText = typeof body?.access_token === 'string' && body.access_token !== ''
  if (!isText || !/^bearer$/i.test(body.token_type ?? '')) return { refused: false }
  const life = Number(body.expires_in)
  return {
    grant: {
      access: body.access_token,
      refresh: typeof body.refresh_token === 'string' ? body.refresh_token : fields.refresh_token,
      scope: body.scope ?? fields.scope,
      expires: Number.isFinite(life) && life > 0 ? Date.now() + life * 1000 : null,
    },
  }
}

function authorizationUrl({ state, verifier, scope, redirectUri }) {
  const url = new URL(env.AUTHORIZATION_ENDPOINT)
  if (url.protocol !== 'https:') throw new Problem('The authorization endpoint must use HTTPS.')
  const challenge = crypto.createHash('sha256').update(verifier).digest('base64url')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: env.CLIENT_ID,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge_method: 'S256',
    code_challenge: challenge,
  })
  return url.href
}

serve({
  name: 'acme-items',
  title: 'Acme',
  build: 'plain-node',
  operations,
  allows: (scope) => ALLOWED.has(scope),
  issuer: env.ISSUER,
  authorizationUrl,
  exchange: ({ code, verifier, redirectUri }) =>
    tokenRequest({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  refresh: (token) => tokenRequest({ grant_type: 'refresh_token', refresh_token: token }),
})
