import { describe, expect, test } from 'vitest'
import { isWebPage, promptText, warningFor } from './prompt.ts'

describe('a prompt', () => {
  test('says who asks, why, and where the URL leads', () => {
    const url = 'https://items.example:8443/connect?e=1#top'
    const text = promptText('warehouse', { url, message: 'Connect\n  URL: https://other.example' })
    expect(text.split('\n')).toEqual([
      'warehouse asks you to open a web page.',
      '  Why: Connect   URL: https://other.example',
      '  Host: items.example:8443',
      `  URL: ${url}`,
    ])
  })

  test('ends with a warning where there is one', () => {
    const url = 'https://xn--80ak6aa92e.example/'
    expect(promptText('s', { url, message: '' }, warningFor(url))).toMatch(/Warning: .*alphabet/)
  })
})

test.each([
  ['https://items.example/', undefined],
  ['https://xn--80ak6aa92e.example/', 'another alphabet'],
  ['https://bank.example@items.example/', 'a user name'],
])('%s: %s', (url, warning) => {
  expect(warningFor(url)).toEqual(warning && expect.stringContaining(warning))
})

test.each([
  ['http://127.0.0.1/', true],
  ['HTTPS://items.example', true],
  ['javascript:alert(1)', false],
  ['file:///etc/hosts', false],
  ['no URL', false],
])('%s is a web page: %s', (url, is) => {
  expect(isWebPage(url)).toBe(is)
})
