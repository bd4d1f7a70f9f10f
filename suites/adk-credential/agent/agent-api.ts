/** How the client application speaks to an agent: every exchange is bounded and recorded, and nothing that comes back is believed. */

import type { Recorder, Run } from '../../../harness/engine/index.ts'
import { HttpFailure, type Deployment, type HttpResponse } from '../../../harness/parties/index.ts'
import type { AgentConfiguration } from './configuration.ts'
import type { Fields } from '../wire.ts'

/** Where the client application speaks to the agent; where it has a credential made, in the dialect of responses. */
export type ApiChannel = 'api' | 'consent'

export type Answered = HttpResponse | HttpFailure

/** Whose message it is, and in which session. */
export interface Speaker {
  readonly user: string
  readonly session: string
}

/** Speaks for the users of one scenario. What fails is recorded, and returned as an HttpFailure. */
export interface AgentApi {
  readonly createSession: (speaker: Speaker) => Promise<unknown>
  /** The session as the agent keeps it. */
  readonly readSession: (speaker: Speaker) => Promise<Answered>
  /** Sends a message of a user, for an invocation where it resumes one; the answer has the events that come of it. */
  readonly send: (
    speaker: Speaker,
    parts: readonly Fields[],
    call: string,
    invocation?: string,
  ) => Promise<Answered>
  /** One of the two steps by which a credential is made. */
  readonly consent: (step: 'begin' | 'complete', body: Fields, call: string) => Promise<Answered>
}

/** What is asked of the agent, as it is recorded. */
export interface Asked {
  readonly channel: ApiChannel
  readonly call?: string | undefined
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string | undefined
}

/** Records a request and what comes of it. */
export async function recordExchange(
  recorder: Recorder,
  { channel, call, method, url, headers, text }: Asked,
  ask: () => Promise<HttpResponse>,
): Promise<Answered> {
  const place = { channel, exchange: recorder.newExchange(), ...(call ? { call } : {}) }
  const sent = text === undefined ? {} : { body: { text, bytes: Buffer.byteLength(text) } }
  recorder.record({ type: 'request', ...place, method, url, headers, ...sent })
  try {
    const answer = await ask()
    recorder.record({ type: 'response', ...place, ...answer })
    return answer
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
    return error
  }
}

/** Milliseconds that an exchange may take: longer than scenarios wait, so that they give up before the connection does. */
export function longestExchange({ timing }: Run): number {
  return timing.maxWaitMs + 2 * timing.stepMs
}

export interface ApiParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly deployment: Deployment
  readonly configuration: AgentConfiguration
  readonly app: string
}

/** ADK's REST API. */
export function restApi({ recorder, run, deployment, configuration, app }: ApiParts): AgentApi {
  const { prefix, streaming, consent } = configuration.api
  const { url: base, headers: own } = deployment.implementation
  const exchange = (
    place: Pick<Asked, 'channel' | 'call'>,
    method: string,
    path: string,
    body?: Fields,
  ): Promise<Answered> => {
    const url = new URL(path, `${base}/`).href
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...own,
      accept: 'application/json, text/event-stream',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const within = longestExchange(run)
    return recordExchange(recorder, { ...place, method, url, headers, text }, () =>
      deployment.transport({ method, url, headers, body: text, signal: run.signal, within }),
    )
  }
  const part = encodeURIComponent
  const sessionPath = ({ user, session }: Speaker): string =>
    `${prefix}/apps/${part(app)}/users/${part(user)}/sessions/${part(session)}`
  const api = { channel: 'api' } as const
  return {
    createSession: (speaker) => exchange(api, 'POST', sessionPath(speaker), {}),
    readSession: (speaker) => exchange(api, 'GET', sessionPath(speaker)),
    send({ user, session }, parts, call, invocation) {
      const newMessage = { role: 'user', parts }
      const resumed = invocation === undefined ? {} : { invocationId: invocation }
      const whose = { appName: app, userId: user, sessionId: session }
      const body = { ...whose, newMessage, streaming, ...resumed }
      const path = prefix + (streaming ? '/run_sse' : '/run')
      return exchange({ channel: 'api', call }, 'POST', path, body)
    },
    consent(step, body, call) {
      const route = consent && 'begin' in consent ? consent[step] : ''
      return exchange({ channel: 'consent', call }, 'POST', route, body)
    },
  }
}
