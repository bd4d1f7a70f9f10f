/** Private keys that a random source makes: the same for the same seed, so for reproducible runs only. */
import { checkPrimeSync, createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import type { RandomBytes } from './random.ts'
import type { SigningAlgorithm } from './signer.ts'

const makers: Readonly<Record<SigningAlgorithm, (random: RandomBytes) => KeyObject>> = {
  RS256: rsaKey,
  ES256: ecKey,
  EdDSA: edKey,
}

/** The key for an algorithm that a random source makes. */
export function seededKey(algorithm: SigningAlgorithm, random: RandomBytes): KeyObject {
  return makers[algorithm](random)
}

function ecKey(random: RandomBytes): KeyObject {
  const pair = createECDH('prime256v1')
  const d = Buffer.from(random(32))
  pair.setPrivateKey(d)
  // SEC 1 §2.3.3: an uncompressed point is 4, x, y
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const encoded = (bytes: Buffer) => bytes.toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', d: encoded(d), x: encoded(x), y: encoded(y) }
  return createPrivateKey({ key, format: 'jwk' })
}

/** RFC 8410 §7: what stands before the 32 bytes of an Ed25519 key. */
const edPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function edKey(random: RandomBytes): KeyObject {
  const key = Buffer.concat([edPrefix, random(32)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const e = 65_537n

/** RFC 8017 §3.2: a key of 2048 bits. */
function rsaKey(random: RandomBytes): KeyObject {
  const p = primeOf(random)
  const q = primeOf(random)
  const n = p * q
  const d = inverse(e, (p - 1n) * (q - 1n))
  const members = { n, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const encoded = Object.entries(members).map(([name, value]) => [name, base64url(value)])
  const key = { kty: 'RSA', ...Object.fromEntries(encoded) }
  return createPrivateKey({ key, format: 'jwk' })
}

/** A prime of 1024 bits, the two highest of which are set, so that two of them make 2048. */
function primeOf(random: RandomBytes): bigint {
  const start = BigInt(`0x${Buffer.from(random(128)).toString('hex')}`)
  let candidate = start | (3n << 1022n) | 1n
  while ((candidate - 1n) % e === 0n || !checkPrimeSync(candidate)) candidate += 2n
  return candidate
}

/** The inverse of a number modulo another, by Euclid's extended algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [r, nextR, t, nextT] = [modulus, value % modulus, 0n, 1n]
  while (nextR !== 0n) {
    const quotient = r / nextR
    ;[r, nextR] = [nextR, r - quotient * nextR]
    ;[t, nextT] = [nextT, t - quotient * nextT]
  }
  return ((t % modulus) + modulus) % modulus
}

function base64url(value: bigint): string {
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString(
    'base64url',
  )
}
