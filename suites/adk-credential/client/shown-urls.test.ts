import { expect, test } from 'vitest'
import { openedUrls, shownUrls } from './shown-urls.ts'

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
  ['twice', `${url} or ${url}`],
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

test('of the events of an agent and what was made of them, what was made is opened', () => {
  const [raw = ''] = url.split('&redirect_uri')
  const events = [{ authorizationUrl: endpoint, authUri: raw }, { authUri: `${raw}&redirect_uri=` }]
  const other = `${endpoint}?a=1&state=t`
  const text = JSON.stringify({ events, url, other })
  expect(openedUrls(text, endpoint)).toEqual([url, other])
  expect(openedUrls(raw, endpoint)).toEqual([raw])
  expect(openedUrls(endpoint, endpoint)).toEqual([])
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
