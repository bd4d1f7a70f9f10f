import { expect, test } from 'vitest'
import { Transcript, type RecordedEvent } from '../../../harness/engine/index.ts'
import { exposesNoCode } from './exposure.ts'

const secret = '[secret authorization_code-1]'
const judged = (page: string) => {
  const exchange = { scenario: 'a', exchange: 'x', channel: 'browser', headers: {} }
  const body = { text: page, bytes: page.length }
  const events = [
    {
      seq: 1,
      t: 1,
      ...exchange,
      type: 'request',
      method: 'GET',
      url: '/callback',
      secrets: [{ kind: 'authorization_code', id: '1', at: 'url' }],
    },
    { seq: 2, t: 2, ...exchange, type: 'response', status: 200, body },
  ] as unknown as RecordedEvent[]
  return exposesNoCode(new Transcript(events), {} as Parameters<typeof exposesNoCode>[1]).outcome
}

test('a script may hand the callback over; a page must not show it', () => {
  expect(judged('<p>Thank you.</p>')).toBe('pass')
  expect(judged(`<script>opener.postMessage("${secret}")</script ><p>Thank you.</p>`)).toBe('pass')
  expect(judged(`<SCRIPT type="module">send("${secret}")`)).toBe('pass')
  expect(judged(`<script></script><p>${secret}</p>`)).toBe('violation')
  expect(judged(`<scripted>${secret}</scripted>`)).toBe('violation')
})

test.each([
  ['pass', `opener.postMessage(location.href, location.origin)`],
  ['pass', `opener.postMessage({ type: 'oauth', url: location.href }, "https://app.example")`],
  ['pass', `opener.postMessage('done', '*')`],
  ['pass', `opener.postMessage('done', '*'); location.replace('/')`],
  ['pass', `const url = location.href; send(url); opener.postMessage('done', '*')`],
  ['violation', `opener.postMessage(location.href, '*')`],
  ['violation', `window.opener.postMessage({ type: 'oauth', url: location.href }, "*")`],
  ['violation', `const code = "${secret}"; opener.postMessage({ code }, '*')`],
  ['violation', `const u = new URL(location); parent.postMessage(u.search,\n  '*',\n)`],
])('a script of the callback page: %s, %s', (outcome, script) => {
  expect(judged(`<p>Thank you.</p><script>${script}</script>`)).toBe(outcome)
})

test.each(['<script>postMessage(', '<script>', '<script ', '<script></script '])(
  'a page of nothing but %s ends',
  (part) => {
    expect(judged(part.repeat(1_000_000 / part.length))).toBe('pass')
  },
)
