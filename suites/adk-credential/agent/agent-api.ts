/** A client of ADK's REST API: every exchange is bounded and recorded, and nothing that comes back is believed. */

import type { Recorder, Run } from '../../../harness/engine/index.ts'
import { HttpFailure, type Deployment, type HttpResponse } from '../../../harness/parties/index.ts'
import type { AgentConfiguration } from './configuration.ts'
import type { Fields } from '../wire.ts'

/** Where the client application speaks to the agent; where it has a credential made, in the dialect of responses. */
export type ApiChannel = 'api' | 'consent'

export interface ApiParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly deployment: Deployment
  readonly configuration: AgentConfiguration
  readonly app: string
}

export type Answered = HttpResponse | HttpFailure

/** Speaks for one user in one scenario. What fails is recorded, and returned as an HttpFailure. */
export class AgentApi {
  readonly #parts: ApiParts

  constructor(parts: ApiParts) {
    this.#parts = parts
  }

  createSession(user: string, session: string): Promise<Answered> {
    return this.#exchange('api', 'POST', this.#sessionPath(user, session), {})
  }

  /** The session as the agent keeps it. */
  readSession(user: string, session: string): Promise<Answered> {
    return this.#exchange('api', 'GET', this.#sessionPath(user, session))
  }

  /** Sends a message of a user; the answer has the events that come of it. */
  send(
    { user, session }: { readonly user: string; readonly session: string },
    parts: readonly Fields[],
    call: string,
  ): Promise<Answered> {
    const { app, configuration } = this.#parts
    const { streaming } = configuration.api
    const body = {
      appName: app,
      userId: user,
      sessionId: session,
      newMessage: { role: 'user', parts },
      streaming,
    }
    return this.#exchange('api', 'POST', streaming ? '/run_sse' : '/run', body, call)
  }

  /** One of the two routes by which a credential is made. */
  consent(route: string, body: Fields, call: string): Promise<Answered> {
    return this.#exchange('consent', 'POST', route, body, call)
  }

  #sessionPath(user: string, session: string): string {
    const { app } = this.#parts
    const part = encodeURIComponent
    return `/apps/${part(app)}/users/${part(user)}/sessions/${part(session)}`
  }

  async #exchange(
    channel: ApiChannel,
    method: string,
    path: string,
    body?: Fields,
    call?: string,
  ): Promise<Answered> {
    const { recorder, run, deployment, configuration } = this.#parts
    const { url: base, headers: own } = deployment.implementation
    const prefix = channel === 'api' ? configuration.api.prefix : ''
    const url = new URL(prefix + path, `${base}/`).href
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...own,
      accept: 'application/json, text/event-stream',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const place = { channel, exchange: recorder.newExchange(), ...(call ? { call } : {}) }
    const sent = text === undefined ? {} : { body: { text, bytes: Buffer.byteLength(text) } }
    recorder.record({ type: 'request', ...place, method, url, headers, ...sent })
    try {
      const answer = await deployment.transport({
        method,
        url,
        headers,
        body: text,
        signal: run.signal,
        // Longer than scenarios wait, so that they give up before the connection does.
        within: run.timing.maxWaitMs + 2 * run.timing.stepMs,
      })
      recorder.record({ type: 'response', ...place, ...answer })
      return answer
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
      return error
    }
  }
}
