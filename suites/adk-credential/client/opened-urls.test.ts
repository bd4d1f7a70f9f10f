import { expect, test } from 'vitest'
import { openedUrls } from './opened-urls.ts'

const endpoint = 'https://127.0.0.1:1/authorize'
const url = `${endpoint}?a=1&state=s&redirect_uri=http%3A%2F%2F127.0.0.1%3A2%2Fcb`

test('of the events of an agent and what was made of them, what was made is opened', () => {
  const [raw = ''] = url.split('&redirect_uri')
  const events = [{ authorizationUrl: endpoint, authUri: raw }, { authUri: `${raw}&redirect_uri=` }]
  const other = `${endpoint}?a=1&state=t`
  const text = JSON.stringify({ events, url, other })
  expect(openedUrls(text, endpoint)).toEqual([url, other])
  expect(openedUrls(raw, endpoint)).toEqual([raw])
  expect(openedUrls(endpoint, endpoint)).toEqual([])
})
