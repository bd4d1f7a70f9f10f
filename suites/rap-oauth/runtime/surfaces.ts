/** Looks at every declared surface and writes what is seen into the recordings that it concerns. */

import type { Recorder } from '../../../harness/engine/index.ts'
import {
  fill,
  watchPolled,
  watchServerSentEvents,
  watchWebSocket,
  type Sighted,
  type Transport,
} from '../../../harness/parties/index.ts'
import { tokensIn, type Attribution } from './attribution.ts'
import type { SurfaceConfiguration } from './configuration.ts'
import type { Talk } from './instance.ts'
import { readingsOf } from './url-in-text.ts'

/** Writes one sighting into every recording that it names, or into the log of the run. */
export function recordSighting(sighted: Sighted, attribution: Attribution, log: Recorder): void {
  const { source, text } = sighted
  const words = readingsOf(text).join('\n')
  const conversation =
    sighted.conversation ?? tokensIn(words).find((each) => each.startsWith('conv-'))
  const event = {
    type: 'surface',
    source,
    text,
    ...(conversation ? { conversation } : {}),
  } as const
  const named = attribution.scopesIn(`${words}\n${conversation ?? ''}`)
  const recorders = new Set(named.map(({ recorder }) => recorder).filter(({ ended }) => !ended))
  if (recorders.size === 0) log.record(event)
  for (const recorder of recorders) recorder.record(event)
}

export interface SurfaceOptions {
  readonly surfaces: readonly SurfaceConfiguration[]
  readonly headers: Readonly<Record<string, string>>
  readonly transport: Transport
  readonly onText: (sighted: Sighted) => void
}

/** Begins to look at the surfaces of a conversation that have an address. */
export function watchTalk(
  talk: Talk,
  url: string,
  signal: AbortSignal,
  { surfaces, headers, transport, onText }: SurfaceOptions,
): void {
  const { conversation, user } = talk
  const values = { conversation: encodeURIComponent(conversation), user: encodeURIComponent(user) }
  for (const surface of surfaces) {
    const [kind, place] = Object.entries(surface)[0] as [string, true | Stream]
    if (place === true) continue
    const own = /\{(conversation|user)\}/.test(place.path)
    const watch = {
      url: url + fill(place.path, values),
      source: kind,
      ...(own ? { conversation } : {}),
      headers: { ...headers, ...place.headers },
      signal,
      onText,
    }
    if (kind === 'poll') void watchPolled(watch, transport)
    if (kind === 'sse') void watchServerSentEvents(watch)
    if (kind === 'websocket') void watchWebSocket(watch)
  }
}

interface Stream {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}
