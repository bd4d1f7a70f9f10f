/** Clients that insist on OpenID Connect complete their flows, unmodified. */
import { Issuer, generators } from 'openid-client5'
import * as client6 from 'openid-client'
import * as oauth from 'oauth4webapi'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signingAlgorithms } from '../crypto/signer.ts'
import { serveMockProvider, type RunningProvider } from '../provider/serve.ts'
import { redirectUri } from '../testing.ts'

let provider: RunningProvider

beforeAll(async () => {
  provider = await serveMockProvider({
    clients: [
      { clientId: 'web', clientSecret: 'secret', redirectUris: [redirectUri] },
      ...signingAlgorithms.map((idTokenSigningAlg) => ({
        clientId: idTokenSigningAlg,
        redirectUris: [redirectUri],
        idTokenSigningAlg,
      })),
    ],
  })
})

afterAll(() => provider.close())

/** Plays the user agent and the user: visits, approves, and returns where it was sent. */
async function approve(url: string): Promise<string> {
  const page = await fetch(url, { redirect: 'manual' })
  const decision = await fetch(`${page.headers.get('location')}/decision`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'approve', subject: 'alice' }),
  })
  return decision.headers.get('location') ?? ''
}

test('openid-client 5 works as it is', async () => {
  const { Client } = await Issuer.discover(provider.issuer)
  const client = new Client({
    client_id: 'web',
    client_secret: 'secret',
    redirect_uris: [redirectUri],
  })
  const code_verifier = generators.codeVerifier()
  const nonce = generators.nonce()
  const state = generators.state()
  const url = client.authorizationUrl({
    scope: 'openid profile',
    nonce,
    state,
    code_challenge: generators.codeChallenge(code_verifier),
    code_challenge_method: 'S256',
  })
  const parameters = client.callbackParams(await approve(url))
  const tokens = await client.callback(redirectUri, parameters, { code_verifier, nonce, state })
  expect(tokens.claims().sub).toBe('alice')
  expect((await client.userinfo(tokens)).name).toBe('alice')
  const refreshed = await client.refresh(tokens)
  expect(refreshed.claims().sub).toBe('alice')
})

describe.each(signingAlgorithms)('ID tokens signed by %s', (algorithm) => {
  test('are accepted by openid-client 6, and by jose with the published keys', async () => {
    const config = await client6.discovery(
      new URL(provider.issuer),
      algorithm,
      { id_token_signed_response_alg: algorithm },
      client6.None(),
      { execute: [client6.allowInsecureRequests] },
    )
    client6.enableNonRepudiationChecks(config)
    const pkceCodeVerifier = client6.randomPKCECodeVerifier()
    const expectedNonce = client6.randomNonce()
    const url = client6.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      nonce: expectedNonce,
      code_challenge: await client6.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const location = new URL(await approve(url.href))
    const checks = { pkceCodeVerifier, expectedNonce, idTokenExpected: true }
    const tokens = await client6.authorizationCodeGrant(config, location, checks)
    expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe(algorithm)
    const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`))
    await jwtVerify(tokens.id_token ?? '', keys, { issuer: provider.issuer, audience: algorithm })
  })
})

test('a client registers for the algorithm of its ID tokens', async () => {
  const register = (members: object) =>
    fetch(`${provider.issuer}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], ...members }),
    })
  const eddsa = await register({ id_token_signed_response_alg: 'EdDSA' })
  expect(await eddsa.json()).toMatchObject({ id_token_signed_response_alg: 'EdDSA' })
  expect(await (await register({})).json()).toMatchObject({ id_token_signed_response_alg: 'RS256' })
  const none = await register({ id_token_signed_response_alg: 'none' })
  expect(none.status).toBe(400)
  expect(await none.json()).toMatchObject({ error: 'invalid_client_metadata' })
})

test('the metadata names RS256 among the algorithms', async () => {
  const issuer = new URL(provider.issuer)
  const options = { [oauth.allowInsecureRequests]: true }
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...options })
  const as = await oauth.processDiscoveryResponse(issuer, response)
  expect(as.id_token_signing_alg_values_supported).toEqual(['RS256', 'ES256', 'EdDSA'])
})
