/** The verbs that a scenario speaks: calls of the tool, and what the client answers to `auth/request`. */

import {
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Visit } from '../../../../harness/parties/index.ts'
import type { PendingCall } from '../../../oauth-client/pending-call.ts'
import { noteTokenUse, type User } from '../../../oauth-client/user.ts'
import { issuedGrants, upstreamAt } from '../../../oauth-client/view.ts'
import type { Connection, Connections, ConnectOptions } from '../../server/connections.ts'
import type { ToolToCall } from '../../server/discovery.ts'
import { endedUnasked } from '../../server/tool-calls.ts'
import { waitsOf, type Waits } from '../../server/waits.ts'
import type { ServerReply } from '../../wire/client.ts'
import type { Message } from '../../wire/json-rpc.ts'
import { withRedirectUri } from '../auth-request.ts'
import { callOf, mostAskings, type Asking, type CallView } from './view.ts'

type ServerRequest = Extract<Message, { readonly kind: 'request' }>

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly tool: ToolToCall
  readonly connections: Connections
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  readonly patience: Patience
}

/** A call of the tool. Its waiting verbs throw `Unreached` where nothing comes. */
export class Call implements PendingCall {
  readonly name: string
  readonly user: User
  readonly connection: Connection
  readonly #parts: CallParts
  readonly #waits: Waits<CallView>
  /** What the server asks for and waits for. */
  readonly #requests: ServerRequest[] = []
  /** The requests that were answered. */
  readonly #answered = new Set<unknown>()
  /** Those that waited as well when the latest one was answered: they ask for nothing anew. */
  #beside: readonly unknown[] = []
  /** The one whose URL the user has. */
  #handedOut: unknown
  #redirectUri: string | undefined

  constructor(name: string, user: User, options: ConnectOptions, parts: CallParts) {
    this.name = name
    this.user = user
    this.#parts = parts
    this.connection = parts.connections.of(user, options)
    this.#waits = waitsOf({ ...parts, name, connection: this.connection, callOf })
  }

  /**
   * Makes the call, and goes on without waiting. Where nothing but the order tells which call a request of the server
   * belongs to, it is made when the one before it was asked for, or has ended.
   */
  begin(after?: Call): void {
    const { recorder, tool } = this.#parts
    const detail = { user: this.user.id, connection: this.connection.name, ...tool }
    recorder.record({ type: 'step', action: 'begin', call: this.name, detail })
    const asking = async (): Promise<void> => {
      const client = await this.connection.opened
      await after?.answered().catch(() => undefined)
      await client.request('tools/call', { ...tool }, { call: this.name, within: Infinity })
    }
    asking().catch(() => undefined)
  }

  onRequest(request: ServerRequest): void {
    this.#requests.push(request)
  }

  async asked(): Promise<string> {
    const { patience } = this.#parts
    await this.#waits.ready()
    const found = await this.#waits
      .until(patience.within('message'), 'no URL', (call) => {
        const asking = this.#waiting(call).at(-1) ?? call.askings.at(-1)
        return asking ? { event: asking.frame.event, asking } : call.ended[0]
      })
      .catch((error: unknown) => {
        patience.learn('message', 0)
        throw error
      })
    const { request, replies } = this.view()
    if (request) patience.learn('message', found.event.t - request.t)
    if (!('asking' in found)) throw new Unreached(endedUnasked(this.name, replies.at(-1)))
    const { url } = found.asking.params
    if (typeof url !== 'string') throw new Unreached('the auth/request has no url')
    this.#handedOut = idOf(found.asking)
    return this.#redirectUri === undefined ? url : withRedirectUri(url, this.#redirectUri)
  }

  /** What it asks for and nobody has answered. */
  #waiting({ askings }: CallView): Asking[] {
    return askings.filter((each) => !this.#answered.has(idOf(each)))
  }

  /** From now on the client has the provider redirect there (SEP-1028, Redirect URI Selection). */
  select(redirectUri: string): void {
    this.#redirectUri = redirectUri
  }

