import { encodeHTML } from 'entities'
import { describe, expect, test } from 'vitest'
import { readingsOf, shows } from './url-in-text.ts'

const url = 'https://provider.example/authorize?a=1&b=2'

describe('a URL is shown', () => {
  test.each([
    ['by itself', url],
    ['within words', `Please open ${url}, then come back.`],
    ['within Markdown', `[Authorize](${url})`],
    ['as Slack has it', `<${url}|Authorize>`],
    ['after a longer one', `${url}&c=3 or ${url}`],
    ['in a JSON string', JSON.stringify({ text: url })],
    ['in a JSON string with escapes', `[null, 1, {"a": ["${url.replaceAll('/', '\\/')}"]}]`],
    ['in HTML', `<a href="${url.replace('&', '&amp;')}">Authorize</a>`],
    ['in HTML, by number', url.replace('&', '&#38;')],
    ['in HTML, by a number with zeros', url.replace('&', '&#0000038;')],
    ['in HTML, by a hexadecimal number', url.replace('&', '&#x26;').replace('=', '&#X3D;')],
    ['in HTML, by a number without its semicolon', url.replace('&', '&#38')],
    ['in HTML, by names that few know', encodeHTML(url)],
    ['in HTML, an attribute in which only quotes are escaped', `<a href="${url}">Authorize</a>`],
    ['in HTML, by a name in capitals', url.replace('&', '&AMP;')],
    ['in colour', `\u001b[36m${url}\u001b[39m`],
    ['in colour, a part of it in another one', `${url.replace('?', '?\u001b[1m')}\u001b[0m.`],
    ['as a link of a terminal', `\u001b]8;;${url}\u001b\\Authorize\u001b]8;;\u001b\\`],
    ['within quotation marks', `Open \u201c${url}\u201d or \u00ab${url}\u00bb.`],
    ['within a frame', `\u2502${url}\u2502`],
    ['behind a symbol', `\u{1f449}${url}`],
    ['before a full stop of another script', `请访问：${url}。`],
    ['behind letters of another script', `こちら${url}`],
    ['before a blank that does not break', `${url}\u00a0now`],
    ['before signs of the text around it', `Is it ${url}?! No: ${url}...`],
    ['before an ASCII comma and letters of another script', `${url},然后`],
    ['in a script', `<button onclick="open('${url}','_blank')">Authorize</button>`],
    ['in a style of its own', `<a href=${url}>Authorize</a>`],
    ['behind its name', `url=${url}`],
    ['behind a colon', `Link:${url}`],
    ['behind another one', `https://help.example, https://a.example;${url}`],
    ['behind the parameters of a stream', `event: message\ndata:${url}`],
    ['beside a comment', `<!-- a button --><a href="${url}">Authorize</a>`],
    ['in HTML within JSON', JSON.stringify({ html: url.replaceAll('&', '&amp;') })],
  ])('%s', (_, text) => {
    expect(shows(text, url)).toBe(true)
  })
})

describe('a URL is not shown', () => {
  test.each([
    ['as the beginning of a longer one', `${url}&c=3`],
    ['as the end of something else', `x${url}`],
    ['without its end', url.slice(0, -1)],
    ['with letters of another script at its end', `${url}日本`],
    ['with letters more, in colour', `\u001b[36m${url}\u001b[39m&c=3`],
    ['with an escape more', url.replace('=', '%3D')],
    ['with a path parameter more', `${url};jsessionid=0A1B2C3D`],
    ['with an ending more', `${url}.html`],
    ['with a port more', `${url}:443`],
    ['with a number more', `${url},1`],
    ['with a star more', `${url}*1`],
    ['within another one', `https://links.example/go?url=${url}`],
    ['behind another one', `https://archive.example/${url}`],
    ['in a link to another one', `<a href="https://links.example/go?url=${url}">Authorize</a>`],
    ['in a comment', `<!-- ${url} --><p>Please sign in.</p>`],
    ['with an entity that HTML does not have', url.replace('&', '&ampersand;')],
    ['by nothing', ''],
    ['by null', 'null'],
    ['by a number', '7'],
  ])('%s', (_, text) => {
    expect(shows(text, url)).toBe(false)
  })
})

test('what is no JSON and has no escapes has one reading', () => {
  expect(readingsOf('{ not JSON')).toEqual(['{ not JSON'])
})

test('the strings of JSON are read, whatever lies between', () => {
  expect(readingsOf('[null, 7, {"a": "x"}]')).toEqual(['[null, 7, {"a": "x"}]', 'x'])
})

test('a number beyond Unicode is no character, as HTML has it', () => {
  expect(readingsOf('&#1114112;')).toEqual(['&#1114112;', '\ufffd'])
  expect(readingsOf('&#1114111;')).toEqual(['&#1114111;', '\u{10ffff}'])
})
