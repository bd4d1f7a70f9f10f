/** Reads a request body that may be anything. */
import type { MaybePromise } from '../storage/maybe-promise.ts'
import { OAuthError } from './oauth-error.ts'

export interface ReadBody {
  /** As much as was read, invalid bytes replaced. */
  readonly body: string
  /** Why the request has to be refused. */
  readonly problem?: OAuthError
}

/** Reads at most `limit` bytes as UTF-8. Reports a problem instead of throwing. */
export function readBody(request: Request, limit: number): MaybePromise<ReadBody> {
  if (request.method === 'GET' || request.method === 'HEAD') return { body: '' }
  return read(request, limit)
}

async function read(request: Request, limit: number): Promise<ReadBody> {
  const announced = request.headers.get('content-length')
  const small = announced !== null && Number(announced) <= limit
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // what is announced to be small comes in one piece, which is much cheaper than a stream
    const parts = small ? [new Uint8Array(await request.arrayBuffer())] : (request.body ?? [])
    for await (const chunk of parts) {
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

const decode = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks).toString()

const refusal = (description: string, status = 400) =>
  new OAuthError('invalid_request', description, { status })
