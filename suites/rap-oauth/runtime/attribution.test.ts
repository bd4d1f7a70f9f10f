import { expect, test } from 'vitest'
import { tokensOf } from './attribution.ts'
import { tokenOf } from './testing.ts'

const token = tokenOf('ref', 1)
const bodyOf = (text: string) => ({ text, bytes: text.length })

test.each([
  ['plainly', `{"arguments":{"reference":"${token}"}}`],
  ['with escapes', `{"\\u0061rguments":{"reference":"\\u0072ef\\u002d${token.slice(4)}"}}`],
  ['in what is no JSON', `reference=${token}`],
  ['in JSON that was cut', `{"reference":"${token}"`],
])('a token is found %s', (_, text) => expect(tokensOf(bodyOf(text))).toEqual([token]))

test('a body that is nested very deeply does no harm', () => {
  const text = `${'['.repeat(200_000)}"${token}"${']'.repeat(200_000)}`
  expect(tokensOf(bodyOf(text))).toEqual([token])
})

test('without a body there is none', () => expect(tokensOf(undefined)).toEqual([]))
