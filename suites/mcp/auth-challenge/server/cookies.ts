/** The cookies that a client keeps which is a browser in this, and no other client of MCP is. */

import type { Transcript } from '../../../../harness/engine/index.ts'
import { newJar } from '../../../../harness/parties/user/cookies.ts'
import { sentChannel } from '../../wire/link.ts'
import type { CallOptions } from './callers.ts'

/** What answers have set, as the header of a request to the endpoint (RFC 6265 §5.4). */
export function cookiesOf(t: Transcript, endpoint: string): NonNullable<CallOptions['headers']> {
  const jar = newJar()
  for (const request of t.requests(sentChannel)) {
    const answer = t.answer(request)
    if (answer?.type !== 'response') continue
    for (const line of answer.headers['set-cookie']?.split('\n') ?? [])
      jar.setCookieSync(line, endpoint, { ignoreError: true })
  }
  const cookie = jar.getCookieStringSync(endpoint)
  return cookie === '' ? {} : { cookie }
}
