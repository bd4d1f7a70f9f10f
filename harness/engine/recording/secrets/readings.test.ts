import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { escapePatterns } from './escapes.ts'
import { SecretLedger } from './ledger.ts'
import { patterns, readingsOf } from './readings.ts'

const kilobyte = 1000
const all = Object.entries({ ...patterns, ...escapePatterns })

/** What texts may be filled with to make a scanner slow: the expressions' own characters, and what ends no match. */
const fillings: Record<string, string> = {
  newlines: '\n',
  'lines of one letter': 'a\n',
  blanks: ' ',
  'escaped newlines': '\\n',
  backslashes: '\\',
  'backslashes and a letter': '\\u',
  'half escapes': '\\u004',
  'percent signs': '%',
  'percent-encoded percent signs': '%25',
  'equals signs': '=',
  'soft line breaks': '=\n',
  ampersands: '&#',
  'entities without an end': '&#x41',
  letters: 'A',
  'base64 and an end': `${'QUJD'.repeat(9)}=`,
  'short of base64': 'QUJDQUJDQUJDQUJDQUJDQUJ ',
  'hexadecimal digits': '6',
  'digits with colons': '61:',
  'short of hexadecimal': '61:61:61:61:61:61:61:61:61:61,',
  'lists of bytes': '97, ',
  'short of a list': '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1x',
  digits: '1',
  quotes: '"',
  'escaped quotes': '\\"',
  'zero width': '\u200b',
  'escape characters': '\u001b',
  'beginnings of sequences': '\u001b[',
  'parameters without an end': '\u001b[1;1',
  semicolons: ';',
  'combining marks': '\u0301\u0316',
  'halves of characters': '\ud800',
  zeros: '\u0000',
  'beginnings of gzip': '\u001f\u008b\u0008',
  'beginnings of zlib': '\nx\u009c',
  'the beginning of a token': 'at_Zx81kQpLm27V ',
  'the beginning of a JWT': 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.eyJpc3MiOiJodHRwczovLzEy',
}

function filled(filling: string, length: number): string {
  return filling.repeat(Math.ceil(length / filling.length)).slice(0, length)
}

function ledger(): SecretLedger {
  const made = new SecretLedger()
  const header = Buffer.from('{"alg":"ES256","kid":"k"}').toString('base64url')
  for (let index = 0; index < 200; index += 1) {
    made.add('access_token', `at_Zx81kQpLm27V${index}bT94sRwEuY3hNcD6gJf0`)
    const claims = { iss: 'https://127.0.0.1:4444', sub: `user-${index}` }
    const encoded = Buffer.from(JSON.stringify(claims)).toString('base64url')
    made.add('id_token', `${header}.${encoded}.signature-${index}-9fK2xLq7Zr4Tb8Wm1Nv6`)
  }
  return made
}

const secrets = ledger()

describe.each(Object.entries(fillings))('a text full of %s', (_, filling) => {
  const charactersRead = (length: number) => {
    const { readings, unread } = readingsOf(filled(filling, length))
    return { characters: readings.reduce((sum, { text }) => sum + text.length, 0), unread }
  }

  test('is read a bounded number of times, whatever its length', () => {
    for (const length of [10 * kilobyte, 1000 * kilobyte]) {
      const { characters, unread } = charactersRead(length)
      expect(characters).toBeLessThan(12 * length)
      // Only what begins like something compressed, again and again, is not read to its end.
      expect(unread).toBe(/\u008b|x\u009c/.test(filling))
    }
  })

  test('is redacted before the deadline, with what is said at its end', () => {
    const secret = 'at_Zx81kQpLm27V7bT94sRwEuY3hNcD6gJf0'
    // What looks at each place from each place before it takes minutes: the deadline of the test ends it.
    const { text, hits } = secrets.redact(`${filled(filling, 400 * kilobyte)} ${secret} `)
    expect(hits.length).toBeGreaterThan(0)
    expect(text).not.toContain(secret)
  })
})

test.each(all)('%s looks at one run at most', (_, { source }) => {
  // Something unbounded may only stand at the end: then each character is looked at once, or a bounded number of times.
  const classes = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'c')
  expect(classes.replace(/c(\+|\{\d+,\})$/, '')).not.toMatch(/[+*]|\{\d+,\}/)
})

test('a text is read as what is in it, in any order', () => {
  const encodings = (text: string) => readingsOf(text).readings.map(({ encoding }) => encoding)
  expect(encodings('plain')).toEqual([])
  expect(encodings('two words')).toEqual(['pieces'])
  expect(readingsOf('%5Cu0041bcdefghi').readings).toEqual([
    { encoding: 'escapes', text: '\\u0041bcdefghi' },
    { encoding: 'escapes', text: 'Abcdefghi' },
  ])
})

describe('what is inflated', () => {
  const bomb = Buffer.alloc(40 * 1024 * 1024)

  test.each([
    ['gzip', gzipSync(bomb)],
    ['zlib', deflateSync(bomb)],
  ])('is bounded: %s', (_, compressed) => {
    const text = compressed.toString('latin1')
    expect(readingsOf(text).unread).toBe(true)
    const { text: redacted, hits } = ledger().redact(text)
    expect(hits).toEqual([{ id: 'unread', kind: 'unread', encoding: 'unread' }])
    expect(redacted).toBe('[text withheld: it cannot be read to its end]')
  })

  test('may be cut, or only look compressed', () => {
    const whole = gzipSync(`at ${'x'.repeat(50)} secret`).toString('latin1')
    expect(
      readingsOf(whole.slice(0, -9))
        .readings.map(({ text }) => text)
        .join(),
    ).toContain('at x')
    expect(readingsOf(`\u001f\u008b\u0008${'y'.repeat(30)}`).unread).toBe(false)
  })
})
