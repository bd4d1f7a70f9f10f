/** The verbs that a scenario speaks: calls of the tool, as an MCP client makes them. */

import { setTimeout as delay } from 'node:timers/promises'
import {
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { PendingCall } from '../../../oauth-client/pending-call.ts'
import { noteTokenUse, type User } from '../../../oauth-client/user.ts'
import { issuedGrants } from '../../../oauth-client/view.ts'
import type { Message } from '../../wire/json-rpc.ts'
import { isRecord, membersOf } from '../../wire/values.ts'
import { completes, isUrlMode, urlMode } from '../elicitation.ts'
import type { Connection, Connections, ConnectOptions } from '../../server/connections.ts'
import { mirroredArguments, type ToolToCall } from '../../server/discovery.ts'
import { endedUnasked } from '../../server/tool-calls.ts'
import { waitsOf, type Waits } from '../../server/waits.ts'
import { serverFrames } from '../../wire/frames.ts'
import { hasHandshake } from '../../wire/revisions.ts'
import { callOf, endedUnserved, retryDue, servedSince, type CallView } from './view.ts'

/** What the user of a client does with what is asked: the three actions, or the client fails to process it. */
export type Answer = 'accept' | 'decline' | 'cancel' | 'error'

export interface CallOptions extends ConnectOptions {
  /** What every attempt has beside the name and the arguments of the tool. */
  readonly params?: Readonly<Record<string, unknown>>
}

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly tool: ToolToCall
  readonly connections: Connections
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  readonly patience: Patience
  /** Has the browser of a user logged in at the server, where that is declared. */
  readonly login: (user: User) => Promise<void>
}

type Asked = CallView['asked'][number]
type ServerRequest = Extract<Message, { readonly kind: 'request' }>

/** Milliseconds before a call is tried again the first time; doubled for each time after it. */
const firstPause = 250
/** How many consents a user gives for one call. */
const mostConsents = 5
/** How many requests of the server are answered in one call: whoever asks for ever would be answered for ever. */
const mostAnswers = 20

/** A call of the tool. Its waiting verbs throw `Unreached` where nothing comes. */
export class Call implements PendingCall {
  readonly name: string
  readonly user: User
  readonly connection: Connection
  readonly #parts: CallParts
  readonly #options: CallOptions
  readonly #waits: Waits<CallView>
  readonly #requests: ServerRequest[] = []
  /** The URLs that the user was sent to. */
  readonly #visited = new Set<unknown>()
  /** Those of them that are over and done with: a page was all that they led to. */
  readonly #seen = new Set<unknown>()
  #answer: Answer | undefined
  #answers = 0
  #retries = 0

  constructor(name: string, user: User, options: CallOptions, parts: CallParts) {
    this.name = name
    this.user = user
    this.#parts = parts
    this.#options = options
    this.connection = parts.connections.of(user, options)
    this.#waits = waitsOf({ ...parts, name, connection: this.connection, callOf })
  }

  /** Makes the first attempt. */
  begin(): void {
    const { recorder, tool } = this.#parts
    const detail = {
      user: this.user.id,
      connection: this.connection.name,
      name: tool.name,
      arguments: tool.arguments,
    }
    recorder.record({ type: 'step', action: 'begin', call: this.name, detail })
    this.#attempt({})
  }

