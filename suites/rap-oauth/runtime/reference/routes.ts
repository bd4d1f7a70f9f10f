/** The HTTP side: what users call, and what tools call back. */

import { Hono } from 'hono'
import { z } from 'zod'

import { cancelCalls } from './abandon.ts'
import { acceptMessage } from './accept-message.ts'
import type { UserEvent } from './events.ts'
import { receiveCallback } from './receive-callback.ts'
import { requireJson } from './require-json.ts'
import { streamEvents } from './stream-events.ts'
import type { Work } from './work.ts'

const conversationSchema = z
  .string()
  .max(256)
  .regex(/^[^\p{C}]+$/u)
const messageSchema = z.object({ text: z.string().min(1), user_id: z.string().nullish() })
const afterSchema = z.coerce.number().int().nonnegative().catch(0)

export function createRoutes(work: Work): Hono {
  const { parts, store } = work
  const app = new Hono()

  // ------------------------------------------------------------- for users
  app.use('/conversations/:id/*', async (http, next) => {
    if (conversationSchema.safeParse(http.req.param('id')).success) return next()
    return http.json({ error: 'not a conversation id' }, 400)
  })
  app.post('/conversations/:id/messages', requireJson, async (http) => {
    const body = messageSchema.safeParse(await http.req.json().catch(() => undefined))
    if (!body.success) return http.json({ error: 'needs "text", and maybe "user_id"' }, 400)
    acceptMessage(work, http.req.param('id'), body.data.text, body.data.user_id ?? null)
    return http.json({ accepted: true }, 202)
  })
  app.post('/conversations/:id/chat', requireJson, async (http) => {
    const body = messageSchema.safeParse(await http.req.json().catch(() => undefined))
    if (!body.success) return http.json({ error: 'needs "text", and maybe "user_id"' }, 400)
    const id = http.req.param('id')
    const before = store.eventsAfter(id, 0).at(-1)?.seq ?? 0
    acceptMessage(work, id, body.data.text, body.data.user_id ?? null)
    return streamEvents(work, http, id, before, ({ type }) => isOver(id, type))
  })
  app.get('/conversations/:id/events', (http) => {
    const after = afterSchema.parse(http.req.query('after'))
    // The list may hold a link that is the user's alone.
    return http.json(store.eventsAfter(http.req.param('id'), after), 200, {
      'cache-control': 'no-store',
    })
  })
  app.get('/conversations/:id/stream', (http) => {
    const last = http.req.header('last-event-id') ?? http.req.query('after')
    return streamEvents(work, http, http.req.param('id'), afterSchema.parse(last))
  })
  app.post('/conversations/:id/cancel', (http) =>
    http.json({ cancelled: cancelCalls(work, http.req.param('id')) }),
  )

  /** What the model says when no call is left ends the turn, and so does what went wrong. */
  function isOver(conversation: string, type: UserEvent['type']): boolean {
    const isWord = type === 'assistant_text' || type === 'error'
    return isWord && store.openCalls(conversation).length === 0
  }

  // ------------------------------------------------------------- for tools
  app.post('/callbacks/:token', parts.guardCallback, async (http) => {
    const { status, body } = receiveCallback(work, http.req.param('token'), await http.req.text())
    return http.json(body, status)
  })

  // The message of an unexpected error may quote what the request carried.
  app.onError((_error, http) => {
    parts.log({ event: 'internal-error' })
    return http.json({ error: 'internal error' }, 500)
  })
  return app
}
