import { expect, test } from 'vitest'
import { safeLink } from './safe-link.ts'

test.each([
  ['https://a.test/b#c', 'https://a.test/b#c'],
  ['http://a.test', 'http://a.test/'],
  ['https://a.test/"><script>', 'https://a.test/%22%3E%3Cscript%3E'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['no address', undefined],
  [undefined, undefined],
])('%s becomes %s', (address, link) => {
  expect(safeLink(address)).toBe(link)
})
