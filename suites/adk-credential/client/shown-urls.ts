/** The authorization URLs in what a user reads: each is one that the user opens. */

import { readingsOf } from '../../../harness/parties/host-user/url-in-text.ts'

/** Characters of one text that are read. */
const longest = 256 * 1024

/** Every URL at this endpoint that stands in the text, plainly, in JSON, in HTML or in Markdown. */
export function shownUrls(text: string, endpoint: string): string[] {
  const found = readingsOf(text.slice(0, longest)).flatMap((reading) => urlsIn(reading, endpoint))
  const all = [...new Set(found)]
  // The same with escapes that another reading has undone.
  return all.filter((url) => !/&(amp|#38|#x26);|\\/i.test(url))
}

function urlsIn(text: string, endpoint: string): string[] {
  const urls: string[] = []
  for (let at = text.indexOf(endpoint); at >= 0; at = text.indexOf(endpoint, at + 1)) {
    const [url = ''] = /^[^\s"'<>`|)\]}]*/.exec(text.slice(at)) ?? []
    urls.push(url.replace(/(?<![.,;:!])[.,;:!]+$/, ''))
  }
  return urls
}
