/** The authorization URLs in what a user reads: each is one that the user opens. */

import { withoutEscapes } from '../../harness/engine/index.ts'
import { readingsOf } from '../../harness/parties/host-user/url-in-text.ts'

/** Characters of one text that are read. */
const longest = 256 * 1024

/** What a terminal makes a link of, and where it leads: `ESC ] 8 ; parameters ; URL`, and the end of the command. */
// oxlint-disable-next-line no-control-regex -- the escape sequences of terminals begin so
const hyperlink = /\u001b\]8;[^;\u0007\u001b]*;([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g

/** Quotation marks, full stops and blanks of other scripts: a URL has no characters beyond ASCII (RFC 3986 §2). */
const foreignMark = /(?=[\p{P}\p{S}\p{Z}])[^\x20-\x7e]/u

/** Every URL that begins so and stands in the text: plainly, in JSON, HTML or Markdown, or behind words at a terminal. */
export function shownUrls(text: string, endpoint: string): string[] {
  const printed = withoutEscapes(text.slice(0, longest).replace(hyperlink, ' $1 '))
  const found = readingsOf(printed).flatMap((reading) => urlsIn(reading, endpoint))
  const all = [...new Set(found)]
  // The same with escapes that another reading has undone.
  return all.filter((url) => !/&(amp|#38|#x26);|\\/i.test(url))
}

function urlsIn(text: string, endpoint: string): string[] {
  const urls: string[] = []
  for (let at = text.indexOf(endpoint); at >= 0; at = text.indexOf(endpoint, at + 1)) {
    const [url = ''] = /^[^\s"'<>`|)\]}]*/.exec(text.slice(at)) ?? []
    const [own = ''] = url.split(foreignMark)
    urls.push(own.replace(/(?<![.,;:!])[.,;:!]+$/, ''))
  }
  return urls
}
