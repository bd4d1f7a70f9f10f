/** Reads a callback_url without changing it: RAP calls it opaque, to be used exactly as given. */

import { urlToHttpOptions } from 'node:url'

export interface CallbackTarget {
  readonly secure: boolean
  /** Where to connect: hostname, port and credentials, as node:http takes them. */
  readonly connection: ReturnType<typeof urlToHttpOptions>
  /** Path and query, byte for byte. */
  readonly path: string
}

const absoluteHttpUrl = /^(https?):\/\/[^/?#\\\s]+(?=[/?#]|$)([^#]*)/i

/**
 * Splits an absolute http(s) URL. `new URL` alone would resolve dot segments and re-encode the
 * query, so the path is cut out of the original text. Undefined when it is no such URL.
 */
export function parseCallbackUrl(text: string): CallbackTarget | undefined {
  const match = absoluteHttpUrl.exec(text)
  if (match === null || !URL.canParse(text)) return undefined
  const rest = match[2] ?? ''
  return {
    secure: match[1]?.toLowerCase() === 'https',
    connection: urlToHttpOptions(new URL(text)),
    path: escapeUnsendable(rest.startsWith('/') ? rest : `/${rest}`),
  }
}

/** HTTP cannot carry spaces, control characters or non-ASCII in a request line: those alone change. */
function escapeUnsendable(path: string): string {
  return path.replace(/[^\x21-\x7e]+/g, (run) =>
    [...Buffer.from(run)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join(''),
  )
}
