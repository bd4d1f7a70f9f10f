/** URLs that a server gives a client to open. */

import { withoutSecretNames } from '../../../harness/engine/index.ts'

/** Neither RFC 3986 §2 nor the URL Standard (URL code points) knows these in a URL, though parsers mend them. */
const inNoUrl = /[\s\p{Cc}"<>]/u

/** Whether a value is an absolute URL as it stands, with nothing that a reader would have to mend. */
export function isValidUrl(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const url = withoutSecretNames(value)
  return URL.canParse(url) && !inNoUrl.test(url)
}
