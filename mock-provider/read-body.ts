/** Reads a request body that may be anything. */
import { OAuthError } from './oauth-error.ts'

export interface ReadBody {
  /** As much as was read, invalid bytes replaced. */
  readonly body: string
  /** Why the request has to be refused. */
  readonly problem?: OAuthError
}

/** Reads at most `limit` bytes as UTF-8. Reports a problem instead of throwing. */
export async function readBody(request: Request, limit: number): Promise<ReadBody> {
  if (request.method === 'GET' || request.method === 'HEAD') return { body: '' }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of chunksOf(request, limit)) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > limit) break
    }
  } catch {
    return { body: decode(chunks), problem: refusal('the body could not be read') }
  }
  if (size > limit) {
    return { body: decode(chunks).slice(0, limit), problem: refusal('the body is too large', 413) }
  }
  try {
    return { body: strict.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)) }
  } catch {
    return { body: decode(chunks), problem: refusal('the body is not UTF-8') }
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })

/** A body that is announced to be small comes in one piece, which is much cheaper than a stream. */
async function* chunksOf(request: Request, limit: number): AsyncIterable<Uint8Array> {
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) <= limit) yield new Uint8Array(await request.arrayBuffer())
  else yield* request.body ?? []
}

const decode = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks).toString()

const refusal = (description: string, status = 400) =>
  new OAuthError('invalid_request', description, { status })
