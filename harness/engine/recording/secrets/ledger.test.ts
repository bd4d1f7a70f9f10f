import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SecretLedger } from './ledger.ts'

const value = 'at_9fK2/x+Lq7=Zr4&Tb8"Wm1<Nv6'

function ledgerWith(...values: string[]): SecretLedger {
  const ledger = new SecretLedger()
  for (const each of values) ledger.add('access_token', each)
  return ledger
}

const encoders: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  'percent-encoded': (secret) => encodeURIComponent(secret),
  'percent-encoded in lower case': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase()),
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'one character percent-encoded': (secret) =>
    `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`,
  JSON: (secret) => JSON.stringify({ secret }),
  'JSON with one unicode escape': (secret) =>
    `"\\u${secret.charCodeAt(3).toString(16).padStart(4, '0')}${secret.slice(4)}"`.replace(
      '"',
      `"${secret.slice(0, 3)}`,
    ),
  HTML: (secret) =>
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  'HTML numeric': (secret) => Array.from(secret, (char) => `&#${char.charCodeAt(0)};`).join(''),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 after one byte': (secret) => Buffer.from(`x${secret}yz`).toString('base64'),
  'base64 after two bytes': (secret) => Buffer.from(`xy${secret}z`).toString('base64'),
  base64url: (secret) => Buffer.from(`Bearer ${secret}`).toString('base64url'),
  'a long prefix': (secret) => `${secret.slice(0, 20)}...`,
  'a long tail': (secret) => `...${secret.slice(9)}`,
  'two halves': (secret) => `${secret.slice(0, 17)} ${secret.slice(17)}`,
  'UTF-16': (secret) => Buffer.from(secret, 'utf16le').toString('latin1'),
  'JSON twice': (secret) => JSON.stringify(JSON.stringify({ secret })),
  'base64 in lines': (secret) =>
    Buffer.from(secret.repeat(2)).toString('base64').replace(/.{20}/g, '$&\n'),
  'base64 twice': (secret) =>
    Buffer.from(Buffer.from(secret.repeat(2)).toString('base64')).toString('base64'),
}

describe('a secret is found and removed', () => {
  test.each(Object.keys(encoders))('%s', (name) => {
    const text = `before ${encoders[name]!(value)} after`
    const { hits, text: redacted } = ledgerWith(value).redact(text)
    expect(hits.map((hit) => hit.id)).toContain('access_token-1')
    expect(ledgerWith(value).redact(redacted).hits).toEqual([])
    expect(redacted).not.toContain(value.slice(4, 20))
  })

  test('in any text around it and with any high-entropy value', () => {
    const token = fc.string({
      minLength: 24,
      maxLength: 60,
      unit: fc.constantFrom(...Array.from('abcXYZ019-_/+=%&')),
    })
    fc.assert(
      fc.property(
        token,
        fc.string(),
        fc.string(),
        fc.constantFrom('raw', 'percent-encoded', 'hex', 'base64', 'base64url'),
        (secret, before, after, encoding) => {
          const { hits } = ledgerWith(secret).redact(before + encoders[encoding]!(secret) + after)
          return hits.length > 0
        },
      ),
    )
  })
})

test('whatever was asked before, and in whichever order secrets became known, the same is found', () => {
  const token = fc.string({
    minLength: 16,
    maxLength: 40,
    unit: fc.constantFrom(...Array.from('abXY01-_')),
  })
  const text = fc
    .tuple(fc.nat(3), fc.constantFrom(...Object.keys(encoders)), fc.string({ maxLength: 20 }))
    .map(([nth, encoding, before]) => ({ nth, encoding, before }))
  fc.assert(
    fc.property(
      fc.uniqueArray(token, { minLength: 4, maxLength: 4 }),
      fc.array(text, { minLength: 1, maxLength: 8 }),
      (secrets, parts) => {
        const texts = parts.map(({ nth, encoding, before }) => {
          return before + encoders[encoding]!(secrets[nth]!)
        })
        const growing = new SecretLedger()
        for (const [count, secret] of secrets.entries()) {
          growing.add('access_token', secret)
          const fresh = ledgerWith(...secrets.slice(0, count + 1))
          for (const each of [...texts, ...texts]) {
            expect(growing.redact(each)).toEqual(fresh.redact(each))
          }
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('a text without secrets comes back as it was', () => {
  const text = 'Error: authorization was denied %20 &#38; \\u0041'
  expect(ledgerWith(value).redact(text)).toEqual({ text, hits: [] })
})

test('what stands before a secret in Basic authentication stays', () => {
  const ledger = new SecretLedger()
  const secret = 'cs_9fK2/x+Lq7=Zr4~Tb8!Wm1Nv6'
  ledger.add('client_secret', secret)
  for (const encode of [
    encodeURIComponent,
    (text: string) =>
      encodeURIComponent(text).replace(
        /[-_.!~*'()]/g,
        (mark) => `%${Buffer.from(mark).toString('hex').toUpperCase()}`,
      ),
    (text: string) => String(new URLSearchParams({ '': text })).slice(1),
  ]) {
    const header = `Basic ${Buffer.from(`client:${encode(secret)}`).toString('base64')}`
    expect(ledger.redact(header).text).toMatch(
      /^Basic Y2xpZW50O[\w]*\[secret client_secret-1 base64\]/,
    )
  }
})

test('two secrets that share a prefix are told apart', () => {
  const [one, two] = [
    'shared-prefix-0000-aaaaaaaa-bbbbbbbb',
    'shared-prefix-0000-aaaaaaaa-cccccccc',
  ]
  const { hits } = ledgerWith(one, two).redact(two)
  expect(hits.map((hit) => hit.id)).toEqual(['access_token-2'])
})

test('the header that all JWTs of a server share is no secret', () => {
  const header = Buffer.from('{"alg":"ES256","typ":"at+jwt"}').toString('base64url')
  const jwt = `${header}.eyJqdGkiOiJhYmNkZWZnaGlqIn0.c2lnbmF0dXJlLW9mLWp3dC0xMjM0NTY`
  const ledger = ledgerWith(jwt)
  expect(ledger.redact(`token ${header}.other`).hits).toEqual([])
  expect(ledger.redact(jwt.split('.')[2]!).hits).toHaveLength(1)
})

test('a part of a secret that a vendor chose is no leak: it may be an ordinary word', () => {
  const ledger = new SecretLedger()
  ledger.add('client_secret', 'conformance-client-secret-of-mine')
  expect(ledger.redact('client_id=conformance-client').hits).toEqual([])
  expect(ledger.redact('conformance-client-secret-of-mine').hits).toHaveLength(1)
})
