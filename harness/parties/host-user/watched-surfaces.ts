/** Surfaces that have an address, and how a conversation is watched at them. */

import type { Transport } from '../http.ts'
import { fill } from '../implementation/template.ts'
import type { WatchedStream } from './configuration.ts'
import { watchPolled } from './poll.ts'
import { watchServerSentEvents } from './server-sent-events.ts'
import type { Sighted } from './surface.ts'
import { watchWebSocket } from './web-socket.ts'

/** How a conversation is watched, wherever its surfaces are. */
export interface WatchTalkOptions {
  /** Those without an address are left out. */
  readonly surfaces: readonly object[]
  readonly headers: Readonly<Record<string, string>>
  readonly transport: Transport
  readonly onText: (sighted: Sighted) => void
}

/** Looks at the surfaces of a conversation that have an address, until the signal is aborted. */
export async function watchTalk(
  { conversation, user }: { readonly conversation: string; readonly user: string },
  url: string,
  signal: AbortSignal,
  { surfaces, headers, transport, onText }: WatchTalkOptions,
): Promise<void> {
  const watching: Promise<void>[] = []
  const values = { conversation: encodeURIComponent(conversation), user: encodeURIComponent(user) }
  for (const surface of surfaces) {
    const [kind, place] = Object.entries(surface)[0] as [string, true | string | WatchedStream]
    if (typeof place !== 'object') continue
    const own = /\{(conversation|user)\}/.test(place.path)
    const watch = {
      url: url + fill(place.path, values),
      source: kind,
      ...(own ? { conversation } : {}),
      headers: { ...headers, ...place.headers },
      signal,
      onText,
    }
    if (kind === 'poll') watching.push(watchPolled(watch, transport))
    if (kind === 'sse') watching.push(watchServerSentEvents(watch))
    if (kind === 'websocket') watching.push(watchWebSocket(watch))
  }
  await Promise.all(watching)
}
