/** The MCP clients of a scenario: one for each revision and set of headers, with or without a token. */

import {
  NotOffered,
  Unreached,
  type Patience,
  type Recorder,
  type Run,
} from '../../../../harness/engine/index.ts'
import type { Deployment } from '../../../../harness/parties/index.ts'
import { mirroredArguments, type ToolToCall } from '../../server/discovery.ts'
import { httpLink, openClient } from '../../server/open-client.ts'
import { sessionOf } from '../../server/session-of.ts'
import type { McpClient } from '../../wire/client.ts'
import { saysSessionIsOver } from '../../wire/frames.ts'
import type { Session } from '../../wire/link.ts'
import type { Revision } from '../../wire/revisions.ts'
import { textIn } from '../../wire/values.ts'
import { callOf } from './view.ts'

type Headers = Readonly<Record<string, string>>

/** What a call is made with. */
export interface CallOptions {
  readonly revision?: Revision
  /** Sent in `Authorization`; default: none. */
  readonly token?: string
  /** How its scheme is written; default: Bearer. */
  readonly scheme?: string
  /** In place of what every request of the connection carries. */
  readonly caller?: Headers
  /** A token that the handshake of its session carried; the call itself goes without. */
  readonly begunWith?: string
  /** On the connection of TCP on which the others are that say so. */
  readonly keepAlive?: true
  /** What the call alone carries. */
  readonly headers?: Headers
  /** What its URL has besides. */
  readonly query?: Headers
}

export interface CallersParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly deployment: Deployment
  readonly endpoint: string
  readonly revision: Revision
  readonly tool: ToolToCall
  readonly patience: Patience
}

/** How clients name themselves, unless the vendor configured another name. */
const ownName = { 'user-agent': 'mcp-client/1.0.0' }

export class Callers {
  readonly #parts: CallersParts
  readonly #open = new Map<string, Promise<McpClient>>()
  #connections = 0
  #calls = 0

  constructor(parts: CallersParts) {
    this.#parts = parts
  }

  /** Calls the tool and waits for the answer, whatever it is; returns the name of the call. @throws Unreached */
  async call(options: CallOptions = {}): Promise<string> {
    const { recorder, run, tool } = this.#parts
    const { token } = options
    const name = `call-${++this.#calls}`
    const bearer = token === undefined ? undefined : run.ledger.find(token)?.id
    const detail = { name: tool.name, arguments: tool.arguments, bearer }
    recorder.record({ type: 'step', action: 'begin', call: name, detail })
    await this.again(name, options)
    return name
  }

  /** Tries a call again, which is judged by how this is answered. @throws Unreached */
  async again(name: string, options: CallOptions): Promise<void> {
    const { recorder } = this.#parts
    await this.#attempt(name, options)
    // A server may end a session when it learns who its client is: then the client begins a new one.
    if (this.#isWithoutSession(name)) await this.#attempt(name, options, true)
    const t = recorder.transcript()
    const { reply, http } = callOf(t, name)
    if (!reply && (http?.status ?? 200) < 300) {
      const why = textIn(t.steps('unanswered', name).at(-1)?.detail['reason'])
      throw new Unreached(`${name} was not answered: ${why}`)
    }
  }

  /** A client as it is when nobody has signed in. @throws Unreached */
  connect(): Promise<McpClient> {
    return this.#client({})
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#open.values())
    await Promise.all(
      clients.flatMap((each) => (each.status === 'fulfilled' ? [each.value.close()] : [])),
    )
  }

  async #attempt(name: string, options: CallOptions, anew = false): Promise<void> {
    const { tool } = this.#parts
    const { token, scheme = 'Bearer', headers, query } = options
    const client = await this.#client(options, anew)
    const authorization = token === undefined ? {} : { authorization: `${scheme} ${token}` }
    const params = { name: tool.name, arguments: tool.arguments }
    const revision = options.revision ?? this.#parts.revision
    const mirrored = mirroredArguments(tool, revision, tool.arguments)
    await client.request('tools/call', params, {
      call: name,
      headers: { ...mirrored, ...authorization, ...headers },
      query,
    })
  }

  #isWithoutSession(name: string): boolean {
    const { request, http } = callOf(this.#parts.recorder.transcript(), name)
    return request !== undefined && saysSessionIsOver(request.headers, http?.status)
  }

  #client(options: CallOptions, anew = false): Promise<McpClient> {
    const { revision, caller, token, begunWith, keepAlive } = options
    const key = JSON.stringify([revision, caller, anew && token, begunWith, keepAlive])
    const known = this.#open.get(key)
    if (known) return known
    const opened = begunWith === undefined ? this.#opened(options, anew) : this.#joined(begunWith)
    this.#open.set(key, opened)
    return opened
  }

  /** In the session of a client that signed in before its handshake. @throws Unreached, NotOffered */
  async #joined(token: string): Promise<McpClient> {
    const { recorder, revision } = this.#parts
    const first = await this.#client({ token }, true)
    const session = sessionOf(recorder.transcript(), first.name)
    if (session?.id === undefined) throw new NotOffered('it has no sessions')
    return this.#connect(revision, {}, { session })
  }

  #opened(
    { revision = this.#parts.revision, caller, token, keepAlive }: CallOptions,
    anew: boolean,
  ): Promise<McpClient> {
    const authorization =
      anew && token !== undefined ? { authorization: `Bearer ${token}` } : undefined
    return this.#connect(revision, { ...caller, ...authorization }, { keepAlive })
  }

  #connect(
    revision: Revision,
    further: Headers,
    { session, keepAlive }: { readonly session?: Session; readonly keepAlive?: true | undefined },
  ) {
    const { recorder, run, deployment, endpoint, patience } = this.#parts
    const name = `connection-${++this.#connections}`
    recorder.record({ type: 'step', action: 'connect', detail: { connection: name, revision } })
    const headers = { ...ownName, ...lowerCase(deployment.implementation.headers), ...further }
    const link = httpLink({ run, deployment, endpoint, headers, keepAlive })
    return openClient({ recorder, name, revision, capabilities: {}, patience, link }, { session })
  }
}

function lowerCase(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
