import { exchangeWebFlowCode, getWebFlowAuthorizationUrl } from '@octokit/oauth-methods'
import { request } from '@octokit/request'
import { expect, test } from 'vitest'
import { decideJson, locationOf, redirectUri, secret, testProvider } from '../testing.ts'

const provider = testProvider({
  preset: 'github',
  clients: [{ clientId: 'web', clientSecret: secret, redirectUris: [redirectUri] }],
})

/** GitHub's own client, for a server of its own. */
const atProvider = request.defaults({
  baseUrl: `${provider.issuer}/api/v3`,
  request: { fetch: (url: string, init: object) => provider.fetch(new Request(url, init)) },
})

async function approve(scopes: string[]): Promise<string> {
  const { url } = getWebFlowAuthorizationUrl({
    clientType: 'oauth-app',
    clientId: 'web',
    redirectUrl: redirectUri,
    scopes,
    request: atProvider,
  })
  expect(new URL(url).pathname).toBe('/login/oauth/authorize')
  const page = locationOf(await provider.app.request(url))
  const decided = await decideJson(provider, page.pathname.split('/').at(-1) ?? '')
  return locationOf(decided).searchParams.get('code') ?? ''
}

test("GitHub's own client signs a user in", async () => {
  const code = await approve(['read:user', 'repo'])
  const app = {
    clientType: 'oauth-app',
    clientId: 'web',
    clientSecret: secret,
    redirectUrl: redirectUri,
  } as const
  const { authentication } = await exchangeWebFlowCode({ ...app, code, request: atProvider })
  // it splits at spaces what GitHub separates by commas
  expect(authentication).toMatchObject({ scopes: ['read:user,repo'] })
  const headers = { authorization: `Bearer ${authentication.token}` }
  const user = await atProvider('GET /user', { headers })
  expect(user.data).toMatchObject({ login: 'alice', id: expect.any(Number), type: 'User' })
  await expect(exchangeWebFlowCode({ ...app, code, request: atProvider })).rejects.toThrow(
    'bad_verification_code',
  )
})

test('without the preset there are no such paths', async () => {
  const { app } = testProvider()
  expect((await app.request('/login/oauth/authorize')).status).toBe(404)
  expect((await app.request('/user')).status).toBe(404)
})
