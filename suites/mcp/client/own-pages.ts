/** Pages that a client opens for itself, such as its user interface: they are none of the server's. */

import { isLoopback } from '../../../harness/parties/user/loopback-origins.ts'

/** Whether a URL that was opened is of that kind, and neither one that was asked for, however altered, nor a way there. */
export function isOwnPage(opened: string, asked: readonly string[]): boolean {
  const page = webPage(opened)
  const pages = asked.map(webPage)
  if (!page || pages.length === 0) return false
  const plain = opened.replaceAll(/%3a/gi, ':')
  return pages.every(
    (each) =>
      each &&
      each.host !== page.host &&
      each.pathname !== page.pathname &&
      (isLoopback(page.origin) || !plain.includes(each.host)),
  )
}

function webPage(url: string): URL | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : undefined
}
