import { readFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
import { encodeHTML } from 'entities'
import { describe, expect, test } from 'vitest'
import { detectedForms, undetectedForms } from './detected.ts'
import { SecretLedger } from './ledger.ts'

const token = 'at_Zx81kQpLm27VbT94sRwEuY3hNcD6gJf0'
const password = 'pass+wörd/of=mine & yours'
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const each = (text: string, by: string) => Array.from(text).join(by)
const chunks = (text: string, length: number, by: string) =>
  (text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []).join(by)
const code = (character: string, width = 4) =>
  character.charCodeAt(0).toString(16).padStart(width, '0')
const map = (text: string, by: (character: string) => string) => Array.from(text, by).join('')
const percentU = (text: string) => map(text, (character) => `%u${code(character)}`)
const unicode = (text: string) => map(text, (character) => `\\u${code(character)}`)
const hexEscapes = (text: string) => map(text, (character) => `\\x${code(character, 2)}`)
const mime = (text: string) => `${chunks(text.replaceAll('=', '=3D'), 12, '=\r\n')}=`

type Encoders = Readonly<Record<string, (secret: string) => string>>

const forms: Record<Exclude<keyof typeof detectedForms, 'a cut JWT'>, Encoders> = {
  'as it is': {
    alone: (secret) => secret,
    'in a sentence': (secret) => `the token is ${secret}.`,
  },
  'percent-encoded': {
    wholly: (secret) => map(secret, (character) => `%${code(character, 2)}`),
    'the old way': percentU,
    'three times': (secret) =>
      encodeURIComponent(encodeURIComponent(encodeURIComponent(`/${secret}`))),
  },
  'escaped with backslashes': {
    unicode,
    'unicode in braces': (secret) =>
      map(secret, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`),
    hexadecimal: hexEscapes,
    octal: (secret) =>
      map(secret, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`),
    'unicode, doubly': (secret) => JSON.stringify(unicode(secret)),
    'hexadecimal, doubly': (secret) => JSON.stringify(hexEscapes(secret)),
    'as JSON in JSON in JSON': (secret) =>
      JSON.stringify(JSON.stringify(JSON.stringify({ secret: `"${secret}` }))),
  },
  'HTML entities': {
    decimal: (secret) => map(secret, (character) => `&#${character.charCodeAt(0)};`),
    hexadecimal: (secret) => map(secret, (character) => `&#x${code(character)};`),
    'without semicolons': (secret) => map(secret, (character) => `&#${character.charCodeAt(0)}`),
    'by every name that there is': (secret) => encodeHTML(secret),
  },
  'quoted-printable': {
    'soft line breaks': mime,
    'every byte': (secret) => map(secret, (character) => `=${code(character, 2).toUpperCase()}`),
  },
  hexadecimal: {
    'with blanks': (secret) => chunks(hex(secret), 2, ' '),
    'with colons': (secret) => chunks(hex(secret), 2, ':').toUpperCase(),
    'with hyphens': (secret) => chunks(hex(secret), 2, '-'),
    'with 0x and commas': (secret) => `0x${chunks(hex(secret), 2, ', 0x')}`,
    'in groups over lines': (secret) => chunks(chunks(hex(secret), 4, ' '), 20, '\n'),
    'after a word': (secret) => `value ${chunks(hex(secret), 2, ' ')}`,
  },
  base64: {
    'of a header': (secret) => base64(`Bearer ${secret}`),
    url: (secret) => Buffer.from(`{"a":"${secret}"}`).toString('base64url'),
    twice: (secret) => base64(base64(`x${secret}`)),
    'of hexadecimal': (secret) => base64(hex(secret)),
    'in JSON in base64': (secret) => base64(JSON.stringify({ a: base64(`${secret}!`) })),
  },
  'a list of bytes': {
    'a Buffer as JSON': (secret) => JSON.stringify(Buffer.from(secret)),
    'with line breaks': (secret) => JSON.stringify([...Buffer.from(secret)], undefined, 2),
    'a Uint8Array as JSON': (secret) => JSON.stringify(new Uint8Array(Buffer.from(secret))),
    'as Node prints it': (secret) => `<Buffer ${chunks(hex(secret), 2, ' ')}>`,
  },
  'UTF-16': {
    'as bytes': (secret) => utf16(secret).toString('latin1'),
    'the other order': (secret) => utf16(secret).swap16().toString('latin1'),
    'in base64': (secret) => utf16(`pw ${secret}`).toString('base64'),
    'the other order in base64': (secret) => utf16(secret).swap16().toString('base64'),
    'in hexadecimal': (secret) => utf16(secret).toString('hex'),
  },
  'gzip and zlib': {
    gzip: (secret) => gzipSync(`token=${secret}\n`).toString('latin1'),
    'gzip behind something': (secret) => `head\n${gzipSync(secret).toString('latin1')}tail`,
    zlib: (secret) => deflateSync(`token=${secret}\n`).toString('latin1'),
    'gzip in base64': (secret) => `data=${gzipSync(`{"a":"${secret}"}`).toString('base64')}`,
    'zlib in base64': (secret) => `data=${deflateSync(secret).toString('base64')}`,
    'gzip in hexadecimal': (secret) => gzipSync(secret).toString('hex'),
    'base64 in gzip': (secret) => gzipSync(base64(`x${secret}`)).toString('latin1'),
    'gzip as a Buffer': (secret) => JSON.stringify(gzipSync(secret)),
  },
  'in pieces': {
    'over lines of eight': (secret) => chunks(secret, 8, '\n'),
    'over lines of four': (secret) => chunks(secret, 4, '\r\n'),
    'a list of strings': (secret) => JSON.stringify(secret.match(/.{1,7}/gs)),
    'base64 over lines': (secret) => chunks(base64(`x${secret}yz`), 16, '\n'),
    'base64 over escaped lines': (secret) => JSON.stringify(chunks(base64(secret), 16, '\n')),
    'a blank after each': (secret) => each(secret, ' '),
  },
  'with invisible characters inside': {
    'zero width': (secret) => each(secret, '\u200b'),
    'one of them': (secret) => `${secret.slice(0, 9)}\ufeff${secret.slice(9)}`,
    'soft hyphens': (secret) => chunks(secret, 6, '\u00ad'),
    'a variation selector': (secret) => chunks(secret, 6, '\ufe0f'),
    'the grapheme joiner': (secret) => chunks(secret, 6, '\u034f'),
    bidirectional: (secret) => chunks(secret, 5, '\u202e'),
    colours: (secret) => chunks(secret, 5, '\u001b[31m'),
    'the one-byte introducer': (secret) => chunks(secret, 5, '\u009b1m'),
    'control characters': (secret) => chunks(secret, 5, '\u0007'),
    'zero width, escaped': (secret) => JSON.stringify(each(secret, '\\u200b')),
    'zero width in base64': (secret) => base64(each(secret, '\u0000')),
  },
}

describe.each(Object.entries(forms))('%s', (_, encoders) => {
  for (const [name, encode] of Object.entries(encoders)) {
    test.each([
      ['a random value', 'access_token', token],
      ['a value that was chosen', 'vendor_secret', password],
    ])(`${name}: %s`, (_, kind, secret) => {
      if (kind === 'vendor_secret' && !suits(name)) return
      const ledger = new SecretLedger()
      ledger.add(kind, secret)
      const text = encode(secret)
      const { hits, text: redacted } = ledger.redact(text)
      expect(hits.map(({ id }) => id)).toContain(`${kind}-1`)
      expect(ledger.redact(redacted)).toEqual({ text: redacted, hits: [] })
    })
  }
})

/** What needs characters of one byte each, or none of those that pieces are told from. */
function suits(name: string): boolean {
  return !/bytes?$|pieces|over|blank|strings|every byte|hexadecimal$|wholly|^hexadecimal|octal|zero|zlib|doubly/.test(
    name,
  )
}

test.each(['sixteen characters or more', 'a middle'])('%s of a random value', (which) => {
  const ledger = new SecretLedger()
  ledger.add('access_token', token)
  const part = which === 'a middle' ? token.slice(8, 24) : token.slice(0, 16)
  expect(ledger.redact(`${part}…`).hits).toHaveLength(1)
  expect(ledger.redact(`${part.slice(0, 15)}…`).hits).toEqual([])
})

describe('a cut JWT', () => {
  const jwt = (claims: object, signature: string) =>
    [{ alg: 'ES256', kid: 'k' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .concat(signature)
      .join('.')
  const claims = { iss: 'https://127.0.0.1:4444', sub: 'subject-of-alice-1234567' }
  const one = jwt({ ...claims, jti: 'one-9fK2xLq7Zr4Tb8Wm1' }, 'c2lnbmF0dXJlLW9mLW9uZS0xMjM0')
  const two = jwt(
    { ...claims, sub: 'subject-of-robert-123456', jti: 'two' },
    'b3RoZXItc2lnbmF0dXJlLTk4NzY',
  )
  const ledger = () => {
    const made = new SecretLedger()
    made.add('access_token', one)
    made.add('access_token', two)
    return made
  }
  const shared = Array.from(one).findIndex((character, index) => character !== two[index])

  test('is found by what is its own', () => {
    const { text, hits } = ledger().redact(`token ${two.slice(0, shared + 20)}…`)
    expect(hits).toEqual([{ id: 'access_token-2', kind: 'access_token', encoding: 'part' }])
    expect(text).toBe('token [secret access_token-2 part]…')
  })

  test('is none where all tokens begin alike', () => {
    expect(ledger().redact(`${one.slice(0, shared + 19)}…`).hits).toEqual([])
  })

  test('is replaced as a whole where it is one', () => {
    expect(ledger().redact(`a ${one} b ${two}`).text).toBe(
      'a [secret access_token-1] b [secret access_token-2]',
    )
  })
})

test('SECURITY.md lists what is found and what is not', () => {
  const security = readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8')
  const [, part = ''] = security.split('## What the leak scanner finds')
  const rows = (part.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (:?-|Found|Not found)/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, form, what]) => [form, what])
  expect(rows).toEqual([...Object.entries(detectedForms), ...Object.entries(undetectedForms)])
})
