/** Links of an application to itself in what its user reads: one that answers with a redirect leads to the provider. */

import { readingsOf } from '../../../harness/parties/host-user/url-in-text.ts'
import { shownUrls } from '../../host/shown-urls.ts'

/** Characters of one text that are read. */
const longest = 256 * 1024

/** The paths, with their queries, of links to this origin: whole URLs, by any name of the loopback interface, and `href`s. */
export function ownLinks(text: string, origin: string): string[] {
  const { protocol, port } = new URL(origin)
  const names = [
    origin,
    ...['127.0.0.1', 'localhost', '[::1]'].map((name) => `${protocol}//${name}:${port}`),
  ]
  const whole = [...new Set(names)].flatMap((name) =>
    shownUrls(text, `${name}/`).map((url) => url.slice(name.length)),
  )
  const relative = readingsOf(text.slice(0, longest)).flatMap((reading) =>
    [...reading.matchAll(/\bhref\s*=\s*["']?(\/(?!\/)[^\s"'<>\\]*)/gi)].map(
      ([, path = '']) => path,
    ),
  )
  const escaped = /&(amp|#38|#x26);/i
  return [...new Set([...whole, ...relative])].filter((path) => !escaped.test(path))
}
