/** oidc-provider: a certified server, with a user who is signed in and has consented. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { client, report } from '../serve.ts'

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
const { port } = server.address() as AddressInfo
const issuer = `http://127.0.0.1:${port}`
const resource = 'https://api.example'

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [client.redirectUri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...key, kty: 'EC', alg: 'ES256', use: 'sig' }] },
  scopes: ['openid', 'items:read'],
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    // access tokens are JWTs where they are for a resource
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'items:read',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: () => true,
  loadExistingGrant: () => grant,
})
const grant = new provider.Grant({ accountId: 'alice', clientId: client.id })
grant.addOIDCScope('openid items:read')
grant.addResourceScope(resource, 'items:read')
const session = new provider.Session({})
Object.assign(session, { accountId: 'alice', loginTs: Math.floor(Date.now() / 1000) })

/** The store in memory forgets what was not used among the last thousand records: write both again. */
let kept: Promise<unknown> = Promise.resolve()
let requests = 0
const keep = () => Promise.all([session.save(3600), grant.save(3600)])

const serve = provider.callback()
server.on('request', (incoming, outgoing) => {
  if (!incoming.url?.startsWith('/auth')) return serve(incoming, outgoing)
  if (requests++ % 100 === 0) kept = keep()
  incoming.headers.cookie = `_session=${session.jti}`
  return void kept.then(() => serve(incoming, outgoing))
})
report({
  discovery: `${issuer}/.well-known/openid-configuration`,
  jwks: `${issuer}/jwks`,
  authorize: `${issuer}/auth`,
  token: `${issuer}/token`,
})
