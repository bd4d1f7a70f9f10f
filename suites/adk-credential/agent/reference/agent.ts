/** The agent application behind ADK's REST API: sessions, `/run`, `/run_sse`, and the consent leg of the other dialect. */

import { Hono, type Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { boundFetch } from './bound-fetch.ts'
import { consentRoutes } from './consent.ts'
import type { Config } from './environment.ts'
import { invoke, type Message } from './invocation.ts'
import { defaultParts, type Parts } from './parts.ts'
import { loadKey, sealedFiles } from './sealed-files.ts'
import { createSessions } from './session.ts'
import type { Fields } from './tools.ts'
import type { Work } from './work.ts'

export const appName = 'items'

const modelTimeoutMs = 60_000

const partSchema = z.object({
  text: z.string().optional(),
  functionResponse: z
    .object({
      id: z.string().default(''),
      name: z.string().default(''),
      response: z.unknown().optional(),
    })
    .optional(),
})
const runSchema = z.object({
  appName: z.string(),
  userId: z.string().min(1),
  sessionId: z.string().min(1),
  newMessage: z.object({ role: z.string().optional(), parts: z.array(partSchema) }),
  streaming: z.boolean().default(false),
  invocationId: z.string().optional(),
})

/** The agent as a fetch handler. With `parts` some of its steps are replaced. */
export function createAgent(config: Config, parts: Partial<Parts> = {}): Hono {
  const all: Parts = { ...defaultParts, ...parts }
  const records = sealedFiles(config.dataDir, all.createCipher(loadKey(config.dataDir)))
  const work: Work = {
    config,
    parts: all,
    fetch: boundFetch(config.upstreamTimeoutMs),
    askFetch: boundFetch(modelTimeoutMs),
    records,
    sessions: createSessions(records, all.sessionName),
    queue: all.createQueue(),
  }
  const app = new Hono()
  app.get('/health', (c) => c.json({ status: 'ok' }))
  app.get('/list-apps', (c) => c.json([appName]))

  const path = '/apps/:app/users/:user/sessions'
  app.post(`${path}/:session?`, (c) => {
    const { app: name, user, session: id = all.newId() } = c.req.param()
    if (name !== appName) return c.json({ detail: 'App not found' }, 404)
    if (work.sessions.find(name, user, id)) return c.json({ detail: 'Session exists' }, 409)
    return c.json(all.describeSession(work.sessions.create(name, user, id)))
  })
  app.get(`${path}/:session`, (c) => {
    const { app: name, user, session: id } = c.req.param()
    const session = work.sessions.find(name, user, id)
    return session ? c.json(all.describeSession(session)) : c.json({ detail: 'Not found' }, 404)
  })

  app.post('/run', async (c) => {
    const events = await run(work, c)
    return events instanceof Response ? events : c.json(events)
  })
  // By then the status of a stream is sent: what fails is said in it.
  app.post('/run_sse', async (c) => {
    const events = await run(work, c).catch((): Fields[] => {
      all.log({ event: 'internal-error' })
      return [{ error: 'Internal Server Error' }]
    })
    if (events instanceof Response) return events
    const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
    return c.body(frames.join(''), 200, { 'content-type': 'text/event-stream' })
  })

  if (config.dialect === 'response') app.route('/consent', consentRoutes(work))
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse()
    all.log({ event: 'internal-error' })
    return c.json({ detail: 'Internal Server Error' }, 500)
  })
  return app
}

/** The events of a message, or why it is refused. */
async function run(work: Work, c: Context): Promise<Fields[] | Response> {
  const read = runSchema.safeParse(await c.req.json().catch(() => undefined))
  if (!read.success) return c.json({ detail: 'Unprocessable' }, 422)
  const { appName: name, userId, sessionId, newMessage, streaming, invocationId } = read.data
  const about = `session ${JSON.stringify([name, userId, sessionId])}`
  // One message after the other: two answers at once must not redeem one code twice.
  return work.queue(about, async () => {
    const session = work.sessions.find(name, userId, sessionId)
    if (!session) return c.json({ detail: 'Session not found' }, 404)
    const events = await invoke(work, session, messageOf(newMessage.parts, invocationId))
    return streaming ? events.flatMap(inPieces) : events
  })
}

function messageOf(parts: readonly z.infer<typeof partSchema>[], invocationId?: string): Message {
  const text = parts.flatMap((part) => part.text ?? []).join('\n')
  const answers = parts.flatMap(({ functionResponse }) => {
    if (!functionResponse) return []
    const { id, name, response } = functionResponse
    const fields = z.record(z.string(), z.unknown()).safeParse(response)
    return [{ id, name, response: fields.data ?? {}, invocationId }]
  })
  return { text, answers }
}

/** A text that is streamed comes twice: in a piece that is partial, and as a whole. */
function inPieces(event: Fields): Fields[] {
  const { content } = event as { content?: { parts?: { text?: string }[] } }
  const isText = content?.parts?.every(({ text }) => text !== undefined) === true
  return isText ? [{ ...event, partial: true }, event] : [event]
}
