import { exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClientInput } from '../clients/client.ts'
import { createMockProvider, type MockProvider } from '../provider/provider.ts'
import { openTestStorage, storageKinds, type OpenedStorage } from '../storage/testing.ts'
import { locationOf, redirectUri } from '../testing.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
const sharedSecret = 'a shared secret of at least 32 bytes'

describe.each(storageKinds)('over the storage %s', (kind) => {
  let opened: OpenedStorage
  let provider: MockProvider
  let signer: oauth.CryptoKeyPair
  const fetchFrom = async (url: string, init: object) => provider.fetch(new Request(url, init))

  beforeAll(async () => {
    opened = await openTestStorage(kind)
    signer = await oauth.generateKeyPair('ES256', { extractable: true })
    const jwks = { keys: [{ ...(await exportJWK(signer.publicKey)) }] }
    const clients: readonly ClientInput[] = [
      { clientId: 'signer', jwks, redirectUris: [redirectUri], authSigningAlg: 'ES256' },
      {
        clientId: 'service',
        clientSecret: sharedSecret,
        authMethods: ['client_secret_jwt'],
        redirectUris: [],
        grantTypes: ['client_credentials', exchangeGrant],
      },
      { clientId: 'tv', redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'] },
    ]
    provider = createMockProvider({
      clients,
      storage: opened.storage,
      accessTokenFormat: 'jwt',
      dpopNonce: true,
      deviceInterval: 1,
    })
  })
  afterAll(() => opened.close())

  const configure = (clientId: string, authentication: client.ClientAuth) =>
    client.discovery(new URL(provider.issuer), clientId, {}, authentication, {
      [client.customFetch]: fetchFrom,
    })

  /** Plays the user. */
  const approve = async (page: URL) =>
    provider.app.request(`${page.pathname}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"action":"approve","subject":"alice"}',
    })

  test('openid-client pushes, proves and refreshes with private_key_jwt and DPoP', async () => {
    const config = await configure('signer', client.PrivateKeyJwt(signer.privateKey))
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid items:read',
      state: client.randomState(),
      nonce: client.randomNonce(),
      resource: `${provider.issuer}/resource`,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
    const page = locationOf(await provider.app.request(url.href))
    const tokens = await client.authorizationCodeGrant(
      config,
      locationOf(await approve(page)),
      {
        pkceCodeVerifier,
        expectedState: parameters.state,
        expectedNonce: parameters.nonce,
        idTokenExpected: true,
      },
      undefined,
      { DPoP },
    )
    expect([tokens.token_type, tokens.claims()?.sub]).toEqual(['dpop', 'alice'])
    const refreshed = await client.refreshTokenGrant(
      config,
      tokens.refresh_token ?? '',
      {},
      { DPoP },
    )
    const items = new URL('/resource/items', provider.issuer)
    const read = (token: string) =>
      client.fetchProtectedResource(config, token, items, 'GET', undefined, undefined, { DPoP })
    expect(await (await read(refreshed.access_token)).json()).toMatchObject({
      items: [{ title: 'Welcome, alice' }],
    })
    const info = await client.fetchUserInfo(config, refreshed.access_token, 'alice', { DPoP })
    expect(info.sub).toBe('alice')
    const introspected = await client.tokenIntrospection(config, refreshed.access_token)
    expect(introspected).toMatchObject({ active: true, cnf: { jkt: expect.any(String) } })
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    expect((await client.tokenIntrospection(config, refreshed.access_token)).active).toBe(false)
  })

  test('openid-client gets and exchanges tokens with client_secret_jwt', async () => {
    const config = await configure('service', client.ClientSecretJwt(sharedSecret))
    const own = await client.clientCredentialsGrant(config, { scope: 'items:read items:write' })
    const exchanged = await client.genericGrantRequest(config, exchangeGrant, {
      subject_token: own.access_token,
      subject_token_type: accessTokenType,
      scope: 'items:read',
    })
    expect([exchanged.scope, exchanged['issued_token_type']]).toEqual([
      'items:read',
      accessTokenType,
    ])
  })

  test('openid-client connects a device', async () => {
    const config = await configure('tv', client.None())
    const started = await client.initiateDeviceAuthorization(config, { scope: 'items:read' })
    const typed = await provider.app.request('/device', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ user_code: started.user_code }),
    })
    await approve(locationOf(typed))
    const tokens = await client.pollDeviceAuthorizationGrant(config, started)
    expect(tokens.scope).toBe('items:read')
  })

  test('openid-client registers itself, and uses the secret that it was given', async () => {
    const metadata = {
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    }
    const config = await client.dynamicClientRegistration(
      new URL(provider.issuer),
      metadata,
      undefined,
      { [client.customFetch]: fetchFrom },
    )
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'items:read',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const page = locationOf(await provider.app.request(url.href))
    const response = locationOf(await approve(page))
    const tokens = await client.authorizationCodeGrant(config, response, { pkceCodeVerifier })
    expect([tokens.token_type, tokens.scope]).toEqual(['bearer', 'items:read'])
    const again = client.authorizationCodeGrant(config, response, { pkceCodeVerifier })
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await client.tokenIntrospection(config, tokens.access_token)).active).toBe(false)
  })
})
