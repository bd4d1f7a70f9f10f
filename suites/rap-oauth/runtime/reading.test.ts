import { expect, test } from 'vitest'
import { authUrl } from './session.ts'
import { shows } from './shown.ts'
import { claimedBy, tellsOfAuthorization } from './status.ts'

const url = `${authUrl('url-0123456789abcdef01234567')}&a=1&copy=2`

test.each([
  ['plain', `Please open ${url}.`],
  ['markdown', `[authorize](${url})`],
  ['Slack', `<${url}|authorize>`],
  ['JSON', JSON.stringify({ blocks: [{ text: { url } }] })],
  ['escaped JSON', JSON.stringify(url).replaceAll('/', '\\/')],
  ['HTML', `<a href="${url.replaceAll('&', '&amp;')}">authorize</a>`],
  ['a terminal link', `\u001b]8;;${url}\u001b\\authorize\u001b]8;;\u001b\\`],
])('the exact URL is found in %s', (_, text) => expect(shows(text, url)).toBe(true))

test.each([
  ['shortened', url.slice(0, -4)],
  ['longer', `${url}&utm_source=chat`],
  ['decoded', decodeURIComponent(url)],
  ['another', url.replace('prompt=consent', 'prompt=none')],
])('a URL that is %s is not the same', (_, text) => expect(shows(text, url)).toBe(false))

test.each([
  ["The call waits for the user's authorization.", undefined],
  ['{"status":"pending"}', undefined],
  ['', 'an empty result'],
  ['null', 'an empty result'],
  ['Error: authorization required', 'an error'],
  ['You have three items.', 'a result that the tool never sent'],
  ['Waiting, visit url-0123456789abcdef01234567', 'the authorization URL as the result'],
])('%j amounts to %s', (text, claim) => {
  expect(claimedBy(text, undefined, 'url-0123456789abcdef01234567')).toBe(claim)
})

test('words about an authorization are told from words about waiting', () => {
  expect(tellsOfAuthorization('The user has been asked to sign in.')).toBe(true)
  expect(tellsOfAuthorization('The call is still pending.')).toBe(false)
})
