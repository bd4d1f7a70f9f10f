import { exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { locationOf, redirectUri } from '../testing.ts'
import { createMockProvider, type MockProvider } from './provider.ts'

const origin = 'https://provider.test'

let keys: oauth.CryptoKeyPair
let provider: MockProvider

beforeAll(async () => {
  keys = await oauth.generateKeyPair('ES256', { extractable: true })
})

beforeEach(async () => {
  const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)) }] }
  provider = createMockProvider({
    clients: [{ clientId: 'signer', jwks, redirectUris: [redirectUri] }],
    tenants: true,
  })
})

const fetchFrom = async (url: string, init: object) => provider.fetch(new Request(url, init))
const options = { [oauth.customFetch]: fetchFrom }

async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(new URL(issuer), {
    algorithm: 'oauth2',
    ...options,
  })
  return oauth.processDiscoveryResponse(new URL(issuer), response)
}

describe('an issuer with a path', () => {
  test('is proved to by openid-client with DPoP and private_key_jwt', async () => {
    const issuer = `${origin}/t1`
    const config = await client.discovery(
      new URL(issuer),
      'signer',
      {},
      client.PrivateKeyJwt(keys.privateKey),
      { [client.customFetch]: fetchFrom },
    )
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid items:read',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
    const page = locationOf(await provider.app.request(url.href))
    const decided = await provider.app.request(`${page.href}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"action":"approve"}',
    })
    const tokens = await client.authorizationCodeGrant(
      config,
      locationOf(decided),
      { pkceCodeVerifier },
      undefined,
      { DPoP },
    )
    const items = new URL(`${issuer}/resource/items`)
    const read = (url: URL) =>
      client.fetchProtectedResource(config, tokens.access_token, url, 'GET', null, undefined, {
        DPoP,
      })
    expect((await read(items)).status).toBe(200)
    expect((await client.fetchUserInfo(config, tokens.access_token, 'alice', { DPoP })).sub).toBe(
      'alice',
    )
    await expect(read(new URL(`${origin}/t2/resource/items`))).rejects.toThrow(
      client.WWWAuthenticateChallengeError,
    )
  })

  test.each([
    ['the token endpoint of another issuer', `${origin}/t2/token`],
    ['that of the issuer at the root', `${origin}/token`],
  ])('accepts no proof for %s', async (_, htu) => {
    const as = await discover(`${origin}/t1`)
    const DPoP = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
    // made for one issuer, sent to the other
    const sendElsewhere = async (_url: string, init: object) =>
      provider.fetch(new Request(`${origin}/t1/token`, init))
    const response = oauth.genericTokenEndpointRequest(
      { ...as, token_endpoint: htu },
      { client_id: 'signer' },
      oauth.PrivateKeyJwt(keys.privateKey),
      'authorization_code',
      { code: 'x' },
      { DPoP, [oauth.customFetch]: sendElsewhere },
    )
    expect(await (await response).json()).toMatchObject({ error: 'invalid_dpop_proof' })
  })

  test.each([
    ['another issuer', `${origin}/t2`, 401],
    ['the issuer at the root', origin, 401],
    ['its own', `${origin}/t1`, 400],
  ])('is told from %s by the audience of an assertion', async (_, issuer, status) => {
    const as = await discover(`${origin}/t1`)
    const response = await oauth.genericTokenEndpointRequest(
      { ...as, issuer },
      { client_id: 'signer' },
      oauth.PrivateKeyJwt(keys.privateKey),
      'authorization_code',
      { code: 'x' },
      options,
    )
    const error = status === 401 ? 'invalid_client' : 'invalid_grant'
    expect([response.status, await response.json()]).toMatchObject([status, { error }])
  })
})
