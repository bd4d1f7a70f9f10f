import { expect, test } from 'vitest'
import { createMockProvider } from './provider.ts'
import { serveMockProvider } from './serve.ts'

/** What a caller without types may write. */
const untyped = (value: object): object => value

test.each([
  [{ autoAprove: { subject: 'a' } }, 'unknown option autoAprove: did you mean autoApprove?'],
  [{ access_token_format: 'jwt' }, 'did you mean accessTokenFormat?'],
  [{ whatever: 1 }, /unknown option whatever: there are issuer, /],
  [{ lifetimes: { accesToken: 1 } }, 'unknown lifetime accesToken: did you mean accessToken?'],
  [{ limits: { tokenz: 1 } }, /unknown limit tokenz/],
  [{ clients: [{ clientId: 'a', redirect_uris: [] }] }, 'did you mean redirectUris?'],
  [{ users: [{ subject: 'a', mail: 'x' }] }, /unknown member of a user mail/],
  [{ tenants: { max: 1 } }, /unknown option of tenants max/],
  [{ control: { tokn: 'x' } }, 'unknown option of control tokn: did you mean token?'],
])('%o is refused', (options, message) => {
  expect(() => createMockProvider(untyped(options))).toThrow(message)
})

test('a server has options of its own', async () => {
  await expect(serveMockProvider(untyped({ hostnam: 'x' }))).rejects.toThrow(
    'unknown option hostnam',
  )
  const running = await serveMockProvider({ hostname: '127.0.0.1' })
  await running.close()
})
