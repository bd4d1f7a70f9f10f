/** Streams the log as server-sent events (HTML Living Standard §9.2), beginning with what is there. */
import type { ProviderState } from '../provider/state.ts'
import { maskAll } from './mask.ts'

/** Events that may wait for a reader before the stream is given up. */
const mostWaiting = 10_000

/** A response that goes on until the reader is gone; `after` is the `seq` of the last event it has. */
export function streamLog({ log }: ProviderState, after: number, signal: AbortSignal): Response {
  let stop = () => {}
  const body = new ReadableStream<string>(
    {
      start(controller) {
        const end = () => {
          stop()
          controller.close()
        }
        const send = (event: (typeof log.events)[number]) => {
          if ((controller.desiredSize ?? 0) < -mostWaiting) return end()
          const data = JSON.stringify(maskAll(event))
          controller.enqueue(`id: ${event.seq}\ndata: ${data}\n\n`)
        }
        stop = log.onEvent(send)
        signal.addEventListener('abort', end, { once: true })
        controller.enqueue(': the log of the mock provider\n\n')
        for (const event of log.events) if (event.seq > after) send(event)
      },
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  )
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}
