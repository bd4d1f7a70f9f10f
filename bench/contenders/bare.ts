/** The ceiling: a Hono application that validates, logs and remembers nothing, but signs alike. */
import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createSigner, generateSigningKey } from '../../mock-provider/crypto/signer.ts'
import { client, report } from '../serve.ts'

const signer = createSigner(generateSigningKey('ES256'))
const value = () => randomBytes(24).toString('base64url')
const app = new Hono()
let issuer = ''

// documents that do not change are encoded once
const encoded = { 'content-type': 'application/json' }
app.get('/.well-known/openid-configuration', (context) => context.body(metadata, 200, encoded))
app.get('/jwks', (context) => context.body(keys, 200, encoded))
app.get('/authorize', (context) => {
  const state = context.req.query('state') ?? ''
  return context.redirect(`${client.redirectUri}?code=${value()}&state=${state}`, 303)
})
app.post('/token', async (context) => {
  const form = new URLSearchParams(await context.req.text())
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, sub: 'alice', aud: client.id, iat, exp: iat + 3600 }
  const isCode = form.get('grant_type') === 'authorization_code'
  return context.json({
    access_token: signer.sign('at+jwt', { ...claims, scope: form.get('scope') }),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: form.get('scope'),
    ...(isCode && { refresh_token: value(), id_token: signer.sign('JWT', claims) }),
  })
})

const keys = JSON.stringify({ keys: [signer.jwk] })
let metadata = ''
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  issuer = `http://127.0.0.1:${port}`
  const endpoints = {
    discovery: `${issuer}/.well-known/openid-configuration`,
    jwks: `${issuer}/jwks`,
    authorize: `${issuer}/authorize`,
    token: `${issuer}/token`,
  }
  void (async () => {
    // the same document that the provider serves
    const { createMockProvider } = await import('../../mock-provider/provider/provider.ts')
    const provider = createMockProvider({ issuer })
    metadata = await (await provider.app.request('/.well-known/openid-configuration')).text()
    report(endpoints)
  })()
})
