/** The message that asks a tool to work (RAP, Tool Invocation), and when it may be sent again. */

import type { Settings } from './config.ts'
import { backoff, isTimeout } from './deadline.ts'
import type { Exchange } from './exchange.ts'
import type { Call } from './records.ts'
import { toolHeaders } from './tool-headers.ts'

export type Arguments = Readonly<Record<string, unknown>>

export interface Invocation {
  readonly operation: string
  readonly arguments: Arguments
  readonly id: string
  readonly call_id: string
  readonly callback_url: string
  readonly group_id: string
  readonly thread_ancestors: readonly string[] | null
  readonly user_id: string | null
}

export function buildInvocation(call: Call, args: Arguments, callbackUrl: string): Invocation {
  return {
    operation: call.tool,
    arguments: args,
    id: call.id,
    call_id: call.callId,
    callback_url: callbackUrl,
    group_id: call.conversation,
    thread_ancestors: null,
    user_id: call.userId,
  }
}

/** How a tool took an invocation: its HTTP status, nobody there, or no answer in time. */
export type Acknowledgement = number | 'unreachable' | 'no-answer'

export async function postInvocation(
  invocation: Invocation,
  target: { readonly endpoint: string; readonly toolset: string },
  settings: Settings,
  exchange: Exchange,
): Promise<Acknowledgement> {
  try {
    return await exchange.status({
      method: 'POST',
      url: target.endpoint,
      headers: toolHeaders(settings, target.toolset, target.endpoint),
      body: invocation,
      timeoutMs: settings.acknowledgementTimeoutMs,
    })
  } catch (error) {
    return isTimeout(error) ? 'no-answer' : 'unreachable'
  }
}

/**
 * RAP, Runtime: retry on 5xx and when the endpoint cannot be reached, never on 4xx. A tool that
 * took the request and said nothing may be at work already, so that is no reason either. An `oauth`
 * message is never one (RAP OAuth, Runtime Behavior): whoever calls back has been reached. Attempts count from 1.
 */
export function shouldRetryInvocation(acknowledgement: Acknowledgement, _attempt: number): boolean {
  if (typeof acknowledgement === 'string') return acknowledgement === 'unreachable'
  return acknowledgement >= 500
}

/** RAP, Runtime: with backoff. `attempt` counts from 1. */
export function retryDelay(attempt: number): number {
  return backoff(200, attempt)
}

/** RAP, Runtime: what cannot be delivered becomes an error result for the model. */
export function reportUndeliverable(
  call: Call,
  acknowledgement: Acknowledgement,
  settle: (text: string) => void,
): void {
  settle(`Error: The tool "${call.tool}" could not be called: ${reasonOf(acknowledgement)}.`)
}

function reasonOf(acknowledgement: Acknowledgement): string {
  if (acknowledgement === 'unreachable') return 'it could not be reached'
  if (acknowledgement === 'no-answer') return 'it did not acknowledge in time'
  return `it answered with HTTP status ${acknowledgement}`
}
