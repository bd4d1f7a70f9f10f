/** Of the authorization URLs that a user reads, those that the user opens. */

import { shownUrls } from '../../host/shown-urls.ts'

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
