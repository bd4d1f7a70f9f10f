/** Which requests have their bodies read at all: JSON, at most a megabyte of it. */

import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { every } from 'hono/combine'

const limit = bodyLimit({
  maxSize: 1024 * 1024,
  onError: (http) => http.json({ error: 'request body too large' }, 413),
})

const mediaType: MiddlewareHandler = async (http, next) => {
  const [type = ''] = (http.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() === 'application/json') return next()
  return http.json({ error: 'content-type must be application/json' }, 415)
}

/** RAP, Transport: messages are JSON. What is not is refused before it is read. */
export const requireJson: MiddlewareHandler = every(limit, mediaType)
