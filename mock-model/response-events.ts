/** The events by which the Responses API streams one output item. */

import { piecesOf } from './server-sent-events.ts'

export interface MessageItem {
  readonly id: string
  readonly type: 'message'
  readonly status: 'completed'
  readonly content: { type: 'output_text'; annotations: never[]; logprobs: never[]; text: string }[]
  readonly role: 'assistant'
}

export interface FunctionCallItem {
  readonly id: string
  readonly type: 'function_call'
  readonly status: 'completed'
  readonly arguments: string
  readonly call_id: string
  readonly name: string
  readonly namespace?: string
}

export type OutputItem = MessageItem | FunctionCallItem

type OutputEvent =
  ReturnType<typeof messageEvents>[number] | ReturnType<typeof functionCallEvents>[number]

/** From `output_item.added` to `output_item.done`; the caller numbers them. */
export function outputEvents(item: OutputItem, output_index: number): OutputEvent[] {
  return item.type === 'message'
    ? messageEvents(item, output_index)
    : functionCallEvents(item, output_index)
}

function messageEvents(item: MessageItem, output_index: number) {
  return [
    {
      type: 'response.output_item.added' as const,
      output_index,
      item: { ...item, status: 'in_progress' as const, content: [] },
    },
    ...item.content.flatMap((part, content_index) => {
      const at = { item_id: item.id, output_index, content_index }
      return [
        { type: 'response.content_part.added' as const, ...at, part: { ...part, text: '' } },
        ...piecesOf(part.text).map((delta) => ({
          type: 'response.output_text.delta' as const,
          ...at,
          delta,
          logprobs: [],
        })),
        { type: 'response.output_text.done' as const, ...at, text: part.text, logprobs: [] },
        { type: 'response.content_part.done' as const, ...at, part },
      ]
    }),
    { type: 'response.output_item.done' as const, output_index, item },
  ]
}

function functionCallEvents(item: FunctionCallItem, output_index: number) {
  const at = { item_id: item.id, output_index }
  return [
    {
      type: 'response.output_item.added' as const,
      output_index,
      item: { ...item, status: 'in_progress' as const, arguments: '' },
    },
    ...piecesOf(item.arguments).map((delta) => ({
      type: 'response.function_call_arguments.delta' as const,
      ...at,
      delta,
    })),
    {
      type: 'response.function_call_arguments.done' as const,
      ...at,
      name: item.name,
      arguments: item.arguments,
    },
    { type: 'response.output_item.done' as const, output_index, item },
  ]
}
