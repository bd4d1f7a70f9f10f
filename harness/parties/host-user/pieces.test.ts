import { describe, expect, test } from 'vitest'
import { Pieces } from './pieces.ts'

const url = 'https://provider.example/authorize?a=1&b=2'

/** What is put together of these texts. */
function told(...texts: readonly string[]): string[] {
  const pieces = new Pieces()
  return texts.flatMap((text) => pieces.add(text))
}

function cut(text: string, length: number): string[] {
  return text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []
}

describe('a URL that comes in pieces is put together', () => {
  test.each([
    ['in plain texts', cut(`Open ${url} now`, 8)],
    ['character by character', cut(url, 1)],
    ['in strings of JSON', cut(`Open ${url}, please`, 12).map((each) => JSON.stringify(each))],
    ['in members', cut(`Open ${url} now`, 9).map((delta) => JSON.stringify({ type: 'd', delta }))],
    [
      'deep down',
      cut(`(${url})`, 7).map((content) => JSON.stringify({ choices: [{ delta: { content } }] })),
    ],
  ])('%s', (_, texts) => {
    expect(told(...texts).some((each) => each.includes(url))).toBe(true)
  })
})

describe('nothing is put together', () => {
  test.each([
    ['of one text', [`Open ${url}`]],
    ['of two texts', [`Open ${url}`, 'Done.']],
    ['of a text and its answers', [`Open ${url}`, 'Done.', 'Welcome back, Alice.', 'Bye']],
    ['of a URL that is told again', [url, url, url, url]],
    ['without a URL', ['a', 'b', 'c', 'd']],
    ['of different places', [`{"a":"${url}"}`, '{"b":"x"}', '{"c":"y"}', '{"d":"z"}']],
  ])('%s', (_, texts) => {
    expect(told(...texts)).toEqual([])
  })
})

test('a word without an end is given up', () => {
  const pieces = new Pieces()
  pieces.add('https://a')
  for (let times = 0; times < 20; times += 1) pieces.add('x'.repeat(1000))
  expect(pieces.add('y')).toEqual([])
})
