/**
 * An MCP server of revision 2026-07-28 alone whose tool asks for a sign-in in its result (SEP-1489). Node's own modules
 * only, written from the documents.
 *
 * Unlike others where they leave a choice: the endpoint has a long path; answers are JSON; the challenge is one string
 * with plain and quoted values; the metadata is compressed; JWTs are verified by the key set, with five minutes of skew.
 *
 * Environment: PORT, PUBLIC_URL, OAUTH_ISSUER.
 */

import { createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

const { PORT, PUBLIC_URL, OAUTH_ISSUER } = process.env
const path = '/tenants/1/mcp'
const resource = PUBLIC_URL + path
const metadataPath = `/.well-known/oauth-protected-resource${path}`
const revision = '2026-07-28'
const skew = 300

const decode = (part) => JSON.parse(Buffer.from(part, 'base64url').toString())

async function claimsOf(token) {
  const [header, payload, signature] = token.split('.')
  if (!signature) return undefined
  const { alg, kid } = decode(header)
  const { keys } = await (await fetch(`${OAUTH_ISSUER}/jwks`)).json()
  const jwk = keys.find((key) => key.kid === kid)
  if (!jwk || alg !== 'ES256') return undefined
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined
  const claims = decode(payload)
  const isOurs = claims.iss === OAUTH_ISSUER && [claims.aud].flat().includes(resource)
  const now = Date.now() / 1000
  const isCurrent = claims.exp + skew > now && (claims.nbf ?? 0) - skew <= now
  return isOurs && isCurrent ? claims : undefined
}

async function callTool(authorization = '') {
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1]
  const claims = token && (await claimsOf(token))
  if (claims?.scope.split(' ').includes('files'))
    return { content: [{ type: 'text', text: `The files of ${claims.sub}` }] }
  const error = claims ? 'error=insufficient_scope, ' : token ? 'error="invalid_token", ' : ''
  const metadata = `resource_metadata="${PUBLIC_URL}${metadataPath}"`
  return {
    content: [{ type: 'text', text: 'Connexion requise' }],
    isError: true,
    _meta: { 'mcp/www_authenticate': `bearer ${error}scope=files , ${metadata}` },
  }
}

createServer(async (request, response) => {
  const json = { 'content-type': 'application/json' }
  const send = (status, body, headers = json) => response.writeHead(status, headers).end(body)
  const { pathname } = new URL(request.url, PUBLIC_URL)
  if (pathname === metadataPath) {
    const document = JSON.stringify({ resource, authorization_servers: [OAUTH_ISSUER] })
    return send(200, gzipSync(document), { ...json, 'content-encoding': 'gzip' })
  }
  if (pathname !== path) return send(404)
  if (request.method !== 'POST') return send(405)
  const { id, method, params } = JSON.parse(await text(request))
  const reply = (members, status = 200) =>
    send(status, JSON.stringify({ jsonrpc: '2.0', id, ...members }))
  if (params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== revision)
    return reply({ error: { code: -32602, message: `only ${revision}` } }, 400)
  if (method !== 'tools/call') return reply({ error: { code: -32601, message: 'unknown' } }, 404)
  const result = await callTool(request.headers.authorization)
  return reply({ result: { resultType: 'complete', ...result } })
}).listen(PORT, '127.0.0.1')
