import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { expect, test } from 'vitest'
import { serveMockProvider } from '../provider/serve.ts'

test("Google's own client signs a user in, and refreshes", async () => {
  const redirectUri = 'http://localhost:3000/oauth2callback'
  const provider = await serveMockProvider({
    preset: 'google',
    clients: [{ clientId: 'app', clientSecret: 'a-secret', redirectUris: [redirectUri] }],
    autoApprove: { subject: 'alice' },
  })
  const client = new OAuth2Client({
    clientId: 'app',
    clientSecret: 'a-secret',
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: `${provider.issuer}/authorize`,
      oauth2TokenUrl: `${provider.issuer}/token`,
      oauth2RevokeUrl: `${provider.issuer}/revoke`,
    },
  })
  const { codeVerifier, codeChallenge = '' } = await client.generateCodeVerifierAsync()
  const url = client.generateAuthUrl({
    access_type: 'offline',
    prompt: 'consent',
    scope: ['openid', 'email'],
    code_challenge: codeChallenge,
    code_challenge_method: CodeChallengeMethod.S256,
  })
  const back = await fetch(url, { redirect: 'manual' })
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { tokens } = await client.getToken({ code, codeVerifier })
  expect(tokens).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expiry_date: expect.any(Number),
  })

  // It refreshes by itself what has expired.
  client.setCredentials({ ...tokens, expiry_date: 1 })
  const { data } = await client.request<{ readonly sub: string }>({
    url: `${provider.issuer}/userinfo`,
  })
  expect(data.sub).toBe('alice')
  expect(client.credentials.access_token).not.toBe(tokens.access_token)

  // A refresh token goes with everything that it was good for, and needs no client.
  await client.revokeToken(tokens.refresh_token ?? '')
  client.setCredentials({ ...tokens, expiry_date: 1 })
  await expect(client.getAccessToken()).rejects.toThrow('invalid_grant')
  await provider.close()
})
