/** Reads a request body that may be anything, up to a bound. */

import type { Body } from './body.ts'
import { parseBoundedJson } from './bounded-json.ts'
import { modelLimits } from './limits.ts'
import type { RawBody, Refusal } from './reading.ts'

/** What arrived; invalid UTF-8 is replaced and marked. */
export async function readBody(request: Request): Promise<Body> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > modelLimits.body) break
    }
  } catch {
    // The sender broke off: what arrived is what is reported.
  }
  const kept = Buffer.concat(chunks).subarray(0, modelLimits.body)
  const truncated = bytes > modelLimits.body ? { truncated: true as const } : {}
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(kept)
    return { text, bytes, ...truncated }
  } catch {
    return { text: new TextDecoder().decode(kept), bytes, ...truncated, invalidUtf8: true }
  }
}

/** The JSON object in a body, or why there is none. */
export function parseBody(body: Body): { readonly raw: RawBody } | { readonly refusal: Refusal } {
  if (body.truncated) {
    const message = `The request body is larger than ${modelLimits.body} bytes.`
    return { refusal: { status: 413, message } }
  }
  const parsed = parseBoundedJson(body.text)
  if (body.invalidUtf8) return unreadable('it is not UTF-8')
  if (!parsed.ok) return unreadable(parsed.problem)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unreadable('it is not a JSON object')
  }
  return { raw: value as RawBody }
}

function unreadable(why: string): { readonly refusal: Refusal } {
  return {
    refusal: { status: 400, message: `We could not parse the body of your request: ${why}.` },
  }
}
