/** Replies as plain data: faults can alter them and the log can record them before they are sent. */

export interface Reply {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The members of a JSON body. */
  readonly json?: Readonly<Record<string, unknown>>
  /** Any other body; wins over `json`. */
  readonly text?: string
}

/**
 * Nothing here is worth caching, and what carries credentials must not be cached (RFC 6749 §5.1).
 */
const uncached = (headers: Readonly<Record<string, string>>) => ({
  'cache-control': 'no-store',
  pragma: 'no-cache',
  ...headers,
})

/** A JSON reply. */
export function json(
  members: Readonly<Record<string, unknown>>,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: uncached({ 'content-type': 'application/json', ...headers }),
    json: members,
  }
}

/** A reply with any other body. */
export function text(
  body: string,
  contentType: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: uncached({ 'content-type': contentType, ...headers }), text: body }
}

/** A reply without a body. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: uncached(headers) }
}

/** Sends the user agent on with a GET, whatever method brought it here (RFC 9700 §4.12). */
export function redirect(location: string): Reply {
  return empty(303, { location, 'referrer-policy': 'no-referrer' })
}

/** What was encoded before: a reply is logged and sent, and some replies never change. */
const encodings = new WeakMap<object, string>()

/** The body of a reply as it is sent. */
export function bodyOf({ text, json: members }: Reply): string {
  if (text !== undefined || !members) return text ?? ''
  const known = encodings.get(members)
  if (known !== undefined) return known
  const encoded = JSON.stringify(members)
  encodings.set(members, encoded)
  return encoded
}

/** The reply as a Fetch API response. */
export function toResponse(reply: Reply): Response {
  return new Response(bodyOf(reply) || null, { status: reply.status, headers: reply.headers })
}
