import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import * as client from 'openid-client'
import { describe, expect, test } from 'vitest'
import {
  authorizationParameters,
  authorize,
  basic,
  encode,
  locationOf,
  members,
  otherRedirectUri,
  post,
  redirectUri,
  testProvider,
} from '../testing.ts'

const { publicKey, privateKey } = await generateKeyPair('ES256')
const jwks = { keys: [{ ...(await exportJWK(publicKey)) }] }
const secret = 'a secret that has at least 32 bytes'

const provider = testProvider({
  clients: [
    {
      clientId: 'signer',
      clientSecret: secret,
      authMethods: ['client_secret_basic'],
      jwks,
      redirectUris: [redirectUri, otherRedirectUri],
    },
    {
      clientId: 'strict',
      clientSecret: secret,
      requestObjectSigningAlg: 'HS256',
      redirectUris: [redirectUri],
    },
  ],
})

const request = { ...authorizationParameters, client_id: 'signer', scope: 'openid' }

const signed = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)

const unsigned = (claims: object) => new UnsecuredJWT({ ...claims }).encode()

/** The request as it was understood, or its error. */
async function outcome(parameters: Readonly<Record<string, string | undefined>>) {
  await provider.app.request(`/authorize?${encode(parameters)}`)
  return provider.events.findLast(({ type }) => type === 'authorization-request')
}

describe('a request object', () => {
  test('supersedes what stands beside it (OpenID Connect Core §6.1)', async () => {
    const claims = {
      redirect_uri: otherRedirectUri,
      state: 'inner',
      max_age: 60,
      claims: { userinfo: { name: null } },
    }
    const understood = await outcome({ ...request, request: await signed(claims) })
    expect(understood).toMatchObject({
      valid: true,
      redirectUri: otherRedirectUri,
      state: 'inner',
      scopes: ['openid'],
      extra: { max_age: '60', claims: '{"userinfo":{"name":null}}' },
    })
  })

  test('is all that counts for OAuth alone (RFC 9101 §6.3)', async () => {
    const inner = { ...authorizationParameters, client_id: 'signer', state: undefined }
    const token = await signed({ ...inner, iss: 'signer', aud: provider.issuer })
    const understood = await outcome({
      client_id: 'signer',
      request: token,
      state: 'outer',
      nonce: 'x',
    })
    expect(understood).toMatchObject({ valid: true, scopes: ['items:read', 'items:write'] })
    expect(understood).toMatchObject({ state: undefined, nonce: undefined })
  })

  test('may be unsigned, unless the client is registered otherwise, and the log says so', async () => {
    const token = unsigned({ state: 'inner' })
    expect(await outcome({ ...request, request: token })).toMatchObject({
      valid: true,
      state: 'inner',
    })
    expect(provider.events.at(-1)).toMatchObject({ leniencies: ['request-object-unsigned'] })
    const strict = { ...request, client_id: 'strict' }
    expect(await outcome({ ...strict, request: token })).toMatchObject({
      error: 'invalid_request_object',
    })
    const byNobody = new SignJWT({ state: 'inner' }).setProtectedHeader({ alg: 'HS256' })
    const shared = await byNobody.sign(new TextEncoder().encode(secret))
    expect(await outcome({ ...strict, request: shared })).toMatchObject({ state: 'inner' })
  })

  test.each([
    ['is for another provider', { aud: 'https://other.example' }],
    ['is of another client', { iss: 'app' }],
    ['has expired', { exp: 1_000_000_000 }],
    ['could be a client assertion', { sub: 'signer' }],
    ['names another client', { client_id: 'app' }],
    ['names another response type', { response_type: 'id_token' }],
    ['contains another', { request: 'x' }],
  ])('that %s is refused at the client', async (_, claims) => {
    const query = encode({ ...request, request: await signed(claims) })
    const location = locationOf(await provider.app.request(`/authorize?${query}`))
    expect(location.origin).toBe('https://app.example')
    expect(location.searchParams.get('error')).toBe('invalid_request_object')
  })

  test('that somebody else signed is refused', async () => {
    const other = await generateKeyPair('ES256')
    const token = new SignJWT({}).setProtectedHeader({ alg: 'ES256' })
    expect(
      await outcome({ ...request, request: await token.sign(other.privateKey) }),
    ).toMatchObject({ error: 'invalid_request_object' })
  })

  test('can be pushed (RFC 9126 §3)', async () => {
    const token = await signed({ ...request, state: 'inner' })
    const form = { client_id: 'signer', request: token }
    const pushed = await post(provider, '/par', form, basic('signer', secret))
    const { request_uri } = await members<{ request_uri: string }>(pushed)
    const understood = await outcome({ client_id: 'signer', request_uri })
    expect(understood).toMatchObject({ valid: true, via: 'par', state: 'inner' })
  })

  test('of openid-client is understood', async () => {
    const config = await client.discovery(new URL(provider.issuer), 'signer', secret, undefined, {
      [client.customFetch]: async (url: string, init: object) =>
        provider.fetch(new Request(url, init)),
    })
    const { client_id: _, ...parameters } = authorizationParameters
    const url = await client.buildAuthorizationUrlWithJAR(
      config,
      new URLSearchParams(encode(parameters)),
      privateKey,
    )
    expect(await outcome(Object.fromEntries(url.searchParams))).toMatchObject({ valid: true })
  })
})

test('a request URI of somebody else is not fetched (OpenID Connect Core §6.2)', async () => {
  const response = await authorize(provider, { request_uri: 'https://app.example/request.jwt' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('request_uri_not_supported')
})
