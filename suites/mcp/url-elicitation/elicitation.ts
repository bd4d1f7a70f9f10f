/** How a server asks for a URL to be opened, in each of the three ways that the revisions have. */

import type { Message } from '../wire/json-rpc.ts'
import type { Capabilities } from '../wire/revisions.ts'
import { isRecord, membersOf } from '../wire/values.ts'

/** What a client declares that can open URLs, and nothing else. */
export const urlMode: Capabilities = { elicitation: { url: {} } }

/** URLElicitationRequiredError (2025-11-25, Error Handling). */
export const elicitationRequired = -32042

/** One elicitation as it came, whatever is wrong with it. */
export interface Elicitation {
  /** By a request, in the error that ends a request, or in a result that asks for input (2026-07-28). */
  readonly how: 'request' | 'error' | 'input'
  /** Its key among the requests for input. */
  readonly key?: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The elicitations in a message of the server, of either mode. */
export function elicitationsIn(message: Message): readonly Elicitation[] {
  if (message.kind === 'request' && message.method === 'elicitation/create') {
    return [{ how: 'request', params: membersOf(message.value['params']) }]
  }
  if (message.kind === 'error' && message.code === elicitationRequired) {
    return requiredIn(message.data).map((each) => ({ how: 'error', params: membersOf(each) }))
  }
  if (message.kind === 'result') {
    return Object.entries(inputRequestsIn(message.result) ?? {}).flatMap(([key, request]) => {
      const { method, params } = membersOf(request)
      return method === 'elicitation/create'
        ? [{ how: 'input' as const, key, params: membersOf(params) }]
        : []
    })
  }
  return []
}

/** `data.elicitations` of the error. */
export function requiredIn(data: unknown): readonly unknown[] {
  const { elicitations } = membersOf(data)
  return Array.isArray(elicitations) ? elicitations : []
}

/** Whether a result asks for input before the request can be answered (2026-07-28, InputRequiredResult). */
export function asksForInput(result: unknown): boolean {
  return membersOf(result)['resultType'] === 'input_required'
}

/** What it asks for, by key; `undefined` where it has nothing of the kind. */
export function inputRequestsIn(result: unknown): Readonly<Record<string, unknown>> | undefined {
  const { inputRequests } = membersOf(result)
  return asksForInput(result) && isRecord(inputRequests) ? inputRequests : undefined
}

/** Form mode needs not be named. */
export function isUrlMode({ params }: Elicitation): boolean {
  return params['mode'] === 'url'
}

/** Whether a URL is to be opened, named so or not: a client takes what names no mode for a form. */
export function bringsUrl(elicitation: Elicitation): boolean {
  return isUrlMode(elicitation) || 'url' in elicitation.params
}

/** Whether a message says that one of these elicitations is complete. */
export function completes(message: Message, ids: readonly unknown[]): boolean {
  const id = completedIn(message)
  // Where there are no ids (2026-07-28), nothing names one.
  return id !== undefined && ids.includes(id)
}

/** The id of an elicitation that is complete, where the message says so. */
export function completedIn(message: Message): unknown {
  return message.kind === 'notification' && message.method === 'notifications/elicitation/complete'
    ? (membersOf(message.value['params'])['elicitationId'] ?? null)
    : undefined
}
