/** An endpoint of ours to which a runtime posts what its user is to see. */

import type { AddressInfo } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { readBody } from '../callback-receiver.ts'
import type { Sighted } from './surface.ts'
import { answerHalfClosed, serverOptions } from '../server-options.ts'

/** A running endpoint to which a runtime posts. */
export interface Webhook {
  readonly url: string
  close(): Promise<void>
}

/** The fields of a form, which may be files, or all of what was posted. */
async function textsOf(body: string, type = ''): Promise<readonly string[]> {
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return [body]
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    return await Promise.all(
      [...form.values()].map(async (each) => (typeof each === 'string' ? each : each.text())),
    )
  } catch {
    return [body]
  }
}

/** Starts listening on a loopback port; every body that arrives is reported and answered 200. */
export async function startWebhook(
  port: number,
  onText: (sighted: Sighted) => void,
): Promise<Webhook> {
  const app = new Hono()
  app.all('*', async (c) => {
    const { text } = await readBody(c.req.raw)
    for (const each of await textsOf(text, c.req.header('content-type')))
      if (each !== '') onText({ source: 'webhook', text: each })
    return c.json({ ok: true })
  })
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, hostname: '127.0.0.1', port, serverOptions }, () =>
      resolve(starting),
    )
    answerHalfClosed(starting)
    starting.once('error', reject)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shown`,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}
