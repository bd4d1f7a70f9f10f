/** The verbs that a scenario speaks: a user's message to the agent, and what the client application answers. */

import {
  jsonOf,
  mark,
  NotOffered,
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { HttpFailure, type ModelScript, type Visit } from '../../../harness/parties/index.ts'
import type { PendingCall } from '../../oauth-client/pending-call.ts'
import { noteTokenUse, type User } from '../../oauth-client/user.ts'
import {
  authUriOf,
  eventsIn,
  fieldsOf,
  member,
  requestName,
  requestsIn,
  textIn,
  withAnswer,
  stateBeside,
  withRedirectUri,
  type CredentialRequest,
  type Fields,
} from '../wire.ts'
import type { AgentApi, Answered, Speaker } from './agent-api.ts'
import type { AgentConfiguration, Tool } from './configuration.ts'
import { refusedWithoutCredential, takesNone } from './refused-answers.ts'
import { callOf, failureOf, type CallView } from './view.ts'

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly configuration: AgentConfiguration
  readonly api: AgentApi
  readonly script: ModelScript
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  readonly patience: Patience
  /** The requests that its scenario was shown by now. */
  readonly shown: Set<string>
}

export interface CallOptions {
  /** The session that it happens in; default: as the vendor declares that credentials are kept. */
  readonly session?: string
  /** Whether that session is taken as it is, whoever it belongs to. */
  readonly isForeign?: boolean
  /** What the model asks for at once; default: the operation. */
  readonly tools?: readonly Tool[]
}

/** What the client application answers to a request, as far as it differs from what is right. */
export interface Answer {
  readonly id?: string
  readonly name?: string
  readonly session?: string
  /** In whose name it comes; default: that of the user of the call. */
  readonly user?: string
  /** Members of the exchanged OAuth credential; `undefined` takes one away. */
  readonly oauth2?: Fields
  /** Alters the whole AuthConfig, when everything else is in it. */
  readonly config?: (config: Fields) => unknown
}

/** A call of the tool. Its waiting verbs throw `Unreached` where nothing comes. */
export class Call implements PendingCall {
  readonly name: string
  readonly user: User
  readonly session: string
  readonly #parts: CallParts
  readonly #tools: readonly Tool[]
  readonly #requests: CredentialRequest[] = []
  readonly #urls = new Map<CredentialRequest, Consent>()
  #open = 0
  /** Why nothing can come of what was said: no fault of the agent. */
  #broken: unknown

  constructor(name: string, user: User, options: CallOptions, parts: CallParts) {
    this.name = name
    this.user = user
    this.session = options.session ?? parts.run.newName('session')
    this.#parts = parts
    this.#tools = options.tools ?? [parts.configuration.operation]
  }

  /** Whether everything that was sent for it was answered. */
  get isAtRest(): boolean {
    return this.#open === 0
  }

  /** Says in a session, a new one or one that there is, what makes the model call the tools. */
  begin(isNew: boolean): void {
    const { recorder, api } = this.#parts
    const reference = this.#parts.run.newName('ref')
    const [tool] = this.#tools
    const detail = {
      user: this.user.id,
      session: this.session,
      reference,
      tool: tool?.name,
      arguments: tool?.arguments,
    }
    recorder.record({ type: 'step', action: 'begin', call: this.name, detail })
    const talk = async (): Promise<void> => {
      if (isNew) await api.createSession({ user: this.user.id, session: this.session })
      const names = this.#tools.map(({ name }) => name).join(' and ')
      await this.#speak(`Please use ${names} for me (${reference}).`, reference, this.#tools)
    }
    this.#track(talk()).catch((error: unknown) => (this.#broken = error))
  }

  /** Says something that calls no tool. */
  async say(): Promise<void> {
    const reference = this.#parts.run.newName('ref')
    await this.#await(this.#track(this.#speak(`Are you there (${reference})?`, reference, [])))
  }

  async asked(): Promise<string> {
    return this.askedFor(0)
  }