  /** Answers the request whose URL its user has, or else the latest one; nothing is sent where none waits. */
  async answer(reply: ServerReply): Promise<boolean> {
    const client = await this.connection.opened
    const waiting = this.#requests.filter(({ id }) => !this.#answered.has(id))
    const request = waiting.find(({ id }) => id === this.#handedOut) ?? waiting.at(-1)
    if (request) {
      this.#answered.add(request.id)
      this.#beside = waiting.map(({ id }) => id)
      client.respond(request, reply, this.name)
    }
    return request !== undefined
  }

  /** Refuses whatever it asks for, alike every time, until it ends or has asked too often. */
  async refuse(refusing: () => Promise<unknown>): Promise<void> {
    for (let times = 0; times < mostAskings; times += 1) {
      await refusing()
      if (!(await this.#asksAgain())) return
    }
  }

  /** The user declines. */
  async decline(): Promise<void> {
    await this.asked()
    await this.answer({ result: {} })
  }

  /** Waits for another request; false where it ends instead, or does neither. */
  async #asksAgain(): Promise<boolean> {
    const { offSlot, run } = this.#parts
    const next = (call: CallView) => this.#waiting(call)[0]?.frame ?? call.ended[0]
    const what = 'neither another request nor an end'
    const found = await offSlot(this.#waits.until(run.timing.maxWaitMs, what, next)).catch(
      (error: unknown) => {
        if (!(error instanceof Unreached)) throw error
      },
    )
    return found !== undefined && 'message' in found
  }

  /** The browser stopped at the redirect, and the client hands its URL to the server. */
  async returned(url: string): Promise<Visit> {
    const { recorder } = this.#parts
    const place = { channel: 'browser', exchange: recorder.newExchange(), call: this.name } as const
    recorder.record({ type: 'request', ...place, method: 'GET', url, headers: {} })
    const before = reactionsOf(this.view())
    if (await this.answer({ result: { url } })) {
      await this.#reaction(before)
      // The page is the client's own; it comes when the server has made something of what it was given.
      recorder.record({ type: 'response', ...place, status: 200, headers: {} })
      return { ended: 'page', status: 200, url }
    }
    const reason = 'the server waits for no callback any more'
    recorder.record({ type: 'failure', ...place, code: 'not-awaited', message: reason })
    return { ended: 'failure', url, reason }
  }

  /** Waits until the server does anything about an answer, and no longer than it usually takes. */
  async #reaction(before: number): Promise<void> {
    const { run, patience } = this.#parts
    const begun = run.now()
    const isFound = await this.#look((call) => reactionsOf(call) > before)
    patience.learn('reaction', isFound ? run.now() - begun : 0)
  }

  async answered(): Promise<'asked' | 'ended'> {
    await this.#waits.ready()
    const { offSlot, run } = this.#parts
    const first = (call: CallView) => call.asked[0] ?? call.ended[0]
    const found = await offSlot(this.#waits.until(run.timing.maxWaitMs, 'no answer', first))
    return 'url' in found ? 'asked' : 'ended'
  }

  /**
   * Waits for its end. Whoever asks once more after a code was redeemed is given that authorization, too; after anything
   * else the user declines (docs/readings.md, MCP delegated authorization, 1).
   */
  async ended(within = this.#parts.run.timing.maxWaitMs): Promise<void> {
    await this.#waits.ready()
    const { offSlot, patience } = this.#parts
    const next = (call: CallView): unknown => call.ended[0] ?? this.#furtherAsking(call)
    try {
      for (let times = 0; times < mostAskings; times += 1) {
        await offSlot(this.#waits.until(within, 'no result', next))
        await this.#granted()
        const call = this.view()
        if (call.ended[0]) return
        if (issuedGrants(call).length >= this.#answered.size) await this.user.approveFurther(this)
        else await this.answer({ result: {} })
      }
    } finally {
      noteTokenUse(patience, this.view())
    }
  }

  /** Where another request waits beside the one that was answered: until that has its token, or the call ends. */
  async #granted(): Promise<void> {
    const further = this.#furtherAsking(this.view())
    if (!further || !this.#beside.includes(idOf(further))) return
    await this.#look(
      (call) => issuedGrants(call).length >= this.#answered.size || call.ended.length > 0,
    )
  }

  /** Looks for something, no longer than a reaction usually takes. */
  async #look(isThere: (call: CallView) => boolean): Promise<boolean> {
    const { recorder, run, lendSlot, patience } = this.#parts
    const { gone } = await this.connection.opened
    const look = (t: Transcript): true | undefined => isThere(callOf(t, this.name)) || undefined
    const waiting = recorder.waitFor(look, patience.within('reaction'), run.signal, gone)
    return (await lendSlot(waiting)) === true
  }

  #furtherAsking(call: CallView): Asking | undefined {
    return this.#answered.size > 0 ? this.#waiting(call)[0] : undefined
  }

  async settle(within = this.#parts.run.timing.maxWaitMs): Promise<void> {
    await this.ended(within).catch((error: unknown) => {
      if (!(error instanceof Unreached)) throw error
    })
  }

  async waitUntil(what: string, find: (call: CallView, t: Transcript) => unknown): Promise<void> {
    await this.#waits.ready()
    const { run, offSlot } = this.#parts
    const look = (call: CallView, t: Transcript): unknown => find(call, t) || undefined
    await offSlot(this.#waits.until(run.timing.maxWaitMs, what, look))
  }

  /** The call as it is recorded by now. */
  view(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }
}

/** What the answer to it names. */
function idOf({ frame }: Asking): unknown {
  return frame.message.value['id']
}

/** What a server does when it got an answer: it ends the call, asks anew, or goes to the token endpoint. */
function reactionsOf(call: CallView): number {
  return call.ended.length + call.askings.length + upstreamAt(call, '/token').length
}
