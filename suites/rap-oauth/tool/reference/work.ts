/** What everything that works on a call shares, and how it talks to the call's runtime. */

import { deliveryTimeoutMs } from './deliver.ts'
import type { Background } from './background.ts'
import type { Address } from './call.ts'
import type { Settings } from './config.ts'
import { failureCode } from './failure.ts'
import type { Flow, FlowStore } from './flow-store.ts'
import type { MessageBody } from './messages.ts'
import type { Parts } from './parts.ts'
import type { Provider } from './provider.ts'
import type { Queue } from './queue.ts'
import type { TokenVault } from './token-vault.ts'
import type { BoundFetch } from './upstream.ts'

export interface Work {
  readonly settings: Settings
  readonly parts: Parts
  readonly fetch: BoundFetch
  readonly provider: () => Promise<Provider>
  readonly vault: TokenVault
  readonly flows: FlowStore
  readonly queue: Queue
  readonly background: Background
  /** The timers of the pending flows, by flow key. */
  readonly timers: Map<string, NodeJS.Timeout>
  /** Aborted when a shutdown begins. */
  readonly stopping: AbortSignal
  /** Calls whose message could not be delivered before a shutdown. */
  readonly unsent: Set<string>
  /** Aborted when deliveries must end, too. */
  readonly closed: AbortSignal
}

/** Messages of one call leave in order: an oauth message that is being retried holds up the result. */
export async function send(work: Work, address: Address, body: MessageBody): Promise<void> {
  const { parts, stopping, closed } = work
  const message = { ...body, ...parts.echoIds(address) }
  const delivery = { url: address.callbackUrl, message }
  const delivered = await work.queue(keyOf(address), () =>
    parts.deliver(delivery, {
      post: parts.post,
      shouldRetry: parts.shouldRetry,
      timeoutMs: deliveryTimeoutMs,
      stopping,
      signal: closed,
    }),
  )
  if (!delivered && stopping.aborted) work.unsent.add(keyOf(address))
  const event = delivered ? 'delivered' : 'delivery-failed'
  parts.log({ event, id: address.id, outcome: body.type })
}

/** Whether the next start has to tell how the call of a flow ended. */
export function isUntold({ closed, unsent }: Work, { call }: Flow): boolean {
  return closed.aborted || unsent.has(keyOf(call))
}

function keyOf({ groupId, id }: Address): string {
  return JSON.stringify([groupId, id])
}

export function sendResult(work: Work, address: Address, text: string): Promise<void> {
  return send(work, address, { type: 'tool_result', text })
}

export async function fail(work: Work, address: Address, error: unknown): Promise<void> {
  const { parts } = work
  parts.log({ event: 'call-failed', id: address.id, outcome: failureCode(error) })
  await parts.reportFailure(error, parts.describeError, (text) => sendResult(work, address, text))
}

/** Ends the pending time of a flow by the clock, also when it began before a restart. */
export function armTimer(work: Work, flow: Flow): void {
  const { parts, flows, timers, background } = work
  disarmTimer(work, flow)
  const expire = () => {
    timers.delete(flow.key)
    void background.run(() =>
      parts.expireFlow(flow, flows, (error) => fail(work, flow.call, error)),
    )
  }
  timers.set(flow.key, setTimeout(expire, Math.max(0, flow.expiresAt - parts.now())))
}

export function disarmTimer(work: Work, flow: Flow): void {
  clearTimeout(work.timers.get(flow.key))
  work.timers.delete(flow.key)
}
