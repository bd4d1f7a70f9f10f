/** The routes of the client application: its page, what the page asks for, and the callback. */

import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Client } from './client.ts'
import type { Config } from './environment.ts'
import { page, pageHeaders, script } from './page.ts'

/** Who speaks: whoever deploys this puts a login before it, which says so. */
function userOf(c: Context): string {
  return c.req.query('user') ?? 'user-1'
}

export function createRoutes(client: Client, { publicUrl }: Config): Hono {
  const routes = new Hono()
  routes.get('/', (c) => c.body(page, 200, pageHeaders))
  routes.get('/page.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript' }))
  routes.get('/messages', (c) => c.json({ items: client.itemsOf(userOf(c)) }))
  // JSON alone: a form of another site cannot send it without asking first.
  routes.post('/messages', bodyLimit({ maxSize: 64 * 1024 }), async (c) => {
    if (!/^application\/json\b/.test(c.req.header('content-type') ?? '')) return c.body(null, 415)
    const { text } = await c.req.json<{ text?: unknown }>().catch(() => ({ text: undefined }))
    if (typeof text !== 'string' || text === '') return c.body(null, 400)
    await client.say(userOf(c), text)
    return client.answerMessage(userOf(c))
  })
  routes.get('/leads/:key', (c) => {
    return client.leadsTo(c.req.param('key')) ?? c.notFound()
  })
  routes.get('/callback', async (c) => {
    const { search } = new URL(c.req.url)
    if (!client.mayComeBack(c.req.header('cookie') ?? '')) return c.body(null, 403)
    const { found, page: text } = await client.comeBack(`${publicUrl}/callback${search}`)
    const next = client.goesOnTo()
    if (next !== undefined) return c.redirect(next)
    return c.body(text, found ? 200 : 400, pageHeaders)
  })
  return routes
}