  /** Waits for the nth request for a credential, and gives the URL to open. */
  async askedFor(nth: number): Promise<string> {
    await this.#rest(this.#longest, () => this.#requests[nth])
    const request = this.#requests[nth]
    if (!request) throw new Unreached(this.#whyNotAsked())
    return (await this.#consentOf(request)).url
  }

  async answered(): Promise<'asked' | 'ended'> {
    const begun = this.#parts.run.now()
    const found = (): 'asked' | 'ended' | undefined => {
      if (this.#requests.length > 0) return 'asked'
      return this.view().ended.length > 0 ? 'ended' : undefined
    }
    await this.#rest(this.#longest, found)
    const answer = found()
    if (answer !== undefined) return answer
    this.#giveUp('neither a request nor a result', begun)
    throw new Unreached(this.#whyNotAsked())
  }

  async ended(within = this.#parts.run.timing.maxWaitMs): Promise<void> {
    const { offSlot, patience, recorder, run } = this.#parts
    const begun = run.now()
    const has = (): true | undefined => (this.view().ended.length > 0 ? true : undefined)
    await offSlot(this.#rest(within, has))
    if (!has() && this.#isAskedAnew()) {
      await this.user.approve(this.nth(this.requests.length - 1))
      await offSlot(this.#rest(within, has))
    }
    noteTokenUse(patience, this.view())
    if (has()) return
    const waited = this.#giveUp('no result', begun)
    if (refusedWithoutCredential(recorder.transcript(), this.name)) throw new NotOffered(takesNone)
    const why = this.isAtRest ? 'every message was answered without one' : `within ${waited} ms`
    throw new Unreached(`no result of the tool for ${this.name}: ${why}`)
  }

  /** Whether the genuine callback came to nothing, because a forged one had the call ask once more. */
  #isAskedAnew(): boolean {
    const t = this.#parts.recorder.transcript()
    const newest = this.#requests.at(-1)
    const isNew = newest !== undefined && !this.#urls.has(newest)
    return isNew && mark(t, 'genuine') !== undefined && !t.provider('grant', this.name).length
  }

  /** The call, of which its nth request is answered. */
  nth(nth: number): PendingCall {
    return {
      name: this.name,
      asked: () => this.askedFor(nth),
      answered: () => this.answered(),
      ended: (within) => this.ended(within),
      settle: (within) => this.settle(within),
      waitUntil: (what, find) => this.waitUntil(what, find),
    }
  }

  async settle(within = this.#parts.run.timing.maxWaitMs): Promise<void> {
    await this.ended(within).catch((error: unknown) => {
      if (!(error instanceof Unreached || error instanceof NotOffered)) throw error
    })
  }

  async waitUntil(what: string, find: (call: CallView, t: Transcript) => unknown): Promise<void> {
    const { recorder, run, offSlot } = this.#parts
    const look = (t: Transcript): unknown => find(callOf(t, this.name), t) || undefined
    const found = await offSlot(recorder.waitFor(look, run.timing.maxWaitMs, run.signal))
    if (found === undefined) throw new Unreached(`${what} for ${this.name}`)
  }

  /** The call as it is recorded by now. */
  view(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }

  /** The browser is back at the client application, which answers with what it brought. */
  async returned(url: string, answer: Answer = {}): Promise<Visit> {
    const { recorder } = this.#parts
    const place = { channel: 'browser', exchange: recorder.newExchange(), call: this.name } as const
    recorder.record({ type: 'request', ...place, method: 'GET', url, headers: {} })
    const reply = await this.#await(this.#track(this.#bring(url, answer)))
    if (reply instanceof HttpFailure) {
      const { code, message } = reply
      recorder.record({ type: 'failure', ...place, code, message })
      return { ended: 'failure', url, reason: message }
    }
    // The page is the harness's own; its status says how the agent took what it was given.
    recorder.record({ type: 'response', ...place, status: reply.status, headers: {} })
    return { ended: 'page', status: reply.status, url }
  }

  /** Somebody else has the credential made of what the browser brought, and gets it. */
  async completeFor(user: User, url: string): Promise<void> {
    await this.#await(this.#track(this.#complete(this.#requestFor(url), url, user.id)))
  }

  /** Answers a request in whatever way, without any callback. */
  async answer(request: CredentialRequest, config: Fields, answer: Answer = {}): Promise<Answered> {
    return this.#await(this.#track(this.#respond(request, config, answer)))
  }

  /** The requests for credentials, as they came. */
  get requests(): readonly CredentialRequest[] {
    return this.#requests
  }

  /** The one whose state a callback has; that which is answered where none has it: the newest. */
  #requestFor(url: string): CredentialRequest {
    const state = URL.canParse(url) ? new URL(url).searchParams.get('state') : null
    const known = [...this.#urls].find(
      ([asked, { url: own }]) => (stateIn(own) ?? stateBeside(asked) ?? null) === state,
    )
    const request = known?.[0] ?? this.#requests.at(-1)
    if (!request) throw new Unreached(`${this.name} has asked for no credential`)
    return request
  }

  async #bring(url: string, answer: Answer): Promise<Answered> {
    const request = this.#requestFor(url)
    const { redirectUri } = this.#parts.configuration.api
    if (request.dialect === 'call') {
      const given = { authResponseUri: url, redirectUri, ...answer.oauth2 }
      return this.#respond(request, withAnswer(request, given), answer)
    }
    const credential = await this.#complete(request, url)
    const filled = { ...request.config, exchanged_auth_credential: credential }
    return this.#respond(request, credential === undefined ? request.config : filled, answer)
  }

  /** Has the credential made of what the browser brought; none where that fails, or the user has denied. */
  async #complete(
    request: CredentialRequest,
    url: string,
    userId = this.user.id,
  ): Promise<Fields | undefined> {
    const { api } = this.#parts
    const { flowId } = await this.#consentOf(request)
    const query = new URL(url).searchParams
    const code = query.get('code')
    if (code === null) return undefined
    const given = Object.fromEntries(
      ['state', 'iss'].flatMap((name) => {
        const value = query.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
    const body = { userId, flowId, code, ...given }
    const reply = await api.consent('complete', body, this.name)
    if (reply instanceof HttpFailure || reply.status >= 400) return undefined
    const { credential } = fieldsOf(jsonOf(reply.body))
    return credential === undefined ? undefined : fieldsOf(credential)
  }

  #respond(request: CredentialRequest, config: Fields, answer: Answer): Promise<Answered> {
    const response = answer.config ? answer.config(config) : config
    const {
      id = request.id,
      name = requestName,
      session = this.session,
      user = this.user.id,
    } = answer
    const { resume } = this.#parts.configuration.api
    const parts = [{ functionResponse: { id, name, response } }]
    return this.#send(parts, { user, session }, resume ? request.invocation : undefined)
  }

  #speak(text: string, reference: string, tools: readonly Tool[]): Promise<Answered> {
    const { recorder, script } = this.#parts
    script.plan(reference, { recorder, call: this.name, tools })
    return this.#send([{ text }])
  }

  async #send(
    parts: readonly Fields[],
    speaker: Speaker = { user: this.user.id, session: this.session },
    invocation?: string,
  ): Promise<Answered> {
    const { api, shown } = this.#parts
    const reply = await api.send(speaker, parts, this.name, invocation)
    if (reply instanceof HttpFailure || reply.status >= 400) return reply
    this.#requests.push(
      ...requestsFor(eventsIn(reply.body).flatMap(requestsIn), speaker.session, shown),
    )
    return reply
  }

  /** The URL of a request, made once: in the dialect of responses the application has it made. */
  async #consentOf(request: CredentialRequest): Promise<Consent> {
    const known = this.#urls.get(request)
    if (known) return known
    const { api, recorder, configuration } = this.#parts
    let authUri = authUriOf(request)
    let flowId: unknown
    if (request.dialect === 'response') {
      if (!configuration.api.consent)
        throw new Unreached(
          'credentials are asked for by a functionResponse: configure api.consent, where they are made',
        )
      const body = { userId: this.user.id, authConfig: request.config }
      const reply = await this.#await(api.consent('begin', body, this.name))
      if (reply instanceof HttpFailure || reply.status >= 400)
        throw new Unreached(`api.consent.begin made no URL for ${this.name}: ${failureIn(reply)}`)
      const made = fieldsOf(jsonOf(reply.body))
      authUri = textIn(member(made, 'authUri'))
      flowId = member(made, 'flowId')
    }
    if (authUri === undefined) throw new Unreached(`the request of ${this.name} has no authUri`)
    const url = withRedirectUri(authUri, configuration.api.redirectUri)
    recorder.record({ type: 'step', action: 'asked', call: this.name, detail: { url: authUri } })
    const made = { url, flowId }
    this.#urls.set(request, made)
    return made
  }

