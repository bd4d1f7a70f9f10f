import { expect, test } from 'vitest'
import { linksOf } from './specification.ts'

const page = { url: 'https://d.test/flow.md', headings: ['Error Handling', 'Tool → Runtime'] }
const specification = {
  title: 'Document',
  revision: '1',
  published: 'https://d.test/',
  pages: { 'Doc Flow': page },
}

test.each([
  ['Doc Flow', ['https://d.test/flow.md']],
  ['Doc Flow, Error Handling', ['https://d.test/flow.md#error-handling']],
  ['Doc Flow, Tool → Runtime', ['https://d.test/flow.md#tool--runtime']],
  ['RFC 6749 §4.1.2.1', ['https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1']],
  [
    'Doc Flow, Error Handling; RFC 9207',
    ['https://d.test/flow.md#error-handling', 'https://www.rfc-editor.org/rfc/rfc9207'],
  ],
  ['Doc Flow, No Such Heading', []],
  ['Another Document', []],
])('%s', (source, urls) => {
  expect(linksOf(source, specification).map(({ url }) => url)).toEqual(urls)
})
