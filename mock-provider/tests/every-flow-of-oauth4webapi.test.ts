import { exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMockProvider, type MockProvider } from '../provider/provider.ts'
import { openTestStorage, storageKinds, type OpenedStorage } from '../storage/testing.ts'
import { locationOf, redirectUri } from '../testing.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
const sharedSecret = 'a shared secret of at least 32 bytes'

const signer = { client_id: 'signer' }
const service = { client_id: 'service' }
const tv = { client_id: 'tv' }
const bySecret = oauth.ClientSecretJwt(sharedSecret)

describe.each(storageKinds)('over the storage %s', (kind) => {
  let opened: OpenedStorage
  let provider: MockProvider
  let as: oauth.AuthorizationServer
  let byKey: oauth.ClientAuth
  const options = {
    [oauth.customFetch]: async (url: string, init: object) =>
      provider.fetch(new Request(url, init)),
  }

  beforeAll(async () => {
    opened = await openTestStorage(kind)
    const keys = await oauth.generateKeyPair('ES256', { extractable: true })
    byKey = oauth.PrivateKeyJwt(keys.privateKey)
    const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)) }] }
    provider = createMockProvider({
      clients: [
        { clientId: 'signer', jwks, redirectUris: [redirectUri], authSigningAlg: 'ES256' },
        {
          clientId: 'service',
          clientSecret: sharedSecret,
          authMethods: ['client_secret_jwt'],
          redirectUris: [],
          grantTypes: ['client_credentials', exchangeGrant],
        },
        { clientId: 'tv', redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'] },
      ],
      storage: opened.storage,
      accessTokenFormat: 'jwt',
      dpopNonce: true,
      deviceInterval: 60,
    })
    const issuer = new URL(provider.issuer)
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
    as = await oauth.processDiscoveryResponse(issuer, discovered)
  })
  afterAll(() => opened.close())

  /** Plays the user. */
  const approve = async (page: URL) =>
    locationOf(
      await provider.app.request(`${page.pathname}/decision`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"action":"approve","subject":"alice"}',
      }),
    )

  /** Requests authorization with these parameters and returns the response. */
  const authorize = async (parameters: Record<string, string>) => {
    const url = `${as.authorization_endpoint}?${new URLSearchParams(parameters).toString()}`
    return approve(locationOf(await provider.app.request(url)))
  }

  /** Sends a request again with the nonce that the first answer brought (RFC 9449 §8). */
  async function withNonce<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt()
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error
      return attempt()
    }
  }

  test('pushes, proves, refreshes, introspects and revokes with private_key_jwt and DPoP', async () => {
    const DPoP = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const nonce = oauth.generateRandomNonce()
    const request = {
      client_id: signer.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid items:read',
      resource: `${provider.issuer}/resource`,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const dpop = { DPoP, ...options }
    const pushed = await withNonce(async () =>
      oauth.processPushedAuthorizationResponse(
        as,
        signer,
        await oauth.pushedAuthorizationRequest(as, signer, byKey, request, dpop),
      ),
    )
    const { request_uri } = pushed
    const response = await authorize({ client_id: signer.client_id, request_uri })
    const parameters = oauth.validateAuthResponse(as, signer, response, state)
    const tokens = await withNonce(async () =>
      oauth.processAuthorizationCodeResponse(
        as,
        signer,
        await oauth.authorizationCodeGrantRequest(
          as,
          signer,
          byKey,
          parameters,
          redirectUri,
          verifier,
          dpop,
        ),
        { expectedNonce: nonce, requireIdToken: true },
      ),
    )
    expect([tokens.token_type, oauth.getValidatedIdTokenClaims(tokens)?.sub]).toEqual([
      'dpop',
      'alice',
    ])
    const refreshed = await withNonce(async () =>
      oauth.processRefreshTokenResponse(
        as,
        signer,
        await oauth.refreshTokenGrantRequest(as, signer, byKey, tokens.refresh_token ?? '', dpop),
      ),
    )
    const token = refreshed.access_token
    const items = new URL(`${provider.issuer}/resource/items`)
    const read = async () =>
      oauth.protectedResourceRequest(token, 'GET', items, undefined, undefined, dpop)
    expect(await (await withNonce(read)).json()).toMatchObject({
      items: [{ title: 'Welcome, alice' }],
    })
    const info = await withNonce(async () =>
      oauth.processUserInfoResponse(
        as,
        signer,
        'alice',
        await oauth.userInfoRequest(as, signer, token, dpop),
      ),
    )
    expect(info.sub).toBe('alice')
    const introspect = async () =>
      oauth.processIntrospectionResponse(
        as,
        signer,
        await oauth.introspectionRequest(as, signer, byKey, token, options),
      )
    expect(await introspect()).toMatchObject({ active: true, cnf: { jkt: expect.any(String) } })
    const { refresh_token = '' } = refreshed
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, signer, byKey, refresh_token, options),
    )
    expect((await introspect()).active).toBe(false)
  })

  test('gets and exchanges tokens with client_secret_jwt, which a resource server accepts (RFC 9068 §4)', async () => {
    const scope = { scope: 'items:read items:write' }
    const { access_token: own } = await oauth.processClientCredentialsResponse(
      as,
      service,
      await oauth.clientCredentialsGrantRequest(as, service, bySecret, scope, options),
    )
    const exchanged = await oauth.processGenericTokenEndpointResponse(
      as,
      service,
      await oauth.genericTokenEndpointRequest(
        as,
        service,
        bySecret,
        exchangeGrant,
        { subject_token: own, subject_token_type: accessTokenType, scope: 'items:read' },
        options,
      ),
    )
    const request = new Request(`${provider.issuer}/resource/items`, {
      headers: { authorization: `Bearer ${exchanged.access_token}` },
    })
    const audience = `${provider.issuer}/resource`
    const claims = await oauth.validateJwtAccessToken(as, request, audience, options)
    expect(claims).toMatchObject({ sub: 'service', client_id: 'service', scope: 'items:read' })
  })

  test('connects a device, and is told to wait', async () => {
    const start = async () =>
      oauth.processDeviceAuthorizationResponse(
        as,
        tv,
        await oauth.deviceAuthorizationRequest(as, tv, oauth.None(), {}, options),
      )
    const poll = async ({ device_code }: oauth.DeviceAuthorizationResponse) =>
      oauth.processDeviceCodeResponse(
        as,
        tv,
        await oauth.deviceCodeGrantRequest(as, tv, oauth.None(), device_code, options),
      )
    const impatient = await start()
    await expect(poll(impatient)).rejects.toMatchObject({ error: 'authorization_pending' })
    await expect(poll(impatient)).rejects.toMatchObject({ error: 'slow_down' })
    const started = await start()
    const typed = await provider.app.request('/device', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ user_code: started.user_code }),
    })
    await approve(locationOf(typed))
    const tokens = await poll(started)
    expect(tokens.refresh_token).toEqual(expect.any(String))
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      tv,
      await oauth.refreshTokenGrantRequest(
        as,
        tv,
        oauth.None(),
        tokens.refresh_token ?? '',
        options,
      ),
    )
    expect(refreshed.token_type).toBe('bearer')
  })

  test('registers itself, and uses the secret that it was given', async () => {
    const metadata = { redirect_uris: [redirectUri], grant_types: ['authorization_code'] }
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, metadata, options),
    )
    const { client_secret: secret } = registered
    const authentication = oauth.ClientSecretBasic(typeof secret === 'string' ? secret : '')
    const verifier = oauth.generateRandomCodeVerifier()
    const response = await authorize({
      client_id: registered.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const parameters = oauth.validateAuthResponse(as, registered, response)
    const redeem = async () =>
      oauth.processAuthorizationCodeResponse(
        as,
        registered,
        await oauth.authorizationCodeGrantRequest(
          as,
          registered,
          authentication,
          parameters,
          redirectUri,
          verifier,
          options,
        ),
      )
    expect((await redeem()).token_type).toBe('bearer')
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})
