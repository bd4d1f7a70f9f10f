/** Listens on a WebSocket and reports every text message. */

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
      let patience: NodeJS.Timeout | undefined
      const end = (): void => {
        socket.close()
        patience = setTimeout(resolve, closesWithin)
      }
      signal.addEventListener('abort', end, { once: true })
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return
        for (const text of [data, ...pieces.add(data)]) onText({ source, conversation, text })
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
