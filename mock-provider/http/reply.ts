/** Replies as plain data: faults can alter them and the log can record them before they are sent. */

/** A response before it is sent. */
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

const constants = new WeakMap<object, string>()

/** The members, which will never change: they are encoded once. */
export function constant<T extends object>(members: T): T {
  if (!constants.has(members)) constants.set(members, JSON.stringify(members))
  return members
}

/** The body of a reply as it is sent. */
export function bodyOf({ text, json: members }: Reply): string {
  if (text !== undefined || !members) return text ?? ''
  return constants.get(members) ?? JSON.stringify(members)
}

/** The reply as a Fetch API response. */
export function toResponse(reply: Reply, body = bodyOf(reply)): Response {
  return new Response(body || null, { status: reply.status, headers: reply.headers })
}
