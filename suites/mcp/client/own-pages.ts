/** Pages that a client opens for itself, such as its user interface: they are none of the server's. */

import type { Recorded, StepEvent, Transcript } from '../../../harness/engine/index.ts'
import { isLoopback } from '../../../harness/parties/user/loopback-origins.ts'
import { textIn } from '../wire/values.ts'

/** What was opened in a call that asked for these URLs, but for pages of the client itself. */
export function openedIn(
  t: Transcript,
  call: string,
  asked: readonly string[],
): Recorded<StepEvent>[] {
  const site = textIn(t.steps('client')[0]?.detail['site'])
  return t
    .steps('opened', call)
    .filter(({ detail }) => !isOwnPage(textIn(detail['url']), asked, site))
}

/**
 * Whether a URL that was opened is of that kind: neither one that was asked for, however altered, nor a way there, nor at
 * the site that such URLs lead to.
 */
export function isOwnPage(opened: string, asked: readonly string[], site: string): boolean {
  const [page] = webPages(opened)
  if (!page) return false
  const wanted = webPages(...asked)
  if ([...wanted, ...webPages(site)].some((each) => isAt(each, page))) return false
  if (wanted.some(({ pathname }) => pathname === page.pathname)) return false
  const plain = opened.replaceAll(/%3a/gi, ':')
  return (
    isLoopback(page.origin) ||
    (wanted.length > 0 && !wanted.some(({ host }) => plain.includes(host)))
  )
}

/** The loopback interface has several names. */
function isAt(place: URL, page: URL): boolean {
  const both = [place, page].every(({ origin }) => isLoopback(origin))
  return place.host === page.host || (both && place.port === page.port)
}

function webPages(...urls: readonly string[]): URL[] {
  return urls
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url))
    .filter(({ protocol }) => /^https?:$/.test(protocol))
}
