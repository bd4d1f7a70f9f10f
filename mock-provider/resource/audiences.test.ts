import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { expect, test } from 'vitest'
import {
  approve,
  authorize,
  basic,
  listItems,
  locationOf,
  members,
  obtain,
  post,
  redeem,
  redirectUri,
  secret,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

const api = 'https://api.example/v1'

const provider = testProvider({
  audiences: [api, 'my-api'],
  accessTokenFormat: 'jwt',
  clients: [
    { clientId: 'app', redirectUris: [redirectUri] },
    {
      clientId: 'service',
      clientSecret: secret,
      grantTypes: ['client_credentials'],
      audience: ['my-api'],
    },
  ],
})

const audienceOf = async (token: string) => {
  const keys = await members<JSONWebKeySet>(provider.app.request('/jwks'))
  return (await jwtVerify(token, createLocalJWKSet(keys))).payload.aud
}

test.each([
  ['resource', api],
  ['audience', api],
  ['audience', 'my-api'],
])('a token is for what %s=%s names', async (name, value) => {
  const { access_token } = await obtain(provider, {}, { [name]: value })
  expect(await audienceOf(access_token)).toEqual([value])
  // it is for nobody else, the provider's own API included
  expect((await listItems(provider, access_token)).status).toBe(401)
})

test('a token request may narrow it (RFC 8707 §2.2)', async () => {
  const { code } = await approve(provider)
  const tokens = await members<TokenResponse>(redeem(provider, code, { audience: 'my-api' }))
  expect(await audienceOf(tokens.access_token)).toEqual(['my-api'])
  const other = await approve(provider, {}, { resource: api })
  const refused = await members(redeem(provider, other.code, { audience: 'my-api' }))
  expect(refused).toMatchObject({ error: 'invalid_target' })
})

test('a client has its own where it requests nothing', async () => {
  const form = { grant_type: 'client_credentials' }
  const headers = basic('service', secret)
  const tokens = await members<TokenResponse>(post(provider, '/token', form, headers))
  expect(await audienceOf(tokens.access_token)).toEqual(['my-api'])
  const named = { ...form, audience: api }
  const others = await members<TokenResponse>(post(provider, '/token', named, headers))
  expect(await audienceOf(others.access_token)).toEqual([api])
})

test('what is unknown is refused, and audience means nothing where there are none', async () => {
  for (const changes of [{ audience: 'x' }, { resource: 'https://x.example' }]) {
    const location = locationOf(await authorize(provider, changes))
    expect(location.searchParams.get('error')).toBe('invalid_target')
  }
  expect((await authorize(testProvider(), { audience: 'x' })).status).toBe(303)
  expect(locationOf(await authorize(testProvider(), { audience: 'x' })).pathname).toMatch(
    /^\/authorize\//,
  )
})
