import { expect, test } from 'vitest'
import { authUrl } from './vocabulary.ts'
import { shows } from '../../../harness/parties/host-user/url-in-text.ts'
import { claimedBy, tellsOfAuthorization } from './pending-notice.ts'

const url = `${authUrl('url-0123456789abcdef01234567')}&a=1&copy=2`

test.each([
  ['plain', `Please open ${url}.`],
  ['markdown', `[authorize](${url})`],
  ['Slack', `<${url}|authorize>`],
  ['JSON', JSON.stringify({ blocks: [{ text: { url } }] })],
  ['escaped JSON', JSON.stringify(url).replaceAll('/', '\\/')],
  ['HTML', `<a href="${url.replaceAll('&', '&amp;')}">authorize</a>`],
  ['a terminal link', `\u001b]8;;${url}\u001b\\authorize\u001b]8;;\u001b\\`],
  ['JSON within a line', `[oauth] ${JSON.stringify({ url }).replaceAll('&', '\\u0026')}`],
  ['JSON within JSON', JSON.stringify({ data: JSON.stringify({ url }).replaceAll('/', '\\/') })],
  ['escaped Markdown', `[authorize](${url.replaceAll('_', '\\_')})`],
  ['HTML within JSON', JSON.stringify({ html: `<a href="${url.replaceAll('&', '&#38;')}">` })],
])('the exact URL is found in %s', (_, text) => expect(shows(text, url)).toBe(true))

test.each([
  ['shortened', url.slice(0, -4)],
  ['longer', `${url}&utm_source=chat`],
  ['decoded', decodeURIComponent(url)],
  ['another', url.replace('prompt=consent', 'prompt=none')],
])('a URL that is %s is not the same', (_, text) => expect(shows(text, url)).toBe(false))

test('characters beyond ASCII may be percent-encoded, ASCII may not', () => {
  const unicode = `${url}&login_hint=zoë@例え.jp`
  expect(shows(`Open ${unicode}`, unicode)).toBe(true)
  expect(shows(`Open ${new URL(unicode).href}`, unicode)).toBe(true)
  expect(shows(JSON.stringify(unicode).replace('ë', '\\u00eb'), unicode)).toBe(true)
  expect(shows(`Open ${unicode.replace('@', '%40')}`, unicode)).toBe(false)
  expect(shows(`Open ${unicode.replace('ë', 'e')}`, unicode)).toBe(false)
})

test.each([
  ["The call waits for the user's authorization.", undefined],
  ['{"status":"pending"}', undefined],
  ['Der Aufruf wartet auf die Freigabe durch den Benutzer.', undefined],
  ['ユーザーの承認を待っています。', undefined],
  ['You will be told when it has completed.', undefined],
  ['The human has been handed a link.', undefined],
  ['', 'an empty result'],
  ['""', 'an empty result'],
  ['null', 'an empty result'],
  ['{}', 'an empty result'],
  ['ok', 'a bare success'],
  ['{"success": true}', 'a bare success'],
  ['Error: authorization required', 'an error'],
  ['{"error":"authorization_required"}', 'an error'],
  ['The user has authorized the tool.', 'a completion that never happened'],
  ['Tool call completed.', 'a completion that never happened'],
  ['Waiting, visit url-0123456789abcdef01234567', 'the authorization URL as the result'],
])('%j amounts to %s', (text, claim) => {
  expect(claimedBy(text, undefined, 'url-0123456789abcdef01234567')).toBe(claim)
})

test('words about an authorization are told from words about waiting', () => {
  expect(tellsOfAuthorization('The user has been asked to sign in.')).toBe(true)
  expect(tellsOfAuthorization('The call is still pending.')).toBe(false)
})
