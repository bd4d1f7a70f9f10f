/** Reads a JSON request body. */
import type { z } from 'zod'
import { OAuthError } from './oauth-error.ts'
import { problemsOf } from './problems.ts'

/**
 * Parses and validates a JSON body.
 * @throws OAuthError `errorCode` for another content type, malformed JSON or another shape
 */
export function parseJson<T>(
  schema: z.ZodType<T>,
  headers: Headers,
  body: string,
  errorCode = 'invalid_request',
): T {
  if (!hasMediaType(headers, 'application/json')) {
    throw new OAuthError(errorCode, 'the content type must be application/json')
  }
  const value = tryJson(body)
  if (value === undefined) throw new OAuthError(errorCode, 'the body is not JSON')
  const result = schema.safeParse(value)
  if (!result.success) throw new OAuthError(errorCode, problemsOf(result.error).join('; '))
  return result.data
}

/** Tells whether the content type is this one, whatever its parameters. */
export function hasMediaType(headers: Headers, mediaType: string): boolean {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === mediaType
}

/** The value of a JSON text; nothing for any other text. */
export function tryJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
