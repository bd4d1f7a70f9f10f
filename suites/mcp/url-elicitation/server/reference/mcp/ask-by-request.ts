/** Asks for authorization by a request to the client, and waits (MCP 2025-11-25, Elicitation). */

import type { ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/server'

import { abandoned, type Elicitation, type Ending } from '../elicitations.ts'
import { CallFailure } from '../failure.ts'
import type { Call } from './call.ts'
import type { interaction, refusalOf } from './interaction.ts'

export interface Asking {
  readonly call: Call
  readonly elicitation: Elicitation
  readonly request: ElicitRequestURLParams
  /** Milliseconds. */
  readonly timeout: number
}

export interface AskingParts {
  readonly sendElicitation: typeof sendElicitation
  readonly refusalOf: typeof refusalOf
  readonly interaction: typeof interaction
  readonly notifyComplete: typeof notifyComplete
}

/** How the user's interaction ended. Throws a CallFailure when there was none. */
export async function askByRequest(asking: Asking, parts: AskingParts): Promise<Ending> {
  const { call, elicitation } = asking
  const { signal } = call.context.mcpReq
  const over = new AbortController()
  const abandon = () => elicitation.settle(abandoned('cancelled'))
  signal.addEventListener('abort', abandon, { once: true })
  try {
    await consent(asking, over.signal, parts)
    // Consent is no authorization yet: the user is still at the browser.
    const ending = await parts.interaction(elicitation)
    if (ending.kind !== 'abandoned') await parts.notifyComplete(call, elicitation)
    return ending
  } finally {
    // The link of a call that is over leads nowhere, and a prompt that still waits is withdrawn.
    abandon()
    over.abort()
    signal.removeEventListener('abort', abandon)
  }
}

/** On the stream of the call that needs it, which every client reads. */
export function sendElicitation(
  { call, request, timeout }: Asking,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const message = { method: 'elicitation/create', params: { ...request } } as const
  return call.context.mcpReq.send(message, { timeout, signal })
}

/** To the session that began it, with the id that it knows it by. */
export async function notifyComplete({ context }: Call, { id }: Elicitation): Promise<void> {
  await context.mcpReq.notify({
    method: 'notifications/elicitation/complete',
    params: { elicitationId: id },
  })
}

/** Throws a CallFailure unless the user agreed to open the URL. */
async function consent(asking: Asking, signal: AbortSignal, parts: AskingParts): Promise<void> {
  const answering = parts.sendElicitation(asking, signal).catch(() => {
    throw new CallFailure('client-failed')
  })
  const refusal = parts.refusalOf(await Promise.race([answering, abandonment(asking.elicitation)]))
  if (refusal !== undefined) throw new CallFailure(refusal)
}

/** Rejects when nobody waits for the user any more. */
async function abandonment({ ended }: Elicitation): Promise<never> {
  const ending = await ended
  if (ending.kind === 'abandoned') throw ending.failure
  // A user who is done at the browser before the client has answered: the answer is awaited.
  return new Promise(() => {})
}
