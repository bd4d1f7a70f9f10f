import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createMockProvider, type MockProvider } from '../../../../mock-provider/index.ts'
import {
  createWorld,
  credentials,
  endpoint,
  issuer,
  publicUrl,
  type World,
} from './reference/fixtures/world.ts'

let provider: MockProvider
let world: World

beforeEach(() => {
  provider = createMockProvider({
    issuer,
    audiences: [endpoint],
    accessTokenFormat: 'jwt',
    idTokenSigningAlg: 'ES256',
    clients: [{ ...credentials, redirectUris: [`${publicUrl}/callback`] }],
  })
  world = createWorld(provider)
})
afterEach(() => world.end())

describe.each([
  ['2025-11-25', false],
  ['2026-07-28', true],
])('in revision %s', (_revision, modern) => {
  test('lists the items of the user after their authorization', async () => {
    world.start()
    const client = await world.connectWithBrowser({ user: 'alice', modern })
    const { text, isError } = await client.call()
    expect({ text, isError }).toMatchObject({
      isError: false,
      text: expect.stringContaining('alice'),
    })
  })
})
