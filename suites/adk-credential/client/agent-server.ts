/** ADK's REST API in front of the scripted agent, as `adk api_server` has it; every exchange is recorded. */

import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { cors } from 'hono/cors'
import { jsonOf, type Body, type Recorder } from '../../../harness/engine/index.ts'
import { answerHalfClosed, readBody, serverOptions } from '../../../harness/parties/index.ts'
import { fieldsOf, member, textIn, type Fields } from '../wire.ts'
import { madeCredential, type AtProvider } from './script.ts'
import { keyOf, partsIn, type Message, type Outcome, type ScriptedAgent } from './scripted-agent.ts'
import { apiChannel, consentChannel } from './vocabulary.ts'

export interface AgentServerParts {
  readonly recorder: Recorder
  readonly agent: ScriptedAgent
  readonly app: string
  readonly provider: AtProvider
  /** Told of a token that a callback was exchanged for, before it is sent. */
  readonly onToken: (token: string) => void
}

export interface AgentServer {
  /** Without a trailing slash. */
  readonly origin: string
  close(): Promise<void>
}

/** Exchanges that are recorded; further ones are answered 429. */
const mostExchanges = 1000

type Given = Response | Promise<Response>

/** Starts listening on a loopback port. */
export async function startAgentServer(parts: AgentServerParts): Promise<AgentServer> {
  const routes = createRoutes(parts)
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve(
      { fetch: routes.fetch, hostname: '127.0.0.1', port: 0, serverOptions },
      () => resolve(starting),
    )
    answerHalfClosed(starting)
    starting.once('error', reject)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

function createRoutes({ recorder, agent, app, provider, onToken }: AgentServerParts): Hono {
  let exchanges = 0
  const recorded =
    (
      channel: string,
      answer: (c: Context, body: Fields) => Given,
      callOf: (body: Fields) => string | undefined = () => undefined,
    ) =>
    async (c: Context): Promise<Response> => {
      if ((exchanges += 1) > mostExchanges) return c.body(null, 429)
      const body = await readBody(c.req.raw)
      const fields = fieldsOf(jsonOf(body))
      const call = callOf(fields)
      const place = {
        channel,
        exchange: recorder.newExchange(),
        ...(call === undefined ? {} : { call }),
      }
      const { method, url } = c.req
      const sent = body.bytes > 0 ? { body } : {}
      recorder.record({ type: 'request', ...place, method, url, headers: c.req.header(), ...sent })
      const response = await answer(c, fields)
      const text = await response.clone().text()
      const headers = Object.fromEntries(response.headers)
      recorder.record({
        type: 'response',
        ...place,
        status: response.status,
        headers,
        body: bodyFor(text),
      })
      return response
    }
  const messageIn = (body: Fields): Message => {
    const [name, user, session] = ['appName', 'userId', 'sessionId'].map((each) =>
      textIn(member(body, each)),
    )
    return { key: keyOf(name ?? '', user ?? '', session ?? ''), parts: partsIn(body) }
  }
  const run = (say: (c: Context, outcome: Outcome) => Response) =>
    recorded(
      apiChannel,
      async (c, body) => {
        const message = messageIn(body)
        if (!agent.session(message.key)) return c.json({ detail: 'Session not found' }, 404)
        if (message.parts.length === 0) return c.json({ detail: 'newMessage has no parts' }, 422)
        const outcome = agent.take(message)
        await agent.until
        return say(c, outcome)
      },
      (body) => agent.callOf(messageIn(body)),
    )
  const created = (c: Context, id: string): Response => {
    const { user = '' } = c.req.param()
    if (c.req.param('app') !== app) return c.json({ detail: 'App not found' }, 404)
    const session = agent.openSession(app, user, id)
    return session ? c.json(session) : c.json({ detail: 'too many sessions' }, 429)
  }
  const routes = new Hono()
  // As with --allow_origins: a page may ask the agent by itself.
  routes.use(cors())
  const sessions = '/apps/:app/users/:user/sessions'
  routes.get(
    '/list-apps',
    recorded(apiChannel, (c) => c.json([app])),
  )
  routes.get(
    '/health',
    recorded(apiChannel, (c) => c.json({ status: 'ok' })),
  )
  routes.get(
    '/version',
    recorded(apiChannel, (c) => c.json({ version: '2.13.0' })),
  )
  routes.post(
    sessions,
    recorded(apiChannel, (c, body) => {
      const wanted = textIn(member(body, 'sessionId'))
      return created(c, wanted ?? randomBytes(8).toString('hex'))
    }),
  )
  routes.get(
    sessions,
    recorded(apiChannel, (c) => {
      const { app: name = '', user = '' } = c.req.param()
      return c.json(agent.sessionsOf(name, user))
    }),
  )
  routes.post(
    `${sessions}/:id`,
    recorded(apiChannel, (c) => created(c, c.req.param('id') ?? '')),
  )
  routes.get(
    `${sessions}/:id`,
    recorded(apiChannel, (c) => {
      const { app: name = '', user = '', id = '' } = c.req.param()
      const session = agent.session(keyOf(name, user, id))
      return session ? c.json(session) : c.json({ detail: 'Session not found' }, 404)
    }),
  )
  routes.post('/run', run(inOneArray))
  routes.post('/run_sse', run(asStream))
  routes.post(
    '/consent/begin',
    recorded(
      consentChannel,
      (c, body) => {
        const ask = agent.askOf(fieldsOf(member(body, 'authConfig')))
        if (!ask) return c.json({ error: 'no such credential request' }, 404)
        return c.json({ authUri: ask.authUri, flowId: ask.id })
      },
      (body) => agent.askOf(fieldsOf(member(body, 'authConfig')))?.call,
    ),
  )
  routes.post(
    '/consent/complete',
    recorded(
      consentChannel,
      (c, body) => {
        const ask = agent.askById(textIn(member(body, 'flowId')) ?? '')
        if (!ask || body['state'] !== ask.state || !textIn(body['code']))
          return c.json({ error: 'this is not a callback of a pending request' }, 400)
        const token = `at_${randomBytes(24).toString('base64url')}`
        onToken(token)
        return c.json({ credential: madeCredential(provider.clientId, token) })
      },
      (body) => agent.askById(textIn(member(body, 'flowId')) ?? '')?.call,
    ),
  )
  routes.notFound(recorded(apiChannel, (c) => c.json({ detail: 'Not Found' }, 404)))
  return routes
}

function inOneArray(c: Context, outcome: Outcome): Response {
  if ('events' in outcome) return c.json(outcome.events)
  return c.text(outcome.error, outcome.status as 500)
}

/** A failing turn is part of a stream that is fine. */
function asStream(c: Context, outcome: Outcome): Response {
  const events = 'events' in outcome ? outcome.events : [{ error: outcome.error }]
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return c.body(`: keep-alive\n\n${text}`, 200, { 'content-type': 'text/event-stream' })
}

function bodyFor(text: string): Body {
  return { text, bytes: Buffer.byteLength(text) }
}
