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
  /** Told when a surface can no longer be opened, and when it can again. */
  readonly onState?: (state: SurfaceState) => void
}

/** Whether a surface of a conversation can be opened. */
export interface SurfaceState {
  readonly conversation: string
  readonly source: string
  readonly url: string
  /** What came instead. */
  readonly problem?: string | undefined
}

/** Looks at the surfaces of a conversation that have an address, until the signal is aborted. */
export async function watchTalk(
  { conversation, user }: { readonly conversation: string; readonly user: string },
  url: string,
  signal: AbortSignal,
  { surfaces, headers, transport, onText, onState }: WatchTalkOptions,
): Promise<void> {
  const watching: Promise<void>[] = []
  const values = { conversation: encodeURIComponent(conversation), user: encodeURIComponent(user) }
  for (const surface of surfaces) {
    const [kind, place] = Object.entries(surface)[0] as [string, true | string | WatchedStream]
    if (typeof place !== 'object') continue
    const own = /\{(conversation|user)\}/.test(place.path)
    const at = { conversation, source: kind, url: url + fill(place.path, values) }
    let known: string | undefined
    const watch = {
      url: at.url,
      source: kind,
      ...(own ? { conversation } : {}),
      headers: { ...headers, ...place.headers },
      signal,
      onText,
      onState(problem: string | undefined) {
        if (problem === known) return
        known = problem
        onState?.({ ...at, problem })
      },
    }
    if (kind === 'poll') watching.push(watchPolled(watch, transport))
    if (kind === 'sse') watching.push(watchServerSentEvents(watch))
    if (kind === 'websocket') watching.push(watchWebSocket(watch))
  }
  await Promise.all(watching)
}
