import { expect, test } from 'vitest'
import { withoutHtmlEscapes, withoutJsonEscapes } from './escapes.ts'

test.each([
  ['a&amp;b', 'a&b'],
  ['&quot;&#39;&#x27;&apos;&lt;&gt;', `"'''<>`],
  ['https&colon;&sol;&sol;x&quest;a&equals;1', 'https://x?a=1'],
  ['a&#38b', 'a&b'],
  ['?a=1&copy=2&amp;lt=3&section', '?a=1&copy=2&lt=3&section'],
  ['&ampersand; &nothing;', '&ampersand; &nothing;'],
  ['&#1114112;&#0;', '\ufffd\ufffd'],
])('HTML: %s', (text, expected) => expect(withoutHtmlEscapes(text)).toBe(expected))

test.each([
  [String.raw`a\/b\"c\\d`, String.raw`a/b"c\d`],
  [String.raw`\u0026\u002F`, '&/'],
  [String.raw`\\u0026`, String.raw`\u0026`],
  [String.raw`line\nbreak \u00`, String.raw`line\nbreak \u00`],
])('JSON: %s', (text, expected) => expect(withoutJsonEscapes(text)).toBe(expected))
