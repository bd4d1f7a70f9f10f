import { expect, test } from 'vitest'
import { isOwnPage } from './own-pages.ts'

const asked = 'http://127.0.0.1:4200/connect?e=1'
const encoded = encodeURIComponent(asked)

test.each([
  ['its user interface', 'http://localhost:6274/?token=1', [asked], true],
  ['its own page for consent', `http://127.0.0.1:6274/consent?to=${encoded}`, [asked], true],
  ['help of its vendor', 'https://client.example/help', [asked], true],
  ['the very URL', asked, [asked], false],
  ['another page of the site', 'http://127.0.0.1:4200/', [asked], false],
  ['the URL without its port', 'http://127.0.0.1/connect?e=1', [asked], false],
  ['a way there', `https://links.example/?to=${encoded}`, [asked], false],
  ['a script', 'javascript:alert(1)', [asked], false],
  ['its user interface, where a script was asked for', 'http://localhost:6274/', ['data:,'], true],
  ['its user interface, where nothing was asked for', 'http://localhost:6274/', [], true],
  ['a page in the web, where a script was asked for', 'https://find.example/', ['data:,'], false],
  ['the site, where nothing was asked for', 'http://localhost:4200/connect', [], false],
])('%s', (_, opened, wanted, own) => {
  expect(isOwnPage(opened, wanted, 'http://127.0.0.1:4200')).toBe(own)
})
