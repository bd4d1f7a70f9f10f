import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { redirectUri, testProvider } from '../testing.ts'

const provider = testProvider({ preset: 'figma', autoApprove: { subject: 'alice' } })
const fetchFn = (url: string | URL, init?: RequestInit) => provider.fetch(new Request(url, init))

/** What MCP's own client does at the authorization server of Figma's MCP server. */
async function signIn(client_name: string, token_endpoint_auth_method: string) {
  const metadata = await discoverAuthorizationServerMetadata(provider.issuer, { fetchFn })
  const clientMetadata = { client_name, token_endpoint_auth_method, redirect_uris: [redirectUri] }
  const clientInformation = await registerClient(provider.issuer, {
    metadata: metadata!,
    clientMetadata,
    fetchFn,
  })
  const client = { metadata: metadata!, clientInformation }
  const { authorizationUrl, codeVerifier } = await startAuthorization(provider.issuer, {
    ...client,
    redirectUrl: redirectUri,
    state: 'the-state',
  })
  const { headers } = await provider.fetch(new Request(authorizationUrl))
  const { searchParams } = new URL(headers.get('location') ?? '')
  return exchangeAuthorization(provider.issuer, {
    ...client,
    authorizationCode: searchParams.get('code') ?? '',
    iss: searchParams.get('iss') ?? '',
    codeVerifier,
    redirectUri,
    fetchFn,
  })
}

test("MCP's own client signs in under a name of the list, with a secret", async () => {
  const tokens = await signIn('Claude Code', 'client_secret_post')
  expect(tokens.access_token).toMatch(/^at_/)
})

test('as a public client it believes what it is told, and is refused', async () => {
  await expect(signIn('Claude Code', 'none')).rejects.toThrow('Client secret is required')
})

test('under another name it is refused in plain text', async () => {
  await expect(signIn('Own Agent', 'client_secret_post')).rejects.toThrow(/Forbidden|403/)
})
