/** JSON-RPC 2.0 messages as they came: nothing is repaired, and what is none is told apart. */

import { isRecord } from './values.ts'

/** The id of a request; other types than these cannot be answered. */
export type MessageId = string | number

/** One message, told apart by what it has. */
export type Message = { readonly value: Readonly<Record<string, unknown>> } & (
  | { readonly kind: 'request'; readonly id: MessageId; readonly method: string }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'result'; readonly id: unknown; readonly result: unknown }
  | {
      readonly kind: 'error'
      readonly id: unknown
      readonly code: unknown
      readonly message: unknown
      readonly data: unknown
    }
  | { readonly kind: 'other' }
)

/** What stands in a text: one message, those of a batch, or none where it is no JSON. */
export function messagesIn(json: unknown): readonly Message[] {
  if (Array.isArray(json)) return json.filter(isRecord).map(messageOf)
  return isRecord(json) ? [messageOf(json)] : []
}

/** Whether a text is a message, or a batch of them, and nothing else. */
export function isMessage(text: string): boolean {
  try {
    const messages = messagesIn(JSON.parse(text) as unknown)
    return messages.length > 0 && messages.every(({ kind }) => kind !== 'other')
  } catch {
    return false
  }
}

function messageOf(value: Readonly<Record<string, unknown>>): Message {
  const { id, method, error } = value
  if (typeof method === 'string') {
    return isId(id)
      ? { kind: 'request', value, id, method }
      : { kind: 'notification', value, method }
  }
  if (isRecord(error)) {
    const { code, message, data } = error
    return { kind: 'error', value, id, code, message, data }
  }
  return 'result' in value
    ? { kind: 'result', value, id, result: value['result'] }
    : { kind: 'other', value }
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || typeof value === 'number'
}

/** Codes of JSON-RPC 2.0 §5.1. */
export const methodNotFound = -32601
