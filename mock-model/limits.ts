/** What one scripted model endpoint takes and keeps. */

/** The limits of one endpoint. */
export const modelLimits = {
  /** Bytes of a request body; more is answered 413. */
  body: 8 * 1024 * 1024,
  /** Levels of nesting; deeper is answered 400, so that it is safe to recurse. */
  depth: 256,
  /** Values of a body, counted by its commas; more is answered 400. */
  values: 200_000,
  /** Conversations kept for `previous_response_id`; the oldest go first. */
  storedResponses: 1000,
  /** Bytes of these conversations together. */
  storedBytes: 64 * 1024 * 1024,
} as const