  /** A request of the server in this call: a form cannot be filled in, a URL waits for what the user says. */
  onRequest(request: ServerRequest): void {
    this.#requests.push(request)
    if (this.#answer !== undefined || !isUrlRequest(request)) void this.#respond()
  }

  /** The requests of the server that its user has not answered. */
  get pending(): readonly Pick<ServerRequest, 'id'>[] {
    return this.#requests
  }

  async asked(): Promise<string> {
    const url = await this.awaitUrl()
    this.#visited.add(url)
    await this.answer('accept')
    await this.#parts.login(this.user)
    return url
  }

  async askedNext(url: string): Promise<string | undefined> {
    const { recorder, run, lendSlot } = this.#parts
    this.#seen.add(url)
    const look = (t: Transcript) => {
      const call = callOf(t, this.name)
      return this.#unopened(call) ?? call.ended[0]
    }
    const found = await lendSlot(recorder.waitFor(look, run.timing.observeMs, run.signal))
    return found !== undefined && 'url' in found ? this.asked() : undefined
  }

  /** What is asked beside, or after, what the user was sent to. */
  #unopened({ asked }: CallView): Asked | undefined {
    const last = asked.findLastIndex(({ url }) => this.#visited.has(url))
    return asked.find(
      ({ url, event }, index) =>
        typeof url === 'string' &&
        !this.#visited.has(url) &&
        (index > last || event === asked[last]?.event),
    )
  }

  /** The latest that was asked, but of those that were asked together one that is not done with. */
  #unseen(asked: readonly Asked[]): Asked | undefined {
    const last = asked.at(-1)
    return asked.findLast(({ url, event }) => event === last?.event && !this.#seen.has(url)) ?? last
  }

  /** Waits for the URL, and leaves what was asked unanswered. */
  async awaitUrl(): Promise<string> {
    const { patience } = this.#parts
    await this.#waits.ready()
    const within = Math.max(patience.within('message'), this.connection.startsWithin)
    const first = await this.#waits
      .until(within, 'no URL', ({ asked, ended }) => {
        return this.#unseen(asked) ?? ended[0]
      })
      .catch((error: unknown) => {
        patience.learn('message', 0)
        throw error
      })
    const found = 'url' in first ? first : ((await this.#askedLate()) ?? first)
    const { request, replies } = this.view()
    if (request) patience.learn('message', found.event.t - request.t)
    if (!('url' in found)) throw new Unreached(endedUnasked(this.name, replies.at(-1)))
    if (typeof found.url !== 'string') throw new Unreached('the elicitation has no url')
    return found.url
  }

  /** Answers what is asked, and what will be; an error asks for no answer, and a result for one with the retry. */
  async answer(answer: Answer): Promise<void> {
    this.#answer = answer
    await this.#respond()
  }

  async answered(): Promise<'asked' | 'ended'> {
    await this.#waits.ready()
    const { offSlot, run } = this.#parts
    const first = (call: CallView) => call.asked[0] ?? call.ended[0]
    const found = await offSlot(this.#waits.until(run.timing.maxWaitMs, 'no answer', first))
    if ('url' in found) return 'asked'
    if (servedSince(this.view(), this.#parts.recorder.transcript())) return 'ended'
    return (await offSlot(this.#askedLate())) ? 'asked' : 'ended'
  }

  /**
   * Waits as long as the run watches for what is asked when the call has ended already: requests of the server need not
   * belong to one of the client (2025-11-25, Transports, Listening for Messages from the Server).
   */
  async #askedLate(): Promise<Asked | undefined> {
    const { recorder, run } = this.#parts
    const within = hasHandshake(this.connection.revision) ? run.timing.observeMs : 0
    const look = (t: Transcript) => callOf(t, this.name).asked.at(-1)
    const found = await recorder.waitFor(look, within, run.signal)
    if (!found)
      recorder.record({ type: 'step', action: 'not-asked', call: this.name, detail: { within } })
    return found
  }

  async ended(within = this.#parts.run.timing.maxWaitMs): Promise<void> {
    await this.#waits.ready()
    const { offSlot, patience } = this.#parts
    await offSlot(this.#end(within)).finally(() => {
      noteTokenUse(patience, this.view())
    })
  }

  async settle(within = this.#parts.run.timing.maxWaitMs): Promise<void> {
    await this.ended(within).catch((error: unknown) => {
      if (!(error instanceof Unreached)) throw error
    })
  }

  /** Tries again at once, with what the server wants to have then. */
  async retry(changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.#waits.ready()
    if (retryDue(this.view())) this.#attempt({ ...this.retryParams(), ...changes })
  }

  /** What the retry would carry that is due. */
  retryParams(): Readonly<Record<string, unknown>> {
    const due = retryDue(this.view())
    return due ? this.#answersTo(due.message) : {}
  }

  /** Waits until something stands in the recording of this call. */
  async waitUntil(what: string, find: (call: CallView, t: Transcript) => unknown): Promise<void> {
    await this.#waits.ready()
    const { run, offSlot } = this.#parts
    const look = (call: CallView, t: Transcript): unknown => find(call, t) || undefined
    await offSlot(this.#waits.until(run.timing.maxWaitMs, what, look))
  }

  /** Waits until the first attempt is on its way. */
  async arrived(): Promise<void> {
    await this.waitUntil('the call was not made', ({ request }) => request)
  }

  /** The call as it is recorded by now. */
  view(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }

  /** Whoever asks once more after a code was redeemed is given that authorization, too. */
  async #end(within: number): Promise<void> {
    const { run } = this.#parts
    const deadline = run.now() + within
    for (let pause = firstPause; ; pause *= 2) {
      const left = Math.max(0, deadline - run.now())
      const found = await this.#waits.until(left, 'no result', (call) => {
        if (this.#asksFurther(call)) return 'further'
        return call.ended[0] ?? (retryDue(call) ? 'retry' : undefined)
      })
      if (found === 'further') {
        await this.user.approveFurther(this)
        continue
      }
      const unserved = endedUnserved(this.view(), this.#parts.recorder.transcript())
      if (found !== 'retry' && !unserved) return
      if (pause > left) throw new Unreached(`${this.name} asks again and again`)
      await this.#openOthers()
      await this.#completed(pause)
      if (unserved) this.#attempt({})
      else await this.retry()
      this.#retries += 1
    }
  }

  /** Opens what was asked together with what was authorized: all of it is required (2025-11-25, Error Handling). */
  async #openOthers(): Promise<void> {
    const { asked, grants } = this.view()
    const opened = asked.findLast(({ url }) => this.#visited.has(url))
    const isOther = ({ url, event }: Asked): boolean =>
      event === opened?.event && !this.#visited.has(url)
    if (issuedGrants({ grants }).length === 0 || !asked.some(isOther)) return
    for (const url of this.#visited) this.#seen.add(url)
    await this.user.approveFurther(this)
  }

  /** An error that asks anew is none of it: a retry may have come before the server knew of the code. */
  #asksFurther(call: CallView): boolean {
    const { asked, askings, ended } = call
    const url = asked.at(-1)?.url
    const isRequest = askings.at(-1)?.how === 'request'
    if (ended.length > 0 || !isRequest || typeof url !== 'string') return false
    const visited = this.#visited.size
    const isRedeemed = visited > 0 && issuedGrants(call).length >= visited - this.#seen.size
    return isRedeemed && visited < mostConsents && !this.#visited.has(url)
  }

  /** Waits until the server says that the interaction is complete, and no longer than that. */
  async #completed(within: number): Promise<void> {
    const { recorder, run } = this.#parts
    const { askings } = this.view()
    const ids = askings.map(({ params }) => params['elicitationId'])
    const look = (t: Transcript) => serverFrames(t).find(({ message }) => completes(message, ids))
    const begun = run.now()
    if (!(await recorder.waitFor(look, within, run.signal))) return
    // The complete may be an old one: a retry that follows too soon would be none.
    if (this.#retries > 0) await delay(Math.max(0, within - (run.now() - begun)))
  }

  #attempt(changes: Readonly<Record<string, unknown>>): void {
    const { tool } = this.#parts
    const params: { name: string; arguments: unknown } = {
      name: tool.name,
      arguments: tool.arguments,
      ...this.#options.params,
      ...changes,
    }
    const asking = async (): Promise<void> => {
      const client = await this.connection.opened
      const headers = mirroredArguments(tool, this.connection.revision, params.arguments)
      await client.request('tools/call', params, { call: this.name, within: Infinity, headers })
    }
    asking().catch(() => undefined)
  }

  /** What the retry carries: the answers by their keys, and the state as it came (2026-07-28). */
  #answersTo(message: Message): Readonly<Record<string, unknown>> {
    if (message.kind !== 'result') return {}
    const { inputRequests, requestState } = membersOf(message.result)
    const action = this.#answer ?? 'accept'
    const answers = Object.entries(membersOf(inputRequests)).flatMap(([key, request]) =>
      isUrlMode({ how: 'input', params: membersOf(membersOf(request)['params']) })
        ? [[key, { action }] as const]
        : [[key, { action: 'decline' }] as const],
    )
    return {
      ...(answers.length > 0 ? { inputResponses: Object.fromEntries(answers) } : {}),
      ...(requestState === undefined ? {} : { requestState }),
    }
  }

  async #respond(): Promise<void> {
    const client = await this.connection.opened
    for (const request of this.#requests.splice(0)) {
      const url = isUrlRequest(request)
      if (url && this.#answer === undefined) this.#requests.push(request)
      else if (++this.#answers <= mostAnswers)
        client.respond(
          request,
          url ? replyOf(this.#answer ?? 'accept') : refusalOf(this.#options),
          this.name,
        )
    }
  }
}

function isUrlRequest({ value }: ServerRequest): boolean {
  return isUrlMode({ how: 'request', params: membersOf(value['params']) })
}

/** Nobody fills in a form; one that was not to be sent is refused (2025-11-25, Elicitation, Error Handling). */
function refusalOf({ capabilities = urlMode }: ConnectOptions) {
  const { elicitation } = capabilities
  const isDeclared =
    isRecord(elicitation) && (elicitation['form'] ?? elicitation['url'] === undefined)
  return isDeclared
    ? { result: { action: 'decline' } }
    : { error: { code: -32602, message: 'form mode is not supported' } }
}

function replyOf(answer: Answer) {
  return answer === 'error'
    ? { error: { code: -32603, message: 'the client could not process it' } }
    : { result: { action: answer } }
}
