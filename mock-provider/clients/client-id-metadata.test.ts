import { describe, expect, test } from 'vitest'
import { approve, authorize, redeem, redirectUri, refusal, testProvider } from '../testing.ts'
import { isDocumentAddress } from './client-id-metadata.ts'
import type { DocumentFetch } from './fetch-document.ts'

const clientId = 'https://app.example/oauth/client.json'
const document = { client_id: clientId, client_name: 'The app', redirect_uris: [redirectUri] }

const serving =
  (body: unknown): DocumentFetch =>
  async () =>
    Response.json(body)

describe('a client that publishes what it is', () => {
  test('needs no registration', async () => {
    const fetched: string[] = []
    const provider = testProvider({
      fetch: async (url) => {
        fetched.push(url)
        return Response.json(document)
      },
    })
    const { code, id } = await approve(provider, {}, { client_id: clientId })
    expect(provider.authorization(id)?.clientId).toBe(clientId)
    expect((await redeem(provider, code, { client_id: clientId })).status).toBe(200)
    expect(fetched).toEqual([clientId])
    provider.clock.advance(300_000)
    await authorize(provider, { client_id: clientId })
    expect(fetched).toEqual([clientId, clientId])
  })

  test('is held to the redirect URIs that it published', async () => {
    const provider = testProvider({ fetch: serving(document) })
    const other = { client_id: clientId, redirect_uri: 'https://evil.example/callback' }
    expect((await authorize(provider, other)).status).toBe(400)
  })

  test.each<[string, DocumentFetch]>([
    ['is about another client', serving({ ...document, client_id: `${clientId}?` })],
    ['names no client', serving({ redirect_uris: [redirectUri] })],
    ['has a secret', serving({ ...document, client_secret: 'x' })],
    [
      'wants to authenticate by a secret',
      serving({ ...document, token_endpoint_auth_method: 'client_secret_basic' }),
    ],
    [
      'promises keys that it lacks',
      serving({ ...document, token_endpoint_auth_method: 'private_key_jwt' }),
    ],
    ['has no redirect URI', serving({ ...document, redirect_uris: [] })],
    ['is no object', serving([document])],
    ['is redirected', async () => Response.redirect('https://elsewhere.example/', 302)],
    ['is out of reach', async () => Promise.reject(new TypeError('fetch failed'))],
  ])('is refused when its document %s', async (_, fetch) => {
    const provider = testProvider({ fetch })
    const response = await authorize(provider, { client_id: clientId })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    const token = refusal(redeem(provider, 'x', { client_id: clientId }))
    expect(await token).toMatch(/^40[01] invalid_client$/)
  })

  test('is not looked for inside the network', async () => {
    const inside = { client_id: 'https://127.0.0.1/client.json' }
    expect((await authorize(testProvider(), inside)).status).toBe(400)
  })
})

test.each([
  [clientId, true],
  ['https://app.example/c?x=1', true],
  ['https://app.example/', false],
  ['https://app.example', false],
  ['http://app.example/client.json', false],
  ['https://app.example/a/../client.json', false],
  ['https://user@app.example/client.json', false],
  ['https://app.example/client.json#x', false],
  ['https://app.example/client.json#', false],
  ['app', false],
])('%s is an address of a client: %s', (address, expected) => {
  expect(isDocumentAddress(address)).toBe(expected)
})
