/** Clients that know no hosts but their provider's, by the msw handlers. */
import { ConfidentialClientApplication, CryptoProvider } from '@azure/msal-node'
import { Atlassian, Auth0, generateCodeVerifier, KeyCloak, Linear, Salesforce } from 'arctic'
import { OAuth2 } from 'jsforce'
import { setupServer } from 'msw/node'
import { afterEach, expect, test } from 'vitest'
import { createMockIssuers } from '../msw.ts'
import { redirectUri } from '../testing.ts'
import type { PresetName } from './index.ts'

const server = setupServer()
afterEach(() => server.close())

/** Plays a provider under its names, and approves as alice. */
function play(preset: PresetName, ...origins: readonly string[]) {
  const issuers = createMockIssuers({
    answerFor: [origins],
    preset,
    clients: [{ clientId: 'app', clientSecret: 'a-secret', redirectUris: [redirectUri] }],
    autoApprove: { subject: 'alice' },
  })
  server.listen({ onUnhandledRequest: 'error' })
  server.use(...issuers.handlers)
  return issuers.at(origins[0]!)
}

async function codeAt(url: string | URL): Promise<string> {
  const { headers } = await fetch(url, { redirect: 'manual' })
  const { searchParams } = new URL(headers.get('location') ?? '')
  return searchParams.get('code') ?? `none: ${searchParams.toString()}`
}

test("Microsoft's own client signs in, and knows the account when it refreshes", async () => {
  play('entra', 'https://login.microsoftonline.com')
  const client = new ConfidentialClientApplication({
    auth: {
      clientId: 'app',
      clientSecret: 'a-secret',
      authority: 'https://login.microsoftonline.com/common',
    },
  })
  const pkce = await new CryptoProvider().generatePkceCodes()
  const asked = { scopes: ['User.Read'], redirectUri }
  const challenge = { codeChallenge: pkce.challenge, codeChallengeMethod: 'S256' }
  const url = await client.getAuthCodeUrl({ ...asked, ...challenge })
  const code = await codeAt(url)
  const tokens = await client.acquireTokenByCode({ ...asked, code, codeVerifier: pkce.verifier })
  expect(tokens.account).toMatchObject({
    homeAccountId: expect.stringMatching(/^alice\./),
    username: 'alice@users.example',
  })
  const refreshed = await client.acquireTokenSilent({
    scopes: ['User.Read'],
    account: tokens.account!,
    forceRefresh: true,
  })
  expect(refreshed.accessToken).not.toBe(tokens.accessToken)
})

const registered = ['app', 'a-secret', redirectUri] as const

test('arctic signs in at Atlassian, and refreshes', async () => {
  play('atlassian', 'https://auth.atlassian.com')
  const client = new Atlassian(...registered)
  const scopes = ['items:read', 'offline_access']
  const tokens = await client.validateAuthorizationCode(
    await codeAt(client.createAuthorizationURL('the-state', scopes)),
  )
  expect(tokens.scopes()).toEqual(scopes)
  const refreshed = await client.refreshAccessToken(tokens.refreshToken())
  expect(refreshed.accessToken()).not.toBe(tokens.accessToken())
})

test('arctic signs in at Linear, which has two names', async () => {
  play('linear', 'https://linear.app', 'https://api.linear.app')
  const client = new Linear(...registered)
  const tokens = await client.validateAuthorizationCode(
    await codeAt(client.createAuthorizationURL('the-state', ['issues:create'])),
  )
  expect(tokens.scopes()).toEqual(['read', 'issues:create'])
  expect(tokens.accessTokenExpiresInSeconds()).toBe(86_399)
})

test('arctic signs in at Salesforce, refreshes and revokes', async () => {
  play('salesforce', 'https://acme.my.salesforce.com')
  const client = new Salesforce('acme.my.salesforce.com', ...registered)
  const verifier = generateCodeVerifier()
  const url = client.createAuthorizationURL('the-state', verifier, ['api', 'refresh_token'])
  const tokens = await client.validateAuthorizationCode(await codeAt(url), verifier)
  await client.refreshAccessToken(tokens.refreshToken())
  await client.revokeToken(tokens.refreshToken())
  await expect(client.refreshAccessToken(tokens.refreshToken())).rejects.toThrow('invalid_grant')
})

test.each([
  ['auth0', 'Auth0', 'https://acme.auth0.com', new Auth0('acme.auth0.com', ...registered)],
  [
    'keycloak',
    'Keycloak',
    'https://login.acme.example',
    new KeyCloak('https://login.acme.example/realms/demo', ...registered),
  ],
] as const)(
  'with %s arctic signs in at %s, refreshes and revokes',
  async (preset, _, origin, client) => {
    play(preset, origin)
    const verifier = generateCodeVerifier()
    const url = client.createAuthorizationURL('the-state', verifier, ['items:read'])
    const tokens = await client.validateAuthorizationCode(await codeAt(url), verifier)
    await client.refreshAccessToken(tokens.refreshToken())
    await client.revokeToken(tokens.refreshToken())
    await expect(client.refreshAccessToken(tokens.refreshToken())).rejects.toThrow('invalid_grant')
  },
)

test("Salesforce's own client signs in with PKCE, refreshes and revokes", async () => {
  play('salesforce', 'https://login.salesforce.com')
  const client = new OAuth2({
    clientId: 'app',
    clientSecret: 'a-secret',
    redirectUri,
    useVerifier: true,
  })
  const url = client.getAuthorizationUrl({ scope: 'api refresh_token' })
  const tokens = await client.requestToken(await codeAt(url))
  expect(tokens.instance_url).toBe('https://login.salesforce.com')
  expect(tokens.id).toMatch(/\/id\/alice$/)
  await client.refreshToken(tokens.refresh_token ?? '')
  await client.revokeToken(tokens.refresh_token ?? '')
  await expect(client.refreshToken(tokens.refresh_token ?? '')).rejects.toThrow()
})
