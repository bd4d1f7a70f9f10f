/** MCP's own client at the authorization servers of MCP servers. */
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import { redirectUri, testProvider } from '../testing.ts'

const resource = new URL('https://mcp.example/mcp')

async function signIn(
  provider: MockProvider,
  clientMetadata: { readonly client_name: string; readonly token_endpoint_auth_method: string },
) {
  const fetchFn = (url: string | URL, init?: RequestInit) => provider.fetch(new Request(url, init))
  const metadata = await discoverAuthorizationServerMetadata(provider.issuer, { fetchFn })
  const clientInformation = await registerClient(provider.issuer, {
    metadata: metadata!,
    clientMetadata: { ...clientMetadata, redirect_uris: [redirectUri] },
    fetchFn,
  })
  const client = { metadata: metadata!, clientInformation, resource }
  const { authorizationUrl, codeVerifier } = await startAuthorization(provider.issuer, {
    ...client,
    redirectUrl: redirectUri,
    state: 'the-state',
  })
  const { headers } = await provider.fetch(new Request(authorizationUrl))
  const { searchParams } = new URL(headers.get('location') ?? '')
  const error = searchParams.get('error')
  if (error !== null) throw new Error(error)
  return exchangeAuthorization(provider.issuer, {
    ...client,
    authorizationCode: searchParams.get('code') ?? '',
    iss: searchParams.get('iss') ?? '',
    codeVerifier,
    redirectUri,
    fetchFn,
  })
}

const approving = { autoApprove: { subject: 'alice' } }
const figma = testProvider({ ...approving, preset: 'figma', audiences: [resource.href] })

test('at Figma it signs in under a name of the list, with a secret', async () => {
  const named = { client_name: 'Claude Code', token_endpoint_auth_method: 'client_secret_post' }
  expect((await signIn(figma, named)).access_token).toMatch(/^at_/)
})

test('at Figma, as a public client, it believes what it is told, and is refused', async () => {
  const named = { client_name: 'Claude Code', token_endpoint_auth_method: 'none' }
  await expect(signIn(figma, named)).rejects.toThrow('Client secret is required')
})

test('at Figma it is refused in plain text under another name', async () => {
  const named = { client_name: 'Own Agent', token_endpoint_auth_method: 'client_secret_post' }
  await expect(signIn(figma, named)).rejects.toThrow(/Forbidden|403/)
})

const agent = { client_name: 'Own Agent', token_endpoint_auth_method: 'none' }

test('a strict provider refuses a resource that it does not know', async () => {
  await expect(signIn(testProvider(approving), agent)).rejects.toThrow('invalid_target')
})

test.each([
  ['auth0', 'https://provider.test/resource'],
  ['keycloak', 'https://provider.test/resource'],
  ['supabase', 'authenticated'],
] as const)('at %s its token is for %s, whichever resource it asks for', async (preset, aud) => {
  const provider = testProvider({ ...approving, preset, accessTokenFormat: 'jwt' })
  const { access_token } = await signIn(provider, agent)
  expect([decodeJwt(access_token).aud].flat()).toEqual([aud])
})
