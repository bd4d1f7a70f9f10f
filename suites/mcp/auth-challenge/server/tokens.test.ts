import { expect, test } from 'vitest'
import { otherClaims, similarTo } from '../../server/flawed-tokens.ts'
import { lackingScopes } from './test-bed.ts'

test('similar resources are others, and begin alike', () => {
  const endpoint = 'http://127.0.0.1:4100/mcp'
  const similar = similarTo(endpoint)
  expect(similar).toEqual([
    'http://127.0.0.1:4100@another-api.example/mcp',
    'http://127.0.0.1:4101/mcp',
    'http://127.0.0.1:4100/mc',
    'https://another-api.example/http://127.0.0.1:4100/mcp',
    'http://127.0.0.1:4100/MCP',
    'http://127.0.0.1:4100/mcp-of-another',
  ])
  expect(similar.every((each) => URL.canParse(each))).toBe(true)
})

test('whatever stands below the root may belong to it', () => {
  expect(similarTo('https://notes.example/')).toEqual([
    'https://notes.example@another-api.example/',
    'https://notes.example:1/',
    'https://notes.exampl',
    'https://another-api.example/https://notes.example/',
  ])
})

test('other claims are under the same header and signature', () => {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${encoded({ alg: 'RS256' })}.${encoded({ sub: 'ann', jti: '1' })}.signature`
  const other = `${encoded({ alg: 'RS256' })}.${encoded({ sub: 'somebody-else', jti: '1' })}.signature`
  expect(otherClaims(token)).toBe(other)
})

test('an opaque token gets another beginning', () => {
  const other = otherClaims('abcdefgh')
  expect(other).toMatch(/^.{4}efgh$/)
  expect(other).not.toBe('abcdefgh')
})

test('one scope is missing, and what is spelt alike does not count', () => {
  expect(lackingScopes(['a:r', 'a:w'], ['a:r', 'b'])).toEqual([
    'a:r',
    'no-a:r',
    'a:r-not',
    'A:R',
    'no-a:w',
    'a:w-not',
    'A:W',
    'no-b',
    'b-not',
    'B',
  ])
  expect(lackingScopes([], ['a:r'])).toEqual(['no-a:r', 'a:r-not', 'A:R'])
  expect(lackingScopes(['READ', '1'], [])).toEqual([
    'READ',
    'no-READ',
    'READ-not',
    'read',
    'no-1',
    '1-not',
  ])
})
