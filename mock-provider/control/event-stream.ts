/** Streams the log as server-sent events (HTML Living Standard §9.2), beginning with what is there. */
import type { ProviderState } from '../provider/state.ts'
import { maskAll } from './mask.ts'

/** A response that goes on until the reader is gone; `after` is the `seq` of the last event it has. */
export function streamLog({ log }: ProviderState, after: number, signal: AbortSignal): Response {
  let stop = () => {}
  let last = after
  // Nothing waits here for a reader who is slow: what it missed is still in the log, as far as that is kept
  const next = () => log.events[firstAfter(log.events, last)]
  let wake = () => {}
  const reader = { open: true }
  const end = () => {
    reader.open = false
    stop()
    wake()
  }
  const body = new ReadableStream<string>(
    {
      start(controller) {
        stop = log.onEvent(() => wake())
        signal.addEventListener('abort', end, { once: true })
        controller.enqueue(': the log of the mock provider\n\n')
      },
      async pull(controller) {
        while (next() === undefined && reader.open) {
          await new Promise<void>((resolve) => (wake = resolve))
        }
        const event = next()
        if (event === undefined || !reader.open) return controller.close()
        last = event.seq
        controller.enqueue(`id: ${event.seq}\ndata: ${JSON.stringify(maskAll(event))}\n\n`)
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}

/** Where the first event stands that is newer; numbers ascend. */
function firstAfter(events: readonly { readonly seq: number }[], seq: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (events[middle]!.seq <= seq) low = middle + 1
    else high = middle
  }
  return low
}
