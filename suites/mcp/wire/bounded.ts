/** The chunks up to a size in bytes. */
export async function* bounded(
  chunks: AsyncIterable<Buffer>,
  limit: number,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    yield chunk
    bytes += chunk.length
    if (bytes >= limit) return
  }
}
