import { expect, test } from 'vitest'
import { similarTo } from '../../server/flawed-tokens.ts'
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