  /**
   * Milliseconds that an answer may take: one call that hangs may keep an agent from answering any other, so it is waited
   * for longer than for that one. Who answers without what is waited for is not waited for at all.
   */
  get #longest(): number {
    const { maxWaitMs, stepMs } = this.#parts.run.timing
    return maxWaitMs + stepMs
  }

  /** Records that something was waited for in vain, and gives how long, in milliseconds. */
  #giveUp(what: string, begun: number): number {
    const { recorder, run } = this.#parts
    const within = Math.round(run.now() - begun)
    recorder.record({ type: 'step', action: 'gave-up', call: this.name, detail: { what, within } })
    return within
  }

  #whyNotAsked(): string {
    const view = this.view()
    if (view.ended.length > 0) return `${this.name} ended instead of asking for a credential`
    const { ack } = view
    if (!ack) return `the message of ${this.name} was not answered in time`
    const failure = ack.type === 'response' ? failureOf(ack) : ack.message
    const failed = failure === undefined ? '' : `: ${failure}`
    const called = view.calls.length > 0 ? '' : ', nor a call of the tool'
    return `no request for a credential came for ${this.name}${called}${failed}`
  }

  /** Waits until it is there, until everything was answered, or for so long. */
  async #rest(within: number, has: () => unknown): Promise<void> {
    const { recorder, run } = this.#parts
    const look = (t: Transcript): true | undefined => {
      // Asked for what an answer changes, so that it is looked at again.
      t.requests('api', this.name)
      for (const request of t.requests('api', this.name)) t.answer(request)
      return has() !== undefined || this.isAtRest ? true : undefined
    }
    const resting = new Promise<void>((resolve) => this.#resting.push(resolve))
    if (!look(recorder.transcript()))
      await this.#await(
        Promise.race([resting, recorder.waitFor(look, within, run.signal).then(() => undefined)]),
      )
    if (this.#broken !== undefined) throw this.#broken
  }

  readonly #resting: (() => void)[] = []

  #track<T>(work: Promise<T>): Promise<T> {
    this.#open += 1
    const done = (): void => {
      this.#open -= 1
      if (this.#open === 0) for (const resolve of this.#resting.splice(0)) resolve()
    }
    work.then(done, done)
    return work
  }

  #await<T>(promise: Promise<T>): Promise<T> {
    return this.#parts.lendSlot(promise)
  }
}

/** What is asked for in an answer: a request that waits may be shown once more, beside a new one or in its place. */
function requestsFor(
  requests: readonly CredentialRequest[],
  session: string,
  shown: Set<string>,
): CredentialRequest[] {
  const made: CredentialRequest[] = []
  const again: CredentialRequest[] = []
  for (const each of requests) {
    const key = JSON.stringify([session, each.id, authUriOf(each)])
    if (shown.has(key)) again.push(each)
    else made.push(each)
    shown.add(key)
  }
  return made.length > 0 ? made : again
}

interface Consent {
  readonly url: string
  readonly flowId: unknown
}

function stateIn(url: string): string | null {
  return URL.canParse(url) ? new URL(url).searchParams.get('state') : null
}

function failureIn(reply: Answered): string {
  return reply instanceof HttpFailure ? reply.message : `HTTP ${reply.status}`
}
