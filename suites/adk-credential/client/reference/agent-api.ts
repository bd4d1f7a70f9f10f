/** The REST API of the agent, as this client application uses it. */

import type { Config } from './environment.ts'
import { fieldsOf, readEvents } from './events.ts'
import type { Fields, Session } from './work.ts'

/** Milliseconds that a turn of the agent may take. */
const turnTimeout = 120_000

async function post(url: string, body: Fields): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(turnTimeout),
  })
  if (response.ok) return response
  await response.body?.cancel()
  throw new Error(`the agent answered ${response.status}`)
}

/** Opens a session of a user. */
export async function createSession({ agentUrl, app }: Config, user: string): Promise<Session> {
  const url = `${agentUrl}/apps/${encodeURIComponent(app)}/users/${encodeURIComponent(user)}/sessions`
  const { id } = fieldsOf(await (await post(url, {})).json())
  if (typeof id !== 'string') throw new Error('the agent opened no session')
  return { user, id }
}

/** Sends a message of a user and gives the events that come of it. */
export async function runTurn(
  { agentUrl, app, transport }: Config,
  session: Session,
  parts: readonly Fields[],
): Promise<Fields[]> {
  const response = await post(`${agentUrl}/${transport}`, {
    appName: app,
    userId: session.user,
    sessionId: session.id,
    newMessage: { role: 'user', parts },
    streaming: transport === 'run_sse',
  })
  return readEvents(await response.text(), response.headers.get('content-type') ?? '')
}

/** Calls one of the two routes of an agent that asks by responses. */
export async function postConsent(url: string, body: Fields): Promise<Fields> {
  return fieldsOf(await (await post(url, body)).json())
}
