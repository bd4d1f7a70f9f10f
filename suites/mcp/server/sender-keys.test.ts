import { createHmac, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, EmbeddedJWK, jwtVerify, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { forgedBy, signedByKeysAt, signedBySender } from './sender-keys.ts'

const made = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
}
const keys = Object.values(made).map(({ privateKey }) => privateKey)

describe.each(Object.entries(made))('a token by %s', (alg, { privateKey }) => {
  const issue = () =>
    new SignJWT({ sub: 'alice' })
      .setProtectedHeader({ alg, kid: 'k', typ: 'at+jwt' })
      .sign(privateKey)

  test('is sealed with the public key as the secret', async () => {
    const token = await issue()
    const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
    const asPem = await forgedBy('pem', token, keys)
    const trimmed = await forgedBy('trimmed-pem', token, keys)
    const options = { algorithms: ['HS256'] }
    await expect(jwtVerify(asPem, Buffer.from(pem), options)).resolves.toBeDefined()
    await expect(jwtVerify(trimmed, Buffer.from(pem.trim()), options)).resolves.toBeDefined()
    expect(decodeProtectedHeader(asPem)).toEqual({ alg: 'HS256', kid: 'k', typ: 'at+jwt' })
    expect(decodeJwt(asPem)).toEqual(decodeJwt(token))
  })

  test('is sealed with what anybody guesses', async () => {
    const token = await forgedBy('zeros', await issue(), keys)
    await expect(jwtVerify(token, Buffer.alloc(32))).resolves.toBeDefined()
    const [header, claims, mac] = (await forgedBy('empty', await issue(), keys)).split('.')
    expect(mac).toBe(createHmac('sha256', '').update(`${header}.${claims}`).digest('base64url'))
  })

  test('is signed by the key in its header', async () => {
    const token = await forgedBy('jwk', await issue(), keys)
    const { payload } = await jwtVerify(token, EmbeddedJWK)
    expect(payload).toEqual({ sub: 'alice' })
    expect(decodeProtectedHeader(token)).toMatchObject({ alg, kid: 'k', typ: 'at+jwt' })
    await expect(jwtVerify(token, createPublicKey(privateKey))).rejects.toThrow()
  })
  test('is signed by the key of a certificate in its header', async () => {
    const token = await forgedBy('x5c', await issue(), keys)
    const { x5c = [] } = decodeProtectedHeader(token)
    const { publicKey } = new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64'))
    const { payload } = await jwtVerify(token, publicKey)
    expect(payload).toEqual({ sub: 'alice' })
  })

  test.each(['ES256', 'PS256', 'XS256'] as const)('is signed by its sender by %s', async (by) => {
    const token = await signedBySender(by, await issue())
    expect(decodeProtectedHeader(token)).toEqual({ alg: by, kid: 'k', typ: 'at+jwt' })
    expect(decodeJwt(token)).toEqual({ sub: 'alice' })
    await expect(jwtVerify(token, createPublicKey(privateKey))).rejects.toThrow()
  })

  test('is signed by a key that its header says where to find', async () => {
    const token = signedByKeysAt('https://keys.example', await issue(), keys)
    expect(decodeProtectedHeader(token)).toMatchObject({ jku: 'https://keys.example', alg })
    await expect(jwtVerify(token, createPublicKey(privateKey))).resolves.toBeDefined()
  })
})
