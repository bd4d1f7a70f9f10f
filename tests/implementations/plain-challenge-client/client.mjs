/**
 * An MCP client on Node alone: revision 2025-11-25 by JSON-RPC over https, and the sign-in that the result of a tool asks
 * for. Written by the documents, without the SDK and without anything of the suite.
 */

import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const endpoint = process.argv[2]
const variant = process.env.VARIANT ?? ''
const tokens = new Map()
let session
let ids = 0

const say = (text) => process.stdout.write(`>> ${text}\n`)
const b64 = (bytes) => bytes.toString('base64url')

/** One message to the server; resolves with the answer to it, however it comes. */
async function post(message) {
  const token = tokens.get(endpoint)
  const response = await fetch(endpoint, {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(session ? { 'mcp-session-id': session } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  const text = await response.text()
  if (response.status === 401) {
    const error = new Error('401')
    error.challenge = response.headers.get('www-authenticate') ?? ''
    throw error
  }
  session = response.headers.get('mcp-session-id') ?? session
  if (text === '') return undefined
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return JSON.parse(text)
  const events = text.split('\n\n').map((event) =>
    event
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join(''),
  )
  return events
    .filter(Boolean)
    .map((data) => JSON.parse(data))
    .find(({ id }) => id === message.id)
}

async function connect() {
  session = undefined
  // Every session counts from the beginning.
  ids = 0
  await post({
    id: (ids += 1),
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'plain', version: '0' },
    },
  })
  await post({ method: 'notifications/initialized' })
}

/** Challenges of a value, by a scanner that knows what a quoted string is. */
function challengesIn(value) {
  const found = []
  const rest = { text: value }
  const take = (pattern) => {
    const match = pattern.exec(rest.text)
    if (match) rest.text = rest.text.slice(match[0].length)
    return match
  }
  while (rest.text.trim() !== '') {
    take(/^[\s,]+/)
    const parameter = take(/^([\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,]+)/)
    if (parameter) {
      const [, name, raw] = parameter
      const text = raw.startsWith('"') ? raw.slice(1, -1).replaceAll(/\\(.)/g, '$1') : raw
      found.at(-1)?.parameters.set(name.toLowerCase(), text)
    } else {
      const scheme = take(/^[^\s,]+/)
      if (!scheme) break
      found.push({ scheme: scheme[0].toLowerCase(), parameters: new Map() })
    }
  }
  return found
}

const bearerOf = (values) =>
  values.flatMap(challengesIn).find(({ scheme }) => scheme === 'bearer')?.parameters

async function json(url) {
  if (!url.startsWith('https:')) throw new Error(`${url} is not https`)
  const response = await fetch(url, { redirect: 'error', headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`HTTP ${response.status} from ${url}`)
  return response.json()
}

/** MCP Authorization, Authorization Server Metadata Discovery: in this order. */
function wellKnownOf(issuer) {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}

async function firstOf([url, ...others]) {
  return json(url).catch((error) => {
    if (others.length === 0) throw error
    return firstOf(others)
  })
}

async function signIn(challenge) {
  const { origin, pathname } = new URL(endpoint)
  const named = challenge.get('resource_metadata')
  const atRoot = `${origin}/.well-known/oauth-protected-resource`
  const resource = await (named ? json(named) : json(atRoot + pathname).catch(() => json(atRoot)))
  if (resource.resource !== endpoint && variant !== 'believes-any-resource')
    throw new Error('this metadata is of another server')
  const [issuer] = resource.authorization_servers
  // An authorization server offers either form at least, and a client knows both.
  const metadata = await firstOf(wellKnownOf(issuer))
  if (metadata.issuer !== issuer) throw new Error('this metadata is of another issuer')
  if (!metadata.code_challenge_methods_supported?.includes('S256')) throw new Error('no PKCE there')
  if (!metadata.authorization_endpoint.startsWith('https:'))
    throw new Error('the authorization endpoint is not https')
  if (!metadata.token_endpoint.startsWith('https:'))
    throw new Error('the token endpoint is not https')
  const [state, verifier] = [b64(randomBytes(16)), b64(randomBytes(32))]
  const { promise, resolve } = Promise.withResolvers?.() ?? deferred()
  const listener = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost')
    const isOurs = url.pathname === '/cb' && url.searchParams.get('state') === state
    const answers = url.searchParams.has('code') || url.searchParams.has('error')
    response.writeHead(isOurs && answers ? 200 : 404, { connection: 'close' }).end('done')
    if (isOurs && answers) resolve(url.searchParams)
  })
  await new Promise((listening) => listener.listen(0, '127.0.0.1', listening))
  const redirect = `http://127.0.0.1:${listener.address().port}/cb`
  try {
    const url = new URL(metadata.authorization_endpoint)
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: process.env.CLIENT_ID,
      redirect_uri: redirect,
      scope: challenge.get('scope') ?? (resource.scopes_supported ?? []).join(' '),
      state,
      resource: endpoint,
      code_challenge: b64(createHash('sha256').update(verifier).digest()),
      code_challenge_method: 'S256',
    }))
      url.searchParams.set(name, value)
    spawn(process.env.BROWSER, [url.href], { stdio: 'ignore' }).unref()
    const back = await promise
    if (back.get('iss') !== issuer) throw new Error('somebody else answered')
    if (back.has('error')) throw new Error(`no token: ${back.get('error')}`)
    const response = await fetch(metadata.token_endpoint, {
      method: 'POST',
      redirect: 'error',
      headers: {
        authorization: `Basic ${Buffer.from(`${process.env.CLIENT_ID}:${process.env.CLIENT_SECRET}`).toString('base64')}`,
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.get('code'),
        redirect_uri: redirect,
        code_verifier: verifier,
        resource: endpoint,
      }),
    })
    if (!response.ok) throw new Error(`the token request was refused: ${response.status}`)
    const { access_token: token, token_type: type } = await response.json()
    if (typeof token !== 'string' || token === '' || !/^bearer$/i.test(type))
      throw new Error('the token request brought no token')
    tokens.set(endpoint, token)
  } finally {
    listener.close()
  }
}

function deferred() {
  let resolve
  const promise = new Promise((settle) => (resolve = settle))
  return { promise, resolve }
}

async function call(name, args) {
  for (let round = 0; ; round += 1) {
    let result
    let challenge
    try {
      if (!session) await connect()
      const reply = await post({
        id: (ids += 1),
        method: 'tools/call',
        params: { name, arguments: args },
      })
      result = reply?.result
      if (!result) return say(`no result: ${JSON.stringify(reply?.error)}`)
      const key = result._meta?.['mcp/www_authenticate']
      const isChallenge = result.isError === true && key !== undefined
      challenge = isChallenge ? bearerOf([key].flat()) : undefined
    } catch (error) {
      if (error.challenge === undefined) throw error
      challenge = bearerOf([error.challenge])
    }
    const text = result?.content?.map((each) => each.text).join(' ') ?? 'the server wants a sign-in'
    if (!challenge || round === 2) return say(text)
    if (variant === 'knows-http-only' && result) return say(text)
    try {
      await signIn(challenge)
    } catch (error) {
      return say(`${text} ${error.message}`)
    }
    // What is known of the session was known of somebody else.
    session = undefined
  }
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const [, tool, args] = /^(\S+) (.*)$/.exec(line) ?? []
  if (tool) call(tool, JSON.parse(args)).catch((error) => say(`failed: ${error.message}`))
})
lines.on('close', () => process.exit(0))
