/** Listens on a WebSocket and reports every message that is text, binary ones in UTF-8 included. */

import { WebSocket } from 'undici'
import { Pieces } from './pieces.ts'
import { rest, type Watch } from './surface.ts'

/** Milliseconds for which the other side may take to close, too (RFC 6455 §7.1.1); who does not is not waited for. */
const closesWithin = 1000

/** Listens until the watch ends; a connection that is lost is opened again. */
export async function watchWebSocket(watch: Watch): Promise<void> {
  const { signal, source, conversation, onText } = watch
  const pieces = new Pieces()
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const socket = new WebSocket(watch.url.replace(/^http/, 'ws'), {
        headers: { ...watch.headers },
      })
      socket.binaryType = 'arraybuffer'
      let patience: NodeJS.Timeout | undefined
      const end = (): void => {
        socket.close()
        patience = setTimeout(resolve, closesWithin)
      }
      signal.addEventListener('abort', end, { once: true })
      socket.addEventListener('message', ({ data }) => {
        const said = textOf(data)
        if (said === undefined) return
        for (const text of [said, ...pieces.add(said)]) onText({ source, conversation, text })
      })
      let wasOpened = false
      socket.addEventListener('open', () => {
        wasOpened = true
        watch.onState?.(undefined)
      })
      // An error is followed by the close.
      socket.addEventListener('close', () => {
        if (!wasOpened && !signal.aborted) watch.onState?.('no WebSocket')
        signal.removeEventListener('abort', end)
        clearTimeout(patience)
        resolve()
      })
    })
    await rest(signal)
  }
}

/** What writes bytes sends a text as a binary message (RFC 6455 §5.6). */
function textOf(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  if (!(data instanceof ArrayBuffer)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    return undefined
  }
}
