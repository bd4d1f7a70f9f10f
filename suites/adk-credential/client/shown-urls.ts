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

/**
 * Those that a user opens. Where the events of the agent are passed on as they came, the endpoint alone is none, nor is a URL
 * that stands there finished as well, with a redirect URI.
 */
export function openedUrls(text: string, endpoint: string): string[] {
  const urls = shownUrls(text, endpoint).filter((url) => url.includes('?'))
  const finished = new Set(urls.filter(returnsSomewhere).map((url) => queryOf(url).get('state')))
  return urls.filter((url) => returnsSomewhere(url) || !finished.has(queryOf(url).get('state')))
}

/** Whether it has what the client application appends. */
export function returnsSomewhere(url: string): boolean {
  return Boolean(queryOf(url).get('redirect_uri'))
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.slice(url.indexOf('?')))
}

function urlsIn(text: string, endpoint: string): string[] {
  const urls: string[] = []
  for (let at = text.indexOf(endpoint); at >= 0; at = text.indexOf(endpoint, at + 1)) {
    const [url = ''] = /^[^\s"'<>`|)\]}]*/.exec(text.slice(at)) ?? []
    urls.push(url.replace(/(?<![.,;:!])[.,;:!]+$/, ''))
  }
  return urls
}
