/** The events of an agent, whichever way they came, and the credential requests among them. */

import { createParser } from 'eventsource-parser'
import type { CredentialRequest, Fields } from './work.ts'

export const requestName = 'adk_request_credential'

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** A member by its name, or by the same in snake_case. */
export function member(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

/** The events of the answer to `/run`, or of the stream of `/run_sse`. @throws Error where the turn failed */
export function readEvents(text: string, type: string): Fields[] {
  if (!type.startsWith('text/event-stream')) return (JSON.parse(text) as unknown[]).map(fieldsOf)
  const events: Fields[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(fieldsOf(JSON.parse(data))) })
  parser.feed(`${text}\n\n`)
  const failed = events.find(({ error }) => error !== undefined)
  if (failed) throw new Error(String(failed['error']))
  return events
}

function partsOf(event: Fields): Fields[] {
  const { parts } = fieldsOf(event['content'])
  return Array.isArray(parts) ? parts.map(fieldsOf) : []
}

/** What the agent says; of what is still being streamed, nothing. */
export function textsIn(events: readonly Fields[]): string[] {
  return events
    .filter(({ partial }) => partial !== true)
    .flatMap(partsOf)
    .flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []))
}

/** Every credential request: by a call that is long-running, or by a response without a credential in it. */
export function requestsIn(events: readonly Fields[]): CredentialRequest[] {
  return events.flatMap((event) => {
    const running = member(event, 'longRunningToolIds')
    const ids: unknown[] = Array.isArray(running) ? running : []
    return partsOf(event).flatMap((part): CredentialRequest[] => {
      const call = fieldsOf(member(part, 'functionCall'))
      const response = fieldsOf(member(part, 'functionResponse'))
      const { id, name } = call['name'] === undefined ? response : call
      if (name !== requestName || typeof id !== 'string' || !ids.includes(id)) return []
      if (call['name'] === undefined)
        return [{ by: 'response', id, paused: id, config: fieldsOf(response['response']) }]
      const args = fieldsOf(call['args'])
      const paused = member(args, 'functionCallId')
      return [
        {
          by: 'call',
          id,
          paused: typeof paused === 'string' ? paused : undefined,
          config: fieldsOf(member(args, 'authConfig')),
        },
      ]
    })
  })
}
