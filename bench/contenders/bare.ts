/** The ceiling: a Hono application that validates, logs and remembers nothing, but signs alike. */
import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createSigner, generateSigningKey } from '../../mock-provider/crypto/signer.ts'
import { client, report } from '../serve.ts'

const signer = createSigner(await generateSigningKey('RS256'))
const value = () => randomBytes(24).toString('base64url')
const app = new Hono()
let issuer = ''

app.get('/.well-known/openid-configuration', (context) => context.json(metadata))
app.get('/jwks', (context) => context.json({ keys: [signer.jwk] }))
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
    access_token: value(),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: form.get('scope'),
    ...(isCode && { refresh_token: value(), id_token: signer.sign('JWT', claims) }),
  })
})

let metadata = {}
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
    const served: unknown = await (
      await provider.app.request('/.well-known/openid-configuration')
    ).json()
    metadata = { ...(served as object) }
    report(endpoints)
  })()
})
