import { expect, test } from 'vitest'
import { ownLinks } from './own-links.ts'

const origin = 'http://127.0.0.1:4000'

test.each([
  ['whole', `Open ${origin}/go/1?a=b, please.`],
  ['whole, by another name', 'Open http://localhost:4000/go/1?a=b.'],
  ['in JSON', JSON.stringify({ items: [{ url: `${origin}/go/1?a=b` }] })],
  ['in HTML', '<a class=x href="/go/1?a=b">Sign in</a>'],
  ['in HTML within JSON', JSON.stringify({ html: '<a href="/go/1?a=b">' })],
  ['in Markdown', `[Sign in](${origin}/go/1?a=b)`],
])('a link is read %s', (_, text) => {
  expect(ownLinks(text, origin)).toEqual(['/go/1?a=b'])
})

test('with the escapes of HTML undone', () => {
  expect(ownLinks('<a href="/go?a=1&amp;b=2">', origin)).toEqual(['/go?a=1&b=2'])
})

test.each([
  'http://127.0.0.1:4001/go',
  'https://127.0.0.1:4000/go',
  '<a href="//other.example/go">',
  '<a href="https://other.example/go">',
])('what leads elsewhere is none: %s', (text) => {
  expect(ownLinks(text, origin)).toEqual([])
})
