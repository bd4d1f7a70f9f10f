/** Clients that all wait for the redirect at the same port: only one of them can run at a time. */

import type { Transcript } from '../../../harness/engine/index.ts'
import { textIn } from '../wire/values.ts'

/** Whether the clients of two scenarios gave the authorization server the same port of this machine (RFC 8252 §7.3). */
export function havePortInCommon(one: Transcript, other: Transcript): boolean {
  const [ports, known] = [portsIn(one), portsIn(other)]
  return ports.some((port) => known.includes(port))
}

function portsIn(t: Transcript): string[] {
  const opened = t.steps('opened').flatMap(({ detail }) => {
    const url = textIn(detail['url'])
    return URL.canParse(url) ? (new URL(url).searchParams.get('redirect_uri') ?? []) : []
  })
  // Where the request was pushed, the URL does not say it (RFC 9126 §4).
  const requested = t
    .provider('authorization-request')
    .map(({ detail }) => textIn(detail['redirectUri']))
  return [...opened, ...requested].flatMap((uri) =>
    URL.canParse(uri) ? new URL(uri).port || [] : [],
  )
}
