/** Writes server-sent events the way the model APIs do. */

/** An event with a name (Responses, Anthropic) or without (chat completions). */
export function frame(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}

/** What ends a stream of chat completions. */
export const doneFrame = 'data: [DONE]\n\n'

/** Sends frame after frame, each in a chunk of its own, as fast as they are read. */
export function streamOf(frames: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const data = frames[next++]
      if (data === undefined) controller.close()
      else controller.enqueue(encoder.encode(data))
    },
  })
}

/** Pieces in which a text is streamed: some 200 at most, none splits a character. */
export function piecesOf(text: string): string[] {
  const size = Math.max(12, Math.ceil(text.length / 200))
  return text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
}
