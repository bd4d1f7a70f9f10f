import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthority } from '../crypto/authority.ts'
import { serveMockProvider, type RunningProvider } from '../provider/serve.ts'
import { redirectUri } from '../testing.ts'

let provider: RunningProvider
let agent: Agent

beforeAll(async () => {
  const authority = await createAuthority()
  provider = await serveMockProvider({ tls: await authority.issue(['localhost']) })
  agent = new Agent({ connect: { ca: authority.caPem } })
})

afterAll(async () => {
  await agent.destroy()
  await provider.close()
})

interface FetchOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RequestInit['body'] | undefined
}

/** A `fetch` that trusts the run's authority; NODE_EXTRA_CA_CERTS cannot be set this late. */
async function trustingFetch(url: string, options: FetchOptions = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body } = options
  const request = new Request(url, { method, headers: { ...headers }, body: body ?? null })
  const response = await undiciFetch(url, {
    dispatcher: agent,
    method,
    headers: Object.fromEntries(request.headers),
    redirect: 'manual',
    ...(body && { body: await request.text() }),
  })
  return new Response(await response.text(), {
    status: response.status,
    headers: Object.fromEntries(response.headers),
  })
}

/** Plays the user agent and the user: visits, approves, and returns where it was sent. */
async function approve(authorizationUrl: URL): Promise<URL> {
  const page = await trustingFetch(authorizationUrl.href)
  const decision = await trustingFetch(`${page.headers.get('location')}/decision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'approve', subject: 'alice' }),
  })
  return new URL(decision.headers.get('location') ?? '')
}

const registration = {
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
}

describe('over HTTPS', () => {
  test.each([
    ['client_secret_basic', client.ClientSecretBasic()],
    ['client_secret_post', client.ClientSecretPost()],
  ])('openid-client works with %s', async (token_endpoint_auth_method, authentication) => {
    const config = await client.dynamicClientRegistration(
      new URL(provider.issuer),
      { ...registration, token_endpoint_auth_method },
      authentication,
      { [client.customFetch]: trustingFetch },
    )
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid items:read',
      state: client.randomState(),
      nonce: client.randomNonce(),
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }
    const location = await approve(await client.buildAuthorizationUrlWithPAR(config, parameters))
    const tokens = await client.authorizationCodeGrant(config, location, {
      pkceCodeVerifier,
      expectedState: parameters.state,
      expectedNonce: parameters.nonce,
      idTokenExpected: true,
    })
    expect(tokens.claims()?.sub).toBe('alice')
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    const info = await client.fetchUserInfo(config, refreshed.access_token, 'alice')
    expect(info.sub).toBe('alice')
    const items = new URL('/resource/items', provider.issuer)
    const api = await client.fetchProtectedResource(config, refreshed.access_token, items, 'GET')
    expect(await api.json()).toEqual({ items: [{ id: '1', title: 'Welcome, alice' }] })

    const introspect = () => client.tokenIntrospection(config, refreshed.access_token)
    expect((await introspect()).active).toBe(true)
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    expect((await introspect()).active).toBe(false)
  })

  test('oauth4webapi works', async () => {
    const options = { [oauth.customFetch]: trustingFetch }
    const issuer = new URL(provider.issuer)
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
    )
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, registration, options),
    )
    const { client_secret: secret } = registered
    const authentication = oauth.ClientSecretBasic(typeof secret === 'string' ? secret : '')
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      client_id: registered.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'items:read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const parameters = oauth.validateAuthResponse(as, registered, await approve(url), state)
    const tokens = await oauth.processAuthorizationCodeResponse(
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
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      registered,
      await oauth.refreshTokenGrantRequest(
        as,
        registered,
        authentication,
        tokens.refresh_token ?? '',
        options,
      ),
    )
    const introspect = async () =>
      oauth.processIntrospectionResponse(
        as,
        registered,
        await oauth.introspectionRequest(
          as,
          registered,
          authentication,
          refreshed.access_token,
          options,
        ),
      )
    expect((await introspect()).active).toBe(true)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(
        as,
        registered,
        authentication,
        refreshed.access_token,
        options,
      ),
    )
    expect((await introspect()).active).toBe(false)
  })
})
