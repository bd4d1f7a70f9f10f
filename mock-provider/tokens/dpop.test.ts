import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import {
  approve,
  authorize,
  basic,
  locationOf,
  members,
  obtain,
  post,
  redeem,
  redirectUri,
  refresh,
  refusal,
  secret,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

const issuer = 'https://provider.test'

interface Holder {
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  readonly jwk: JWK
  readonly privateJwk: JWK
  readonly jkt: string
}

async function holder(): Promise<Holder> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const privateJwk = await exportJWK(privateKey)
  return { privateKey, jwk, privateJwk, jkt: await calculateJwkThumbprint(jwk) }
}

let own: Holder
let foreign: Holder

beforeAll(async () => {
  own = await holder()
  foreign = await holder()
})

interface Making {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly by?: Holder
  readonly token?: string
}

/** A proof for the token endpoint unless told otherwise. */
async function proof({ claims, header, by = own, token }: Making = {}): Promise<string> {
  return new SignJWT({
    htm: 'POST',
    htu: `${issuer}/token`,
    iat: Math.floor(Date.now() / 1000),
    jti: crypto.randomUUID(),
    ...(token !== undefined && { ath: digest(token) }),
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: by.jwk, ...header })
    .sign(by.privateKey)
}

const digest = (token: string) => createHash('sha256').update(token).digest('base64url')

const redeemWith = async (provider: MockProvider, dpop: string, changes = {}) =>
  redeem(provider, (await approve(provider)).code, changes, { dpop })

const bound = async (provider: MockProvider): Promise<TokenResponse> =>
  members<TokenResponse>(redeemWith(provider, await proof()))

const itemsClaims = { htm: 'GET', htu: `${issuer}/resource/items` }

const items = (provider: MockProvider, authorization: string, dpop?: string) =>
  provider.app.request('/resource/items', {
    headers: { authorization, ...(dpop !== undefined && { dpop }) },
  })

const refreshForm = (refresh_token: string) => ({
  grant_type: 'refresh_token',
  refresh_token,
  client_id: 'app',
})

describe('a token request with a proof', () => {
  test('gets tokens that are bound to its key (RFC 9449 §5, §6)', async () => {
    const provider = testProvider({ accessTokenFormat: 'jwt' })
    const tokens = await bound(provider)
    expect(tokens.token_type).toBe('DPoP')
    const claims: unknown = JSON.parse(
      Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(claims).toMatchObject({ cnf: { jkt: own.jkt } })
    const form = { token: tokens.access_token }
    expect(await members(post(provider, '/introspect', form, basic('web', secret)))).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: own.jkt },
    })
    expect(provider.events.find(({ type }) => type === 'grant')).toMatchObject({ jkt: own.jkt })
  })

  test('is told so in lower case, where the fault spells the type in that', async () => {
    const provider = testProvider()
    const { code } = await approve(provider, { faults: ['token-lower-case-bearer'] })
    const response = redeem(provider, code, {}, { dpop: await proof() })
    expect(await members(response)).toMatchObject({ token_type: 'dpop' })
  })

  test.each<[string, () => Making]>([
    ['for another method', () => ({ claims: { htm: 'GET' } })],
    ['for another URI', () => ({ claims: { htu: `${issuer}/par` } })],
    ['for another server', () => ({ claims: { htu: 'https://x.example/token' } })],
    ['for no URI', () => ({ claims: { htu: 7 } })],
    ['without htm', () => ({ claims: { htm: undefined } })],
    ['without jti', () => ({ claims: { jti: undefined } })],
    ['with an empty jti', () => ({ claims: { jti: '' } })],
    ['without iat', () => ({ claims: { iat: undefined } })],
    ['too old', () => ({ claims: { iat: Date.now() / 1000 - 300 } })],
    ['from the future', () => ({ claims: { iat: Date.now() / 1000 + 300 } })],
    ['of another type', () => ({ header: { typ: 'JWT' } })],
    ['without a key', () => ({ header: { jwk: undefined } })],
    ['with another key than it was signed by', () => ({ header: { jwk: foreign.jwk } })],
    ['with the private key in it', () => ({ header: { jwk: own.privateJwk } })],
    ['with a key that is none', () => ({ header: { jwk: { kty: 'EC' } } })],
  ])('is refused when the proof is %s (RFC 9449 §4.3)', async (_, making) => {
    const provider = testProvider()
    const response = redeemWith(provider, await proof(making()))
    expect(await refusal(response)).toBe('400 invalid_dpop_proof')
  })

  test('is refused with a symmetric, missing or doubled proof', async () => {
    const provider = testProvider()
    const symmetric = await new SignJWT({ htm: 'POST', htu: `${issuer}/token`, jti: 'x' })
      .setIssuedAt()
      .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'EC', x: 'x' } })
      .sign(new TextEncoder().encode('x'.repeat(32)))
    const doubled = `${await proof()}, ${await proof()}`
    for (const dpop of [symmetric, doubled, 'nonsense', 'a.b.c']) {
      expect(await refusal(redeemWith(provider, dpop))).toBe('400 invalid_dpop_proof')
    }
  })

  test('is refused when the proof was used before (RFC 9449 §11.1)', async () => {
    const provider = testProvider()
    const once = await proof()
    expect((await redeemWith(provider, once)).status).toBe(200)
    expect(await refusal(redeemWith(provider, once))).toBe('400 invalid_dpop_proof')
    // a proof does not age with what was issued, so neither does the memory of it
    provider.clock.advance(86_400_000)
    expect(await refusal(redeemWith(provider, once))).toBe('400 invalid_dpop_proof')
  })

  test('ignores query and fragment of htu, and the moved clock', async () => {
    const provider = testProvider()
    provider.clock.advance(86_400_000)
    const claims = { htu: 'HTTPS://Provider.test:443/token?x#y' }
    expect((await redeemWith(provider, await proof({ claims }))).status).toBe(200)
  })

  test('is required of a client that is registered so (RFC 9449 §5.2)', async () => {
    const provider = testProvider()
    provider.registerClient({
      clientId: 'app',
      redirectUris: [redirectUri],
      dpopBoundAccessTokens: true,
    })
    const { code } = await approve(provider)
    expect(await refusal(redeem(provider, code))).toBe('400 invalid_dpop_proof')
    expect((await redeem(provider, code, {}, { dpop: await proof() })).status).toBe(200)
  })
})

