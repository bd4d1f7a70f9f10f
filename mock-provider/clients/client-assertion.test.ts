import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MockProviderOptions, MockProvider } from '../provider/provider.ts'
import { approve, members, post, redeem, redirectUri, refusal, testProvider } from '../testing.ts'
import type { ClientInput } from './client.ts'

const issuer = 'https://provider.test'
const sharedSecret = 'a shared secret of at least 32 bytes'
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>
let keys: Keys
let foreign: Keys
let inline: ClientInput

beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  foreign = await generateKeyPair('ES256')
  inline = {
    clientId: 'signer',
    redirectUris: [redirectUri],
    jwks: { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one' }] },
  }
})

const seconds = () => Math.floor(Date.now() / 1000)

interface Making {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: { readonly alg?: string; readonly kid?: string }
  readonly key?: Keys['privateKey'] | Uint8Array
}

function assertion({ claims, header, key }: Making = {}): Promise<string> {
  const now = seconds()
  return new SignJWT({
    iss: 'signer',
    sub: 'signer',
    aud: issuer,
    exp: now + 60,
    iat: now,
    jti: crypto.randomUUID(),
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(key ?? keys.privateKey)
}

function provider(client: ClientInput = inline, options: MockProviderOptions = {}): MockProvider {
  const created = testProvider(options)
  created.registerClient(client)
  return created
}

async function present(target: MockProvider, client_assertion: string, changes = {}) {
  const { code } = await approve(target, {}, { client_id: 'signer' })
  const credentials = { client_id: undefined, client_assertion_type: type, client_assertion }
  return redeem(target, code, { ...credentials, ...changes })
}

const description = async (response: Promise<Response>) =>
  (await members(response))['error_description']

describe('a signed assertion', () => {
  test.each([
    ['the issuer', issuer],
    ['the token endpoint', `${issuer}/token`],
    ['both, and nobody else', [issuer, `${issuer}/token`]],
  ])('authenticates its client when it is for %s (RFC 7523 §3)', async (_, aud) => {
    const target = provider()
    const response = await present(target, await assertion({ claims: { aud } }))
    expect(response.status).toBe(200)
    expect(target.events.findLast(({ type }) => type === 'grant')).toMatchObject({
      clientId: 'signer',
      clientAuthentication: 'private_key_jwt',
      outcome: 'issued',
    })
  })

  test.each<[string, () => Making | Promise<Making>, string]>([
    ['that is expired', () => ({ claims: { exp: seconds() - 120 } }), 'has expired'],
    ['without exp', () => ({ claims: { exp: undefined } }), 'missing or wrong exp'],
    ['without jti', () => ({ claims: { jti: undefined } }), 'missing or wrong jti'],
    ['without aud', () => ({ claims: { aud: undefined } }), 'missing or wrong aud'],
    ['with a jti of another type', () => ({ claims: { jti: 7 } }), 'not a string'],
    ['of another issuer', () => ({ claims: { iss: 'app' } }), 'missing or wrong iss'],
    ['good for a day', () => ({ claims: { exp: seconds() + 86_400 } }), 'valid for too long'],
    ['from the future', () => ({ claims: { iat: seconds() + 600 } }), 'comes from the future'],
    ['not valid yet', () => ({ claims: { nbf: seconds() + 600 } }), 'missing or wrong nbf'],
    ['for somebody else', () => ({ claims: { aud: 'https://x.example' } }), 'audience'],
    [
      'for somebody else, too',
      () => ({ claims: { aud: [issuer, 'https://x.example'] } }),
      'audience',
    ],
    ['of another key', () => ({ key: foreign.privateKey }), 'signature is wrong'],
    ['of an unknown kid', () => ({ header: { kid: 'two' } }), 'unknown key'],
    [
      'of another algorithm than registered',
      async () => ({
        header: { alg: 'RS256' },
        key: (await generateKeyPair('RS256')).privateKey,
      }),
      'algorithm that is not allowed',
    ],
  ])('%s is refused', async (_, making, expected) => {
    const target = provider({ ...inline, authSigningAlg: 'ES256' })
    const response = await present(target, await assertion(await making()))
    expect(await description(Promise.resolve(response.clone()))).toContain(expected)
    expect(await refusal(response)).toBe('401 invalid_client')
  })

  test.each<[string, (value: string) => string]>([
    ['without a signature', (value) => `${value.split('.').slice(0, 2).join('.')}.`],
    [
      'that says alg none',
      (value) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${value.split('.')[1]}.`,
    ],
    ['that is no token', () => 'nonsense'],
    ['with claims that are no object', () => 'e30.W10.x'],
  ])('%s is refused', async (_, spoil) => {
    const response = present(provider(), spoil(await assertion()))
    expect(await refusal(response)).toBe('401 invalid_client')
  })

  test('is good for one request (RFC 7523 §3, item 7)', async () => {
    const target = provider()
    const value = await assertion()
    expect((await present(target, value)).status).toBe(200)
    expect(await description(present(target, value))).toContain('used before')
    // an assertion does not age with what was issued, so neither does the memory of it
    target.clock.advance(86_400_000)
    expect(await description(present(target, value))).toContain('used before')
  })

  test('goes with no other credentials, and names one client', async () => {
    const target = provider()
    const both = present(target, await assertion(), { client_secret: 'x' })
    expect(await refusal(both)).toBe('400 invalid_request')
    const another = present(target, await assertion(), { client_id: 'app' })
    expect(await refusal(another)).toBe('401 invalid_client')
    const untyped = present(target, await assertion(), { client_assertion_type: undefined })
    expect(await refusal(untyped)).toBe('401 invalid_client')
    const missing = redeem(target, 'x', { client_assertion_type: type })
    expect(await refusal(missing)).toBe('401 invalid_client')
  })

  test('is measured by the clock of the client, which does not move with ours', async () => {
    const target = provider()
    target.clock.advance(86_400_000)
    expect((await present(target, await assertion())).status).toBe(200)
  })

  test('opens every endpoint that authenticates clients', async () => {
    const target = provider()
    for (const path of ['/introspect', '/revoke', '/par']) {
      const form = {
        token: 'x',
        client_assertion_type: type,
        client_assertion: await assertion({ claims: { aud: issuer + path } }),
      }
      const { status } = await post(target, path, form)
      // authenticated, but not a complete pushed request
      expect([path, status]).toEqual([path, path === '/par' ? 400 : 200])
      const again = post(target, path, form)
      expect([path, await refusal(again)]).toEqual([path, '401 invalid_client'])
    }
  })
})

describe('client_secret_jwt', () => {
  const client: ClientInput = {
    clientId: 'signer',
    clientSecret: sharedSecret,
    authMethods: ['client_secret_jwt'],
    redirectUris: [redirectUri],
  }
  const key = new TextEncoder().encode(sharedSecret)

  test('is keyed by the secret', async () => {
    const target = provider(client)
    const header = { alg: 'HS256' }
    expect((await present(target, await assertion({ header, key }))).status).toBe(200)
    const wrong = assertion({ header, key: new TextEncoder().encode('x'.repeat(32)) })
    expect(await refusal(present(target, await wrong))).toBe('401 invalid_client')
  })

  test('goes with a secret that has not expired (RFC 7591 §3.2.1)', async () => {
    const expiring = Math.floor(Date.now() / 1000) + 100
    const target = provider({ ...client, clientSecretExpiresAt: expiring })
    const header = { alg: 'HS256' }
    expect((await present(target, await assertion({ header, key }))).status).toBe(200)
    target.clock.advance(101_000)
    const late = present(target, await assertion({ header, key }))
    expect(await description(late)).toContain('secret has expired')
  })

  test('is not interchangeable with private_key_jwt, nor with the secret itself', async () => {
    const target = provider(client)
    expect(await refusal(present(target, await assertion()))).toBe('401 invalid_client')
    const secretSent = redeem(target, 'x', { client_id: 'signer', client_secret: sharedSecret })
    expect(await refusal(secretSent)).toBe('401 invalid_client')
    // the classic confusion: the public key taken for a shared secret
    const publicKey = new TextEncoder().encode(JSON.stringify(inline.jwks?.keys[0]))
    const confused = assertion({ header: { alg: 'HS256' }, key: publicKey })
    expect(await refusal(present(provider(), await confused))).toBe('401 invalid_client')
  })
})

describe('a key set that the client publishes', () => {
  const jwksUri = 'https://signer.example/keys.json'
  const published: ClientInput = { clientId: 'signer', redirectUris: [redirectUri], jwksUri }

  test('is fetched once, and again for a key that it lacks', async () => {
    const served = [...(inline.jwks?.keys ?? [])]
    const fetched: string[] = []
    const target = provider(published, {
      fetch: async (url) => {
        fetched.push(url)
        return Response.json({ keys: served })
      },
    })
    expect((await present(target, await assertion({ header: { kid: 'one' } }))).status).toBe(200)
    expect((await present(target, await assertion({ header: { kid: 'one' } }))).status).toBe(200)
    expect(fetched).toEqual([jwksUri])
    served.push({ ...(await exportJWK(foreign.publicKey)), kid: 'two' })
    const rotated = await assertion({ header: { kid: 'two' }, key: foreign.privateKey })
    expect((await present(target, rotated)).status).toBe(200)
    expect(fetched).toEqual([jwksUri, jwksUri])
  })

  test.each<[string, () => Promise<Response>]>([
    ['is redirected', async () => Response.redirect('https://elsewhere.example/keys', 302)],
    ['is missing', async () => new Response('', { status: 404 })],
    ['is no JSON', async () => new Response('{', { headers: { 'content-type': 'text/html' } })],
    ['is huge', async () => Response.json({ keys: ['x'.repeat(100_000)] })],
    ['is out of reach', async () => Promise.reject(new TypeError('fetch failed'))],
  ])('that %s authenticates nobody', async (_, fetch) => {
    const target = provider(published, { fetch })
    const response = present(target, await assertion())
    expect(await description(response)).toContain('keys are unavailable')
  })

  test.each(['https://127.0.0.1/keys', 'https://[::1]/keys', 'https://localhost/keys'])(
    'is not fetched from %s unless told',
    async (inside) => {
      const target = provider({ ...published, jwksUri: inside })
      expect(await refusal(present(target, await assertion()))).toBe('401 invalid_client')
    },
  )
})

describe('registration', () => {
  const register = (target: MockProvider, metadata: object) =>
    target.app.request('/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], ...metadata }),
    })

  test('takes the keys of a client, and no private ones', async () => {
    const target = testProvider()
    const registered = await members(
      register(target, { token_endpoint_auth_method: 'private_key_jwt', jwks: inline.jwks }),
    )
    expect(registered).toMatchObject({ jwks: inline.jwks })
    expect(registered).not.toHaveProperty('client_secret')
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const refused = [
      { token_endpoint_auth_method: 'private_key_jwt' },
      {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [await exportJWK(privateKey)] },
      },
      {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: inline.jwks,
        jwks_uri: 'https://signer.example/keys.json',
      },
      { token_endpoint_auth_signing_alg: 'none' },
    ]
    for (const metadata of refused) {
      expect(await refusal(register(target, metadata))).toBe('400 invalid_client_metadata')
    }
  })

  test('in code is held to the same rules', () => {
    const target = testProvider()
    const input = { clientId: 'x', redirectUris: [redirectUri] }
    for (const contradiction of [
      { authMethods: ['private_key_jwt'] },
      { authMethods: ['none', 'private_key_jwt'], jwks: { keys: [] } },
      { authMethods: ['client_secret_jwt'], clientSecret: 'short' },
      { jwks: { keys: [{ kty: 'oct', k: 'x' }] } },
      { authMethods: ['client_secret_basic'] },
    ] as const) {
      expect(() => target.registerClient({ ...input, ...contradiction })).toThrow(TypeError)
    }
  })
})
