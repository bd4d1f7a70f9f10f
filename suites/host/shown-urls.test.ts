import { expect, test } from 'vitest'
import { shownUrls } from './shown-urls.ts'

const endpoint = 'https://127.0.0.1:1/authorize'
const url = `${endpoint}?a=1&state=s&redirect_uri=http%3A%2F%2F127.0.0.1%3A2%2Fcb`

test.each([
  ['by itself', url],
  ['in words', `Open ${url}, please.`],
  ['at the end of a sentence', `Open ${url}.`],
  ['in JSON', JSON.stringify({ items: [{ url }] })],
  ['in JSON with escapes', JSON.stringify({ url }).replaceAll('/', '\\/').replace('&', '\\u0026')],
  ['in HTML', `<a href="${url.replaceAll('&', '&amp;')}">Sign in</a>`],
  ['in HTML without quotes', `<a href=${url}>Sign in</a>`],
  ['in HTML within JSON', JSON.stringify({ html: `<a href='${url.replaceAll('&', '&amp;')}'>` })],
  ['in Markdown', `[Sign in](${url})`],
  ['in brackets of another script', `请在此处授权：「${url}」。`],
  ['in quotation marks', `“${url}”, dit-il`],
  ['twice', `${url} or ${url}`],
  ['in colour', `\u001b[36m${url}\u001b[39m`],
  ['in colour at the end of a sentence', `Open \u001b[4m${url}\u001b[0m.`],
  ['behind words', `\u001b]8;;${url}\u0007Sign in\u001b]8;;\u0007`],
  ['behind itself', `\u001b]8;id=1;${url}\u001b\\${url}\u001b]8;;\u001b\\`],
])('a URL is read %s', (_, text) => {
  expect(shownUrls(text, endpoint)).toEqual([url])
})

test('several are told apart, and those elsewhere are none', () => {
  const other = url.replace('state=s', 'state=t')
  expect(shownUrls(`${url}\n${other}\nhttps://127.0.0.1:2/authorize?state=u`, endpoint)).toEqual([
    url,
    other,
  ])
})

test('a text without end is read in part', () => {
  expect(shownUrls('x'.repeat(10_000_000) + url, endpoint)).toEqual([])
})

test('a URL of nothing but full stops ends', () => {
  const dots = '.'.repeat(100_000)
  expect(
    shownUrls(`https://as.example/authorize?${dots}x${dots}`, 'https://as.example/authorize'),
  ).toEqual([`https://as.example/authorize?${dots}x`])
})