describe('a nonce', () => {
  test('is demanded, told, and accepted for a while (RFC 9449 §8)', async () => {
    const provider = testProvider({ dpopNonce: true })
    const { code } = await approve(provider)
    const attempt = async (nonce?: string | null) =>
      redeem(provider, code, {}, { dpop: await proof({ claims: { nonce } }) })
    const challenged = await attempt()
    expect(await refusal(challenged)).toBe('400 use_dpop_nonce')
    expect(await refusal(attempt('made-up'))).toBe('400 use_dpop_nonce')
    const nonce = challenged.headers.get('dpop-nonce')
    const response = await attempt(nonce)
    expect([response.status, response.headers.get('dpop-nonce')]).toEqual([200, nonce])
    const { access_token: token } = await members<TokenResponse>(response)
    const without = await items(
      provider,
      `DPoP ${token}`,
      await proof({ token, claims: itemsClaims }),
    )
    expect(without.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"')
    expect([without.status, without.headers.get('dpop-nonce')]).toEqual([401, nonce])
    const claims = { ...itemsClaims, nonce }
    const use = async () => items(provider, `DPoP ${token}`, await proof({ token, claims }))
    expect((await use()).status).toBe(200)
    provider.clock.advance(300_000)
    expect((await use()).status).toBe(200)
    provider.clock.advance(300_000)
    expect(await refusal(use())).toBe('401 use_dpop_nonce')
  })
})

describe('the resource', () => {
  test('serves a bound token with a proof of its key (RFC 9449 §7.1)', async () => {
    const provider = testProvider()
    const { access_token: token } = await bound(provider)
    const dpop = await proof({ token, claims: itemsClaims })
    expect((await items(provider, `DPoP ${token}`, dpop)).status).toBe(200)
    expect(await refusal(items(provider, `DPoP ${token}`, dpop))).toBe('401 invalid_dpop_proof')
  })

  test('refuses a bound token otherwise', async () => {
    const provider = testProvider()
    const { access_token: token } = await bound(provider)
    const claims = itemsClaims
    const asBearer = await items(provider, `Bearer ${token}`)
    expect(asBearer.headers.get('www-authenticate')).toMatch(/^DPoP .*algs="ES256 /)
    expect(await refusal(asBearer)).toBe('401 invalid_token')
    const withProof = await items(provider, `Bearer ${token}`, await proof({ token, claims }))
    expect(await refusal(withProof)).toBe('401 invalid_token')
    const cases: readonly (readonly [string | undefined, string])[] = [
      [undefined, 'invalid_dpop_proof'],
      [await proof({ claims }), 'invalid_dpop_proof'],
      [await proof({ token: 'another', claims }), 'invalid_dpop_proof'],
      [await proof({ token, claims: { ...claims, htm: 'POST' } }), 'invalid_dpop_proof'],
      [await proof({ token, claims, by: foreign }), 'invalid_token'],
    ]
    for (const [dpop, error] of cases) {
      expect(await refusal(items(provider, `DPoP ${token}`, dpop))).toBe(`401 ${error}`)
    }
  })

  test('refuses a bearer token under the DPoP scheme', async () => {
    const provider = testProvider()
    const { access_token: token } = await obtain(provider)
    const dpop = await proof({ token, claims: itemsClaims })
    expect(await refusal(items(provider, `DPoP ${token}`, dpop))).toBe('401 invalid_token')
  })
})

describe('refreshing', () => {
  test('of a public client goes with the same key only (RFC 9449 §5)', async () => {
    const provider = testProvider()
    const { refresh_token } = await bound(provider)
    expect(await refusal(refresh(provider, refresh_token))).toBe('400 invalid_grant')
    const form = refreshForm(refresh_token)
    const other = { dpop: await proof({ by: foreign }) }
    expect(await refusal(post(provider, '/token', form, other))).toBe('400 invalid_grant')
    const same = { dpop: await proof() }
    const renewed = await members<TokenResponse>(post(provider, '/token', form, same))
    expect(renewed.token_type).toBe('DPoP')
    // the binding is handed on
    expect(await refusal(refresh(provider, renewed.refresh_token))).toBe('400 invalid_grant')
  })

  test('of a confidential client may go with another key', async () => {
    const provider = testProvider()
    const { code } = await approve(provider, {}, { client_id: 'web' })
    const first = { ...basic('web', secret), dpop: await proof() }
    const redeemed = redeem(provider, code, { client_id: undefined }, first)
    const { refresh_token } = await members<TokenResponse>(redeemed)
    const form = { grant_type: 'refresh_token', refresh_token }
    const headers = { ...basic('web', secret), dpop: await proof({ by: foreign }) }
    expect((await post(provider, '/token', form, headers)).status).toBe(200)
  })
})

describe('a code', () => {
  test('that is bound by dpop_jkt goes with that key only (RFC 9449 §10)', async () => {
    const provider = testProvider()
    const { code } = await approve(provider, {}, { dpop_jkt: own.jkt })
    const redeemBy = async (by: Holder) => redeem(provider, code, {}, { dpop: await proof({ by }) })
    expect(await refusal(redeem(provider, code))).toBe('400 invalid_grant')
    expect(await refusal(redeemBy(foreign))).toBe('400 invalid_grant')
    expect((await redeemBy(own)).status).toBe(200)
    const malformed = locationOf(await authorize(provider, { dpop_jkt: 'short' }))
    expect(malformed.searchParams.get('error')).toBe('invalid_request')
  })

  test('that was pushed with a proof is bound likewise (RFC 9449 §10.1)', async () => {
    const provider = testProvider()
    const request = {
      client_id: 'app',
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }
    const claims = { htu: `${issuer}/par` }
    const push = async (form: Record<string, string>) =>
      post(provider, '/par', form, { dpop: await proof({ claims }) })
    const contradiction = push({ ...request, dpop_jkt: foreign.jkt })
    expect(await refusal(contradiction)).toBe('400 invalid_dpop_proof')
    expect((await push({ ...request, dpop_jkt: own.jkt })).status).toBe(201)
    const { request_uri } = await members(push(request))
    await provider.app.request(
      `/authorize?client_id=app&request_uri=${encodeURIComponent(String(request_uri))}`,
    )
    const event = provider.events.findLast(({ type }) => type === 'authorization-request')
    expect(event).toMatchObject({ via: 'par', valid: true, extra: { dpop_jkt: own.jkt } })
  })
})
