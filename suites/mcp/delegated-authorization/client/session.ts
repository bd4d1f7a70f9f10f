/** The verbs that a scenario speaks: calls that a user has the client make, and what the server and the user then do. */

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
} from '../../../../harness/engine/index.ts'
import type { Action, ClientInstance } from '../../client/instance.ts'
import { agree, agreeIfAsked, shownPrompt } from '../../client/agree.ts'
import { waitsOf, type Waits } from '../../client/waits.ts'
import type { DrivenCall } from '../../client/open-client.ts'
import type { ToolCall } from '../../wire/server.ts'
import { authRequest, declaresIt } from '../auth-request.ts'
import { follow, isListening, listens, otherAddresses } from './browser.ts'
import { loopbackOption } from './vocabulary.ts'
import {
  callOf,
  openedFor,
  promptIn,
  redirectIn,
  redirectOf,
  shows,
  textOf,
  type CallView,
} from './view.ts'

type Fields = Readonly<Record<string, unknown>>

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly lendSlot: OffSlot
  readonly patience: Patience
  readonly instance: Promise<ClientInstance>
  readonly tool: string
  /** What makes the call known on the wire. */
  readonly note: string
  /** The authorization endpoint, which is a page of the site. */
  readonly endpoint: string
  /** Where the redirect goes unless the client selects an option. */
  readonly redirectUri: string
  /** Whether the client opens URLs by itself. */
  readonly opens: boolean
}

/** What is special about a request for authorization. */
export interface AskOptions {
  /** What is to be opened, in place of an authorization URL. */
  readonly url?: string
  /** What the path of the authorization URL ends with. */
  readonly pathEnd?: string
  /** The redirect URIs that are offered; `null` leaves the member out. */
  readonly options?: readonly string[] | null
  /** Why it is asked, in place of the usual words. */
  readonly message?: string
  /** Another host of the authorization URL, which has TLS. */
  readonly host?: string
}

/** What the browser brings back. */
export interface Callback {
  /** Makes another path of that of the redirect URI. */
  readonly path?: (own: string) => string
  /** The query as it is, with `{code}` and `{state}` in it. */
  readonly query?: string
  /** Makes another state of that of the request. */
  readonly state?: (own: string) => string
}

type Prompt = CallView['prompts'][number]

/** What shows that the user's consent had its effect. */
type Opened = NonNullable<ReturnType<typeof openedFor>> | CallView['replies'][number]

const usual = 'code={code}&state={state}'

/** What the user of the client asked for: one call of a tool. Its waiting verbs throw `Unreached` where nothing comes. */
export class Call implements DrivenCall {
  readonly name: string
  readonly note: string
  readonly state = randomBytes(24).toString('base64url')
  readonly #parts: CallParts
  readonly #waits: Waits<CallView>
  readonly #code: string
  #current: ToolCall | undefined
  #url = ''

  constructor(name: string, parts: CallParts) {
    this.name = name
    this.note = parts.note
    this.#parts = parts
    this.#waits = waitsOf({ ...parts, name, callOf, instance: () => parts.instance })
    const code = `code_${randomBytes(24).toString('base64url')}`
    this.#code = parts.run.ledger.add('authorization_code', code).value
  }

  /** Has the client call the tool. */
  async begin(): Promise<void> {
    const { recorder, tool, instance, lendSlot } = this.#parts
    const args = { note: this.note }
    const detail = { tool, arguments: args }
    recorder.record({ type: 'step', action: 'begin', call: this.name, detail })
    const running = await lendSlot(instance)
    await lendSlot(running.call(tool, args))
  }

  onToolCall(tool: ToolCall): void {
    this.#current ??= tool
    this.#parts.recorder.record({ type: 'step', action: 'arrived', call: this.name, detail: {} })
  }

  /** A client may have replaced the redirect URI, and nothing else tells whose URL it is. */
  isOpened(argument: string): boolean {
    if (argument === this.#url) return true
    const state = this.#url === '' ? this.state : stateIn(this.#url)
    return state !== undefined && (stateIn(argument) === state || argument.includes(state))
  }

  /** Where its URL leads is what a prompt has to say; once it is answered, its user is asked for another. */
  isShown(text: string): boolean {
    if (!URL.canParse(this.#url) || this.view().replies.length > 0) return false
    return shows(text, new URL(this.#url).hostname)
  }

  /** Asks for authorization, once the tool is called. */
  async ask({
    url,
    pathEnd,
    options = [loopbackOption],
    message = this.message,
    host,
  }: AskOptions = {}): Promise<void> {
    const tool = await this.#arrived()
    if (!declaresIt(tool.capabilities))
      throw new Unreached('the client does not declare delegated_authorization')
    this.#url = url ?? this.#authorizationUrl(pathEnd, host)
    const params: Fields = {
      url: this.#url,
      message,
      ...(options === null ? {} : { redirect_uri_options: options }),
    }
    void tool.ask(authRequest, params)
  }

  /** What it has asked to be opened. */
  get url(): string {
    return this.#url
  }

  /** Where the redirect of its URL goes. */
  get redirectUri(): string {
    return this.#parts.redirectUri
  }

  /** Why the user is to authorize. */
  get message(): string {
    return 'Please connect your account of the Example Warehouse.'
  }

  /** Waits until the user is asked; a client that answers without asking anybody gets no further. */
  async prompted(): Promise<void> {
    const found = await this.#waits.until('prompt', 'no prompt', (call) => {
      return promptIn(call) ?? call.replies[0]
    })
    // The answer may overtake the prompt, which goes another way.
    const within = this.#parts.patience.within('prompt', overtakenBy)
    if (!('type' in found) && !(await this.#waits.look(within, promptIn)))
      throw new Unreached('the client answered, and asked nobody')
  }

  /** Waits until the user is asked or the client has answered, and gives up without a word. */
  async settled(): Promise<'prompted' | 'otherwise'> {
    try {
      await this.prompted()
      return 'prompted'
    } catch (error) {
      if (!(error instanceof Unreached)) throw error
      return 'otherwise'
    }
  }

  /** Waits until the user is shown where the URL leads, which may take another prompt than the first. */
  async shown(domain = new URL(this.#url).hostname): Promise<Prompt | undefined> {
    if ((await this.settled()) !== 'prompted') return undefined
    const { patience } = this.#parts
    const shows = (each: Prompt): boolean => textOf(each).includes(domain)
    return shownPrompt(this, shows, { waits: this.#waits, patience })
  }

  /** The user answers the prompt, the first one unless told otherwise. */
  async decide(action: Action, prompt = promptIn(this.view())): Promise<void> {
    const { recorder, instance, lendSlot } = this.#parts
    if (!prompt) throw new Unreached('there is no prompt to answer')
    const id = String(prompt.detail['id'])
    const detail = { prompt: id, action }
    recorder.record({ type: 'step', action: 'decide', call: this.name, detail })
    const running = await lendSlot(instance)
    await lendSlot(running.answer(id, action))
  }

  /** The user agrees, and the URL is opened; the user of a client that opens none copies what it shows. */
  async accept(): Promise<void> {
    const { recorder, opens, patience } = this.#parts
    if (opens) {
      const found = await agree<CallView, Opened>(
        this,
        (call) => openedFor(call) ?? call.replies[0],
        {
          waits: this.#waits,
          until: (find) => this.#waits.until('opened', 'nothing was opened', find),
        },
      )
      const within = patience.within('opened', overtakenBy)
      if (found && !('type' in found) && !(await this.#waits.look(within, openedFor)))
        throw new Unreached('the client answered, and opened nothing')
      return
    }
    await this.decide('accept')
    const url = await this.#copied()
    recorder.record({ type: 'step', action: 'opened', call: this.name, detail: { url } })
  }

  /** The URL that its user copies: one that is shown when they have agreed, or else that of the prompt. */
  async #copied(): Promise<string> {
    const { run, lendSlot, instance, patience } = this.#parts
    const running = await lendSlot(instance)
    const asked = this.#urlIn(`${textOf(promptIn(this.view())!)}\n`)
    const deadline = run.now() + patience.within('opened')
    for (;;) {
      const given = this.#urlIn(running.shown())
      if (given !== undefined) return given
      const isLate = run.now() >= deadline
      if (asked !== undefined && (isLate || isReadyFor(asked))) return asked
      if (isLate) throw new Unreached('the URL is not shown, so its user cannot copy it')
      await delay(pause, undefined, { signal: run.signal }).catch(() => undefined)
    }
  }

  /** The authorization URL of this call in a text, in which its end has to be seen. */
  #urlIn(text: string): string | undefined {
    const urls =
      text.match(/https?:\/\/[^\s<>"'`|\u2500-\u259f]+(?=[\s<>"'`|\u2500-\u259f])/gi) ?? []
    return urls.findLast((each) => URL.canParse(each) && each.includes(this.state))
  }

  /** The authorization server sends the browser back to the client. */
  async comesBack({
    path = (own) => own,
    query = usual,
    state = (own) => own,
  }: Callback = {}): Promise<void> {
    const { recorder, run, lendSlot, patience, opens } = this.#parts
    const url = new URL(this.#redirect())
    const filled = query.replaceAll('{code}', this.#code).replaceAll('{state}', state(this.state))
    const base = `${url.origin}${path(url.pathname)}`
    const all = [url.search.slice(1), filled].filter(Boolean).join('&')
    const begun = run.now()
    const deadline = begun + patience.within('reply')
    const isEarly = !opens && this.view().callbacks.length === 0
    for (;;) {
      const going = follow(recorder, this.name, `${base}?${all}`, patience.within('callback'))
      const failed = await lendSlot(going)
      // Nothing else tells that the client of a user who has copied the URL is ready.
      if (!isEarly || failed !== 'ECONNREFUSED' || run.now() >= deadline) break
      await delay(pause, undefined, { signal: run.signal }).catch(() => undefined)
    }
    patience.learn('callback', run.now() - begun)
  }

  /** Looks who listens at the port of the redirect: at other addresses of this machine, then at 127.0.0.1 itself. */
  async probe(): Promise<void> {
    const found: Record<string, string> = {}
    for (const host of otherAddresses()) found[host] = await this.#listens(host)
    this.#probed('others', found)
    this.#probed('itself', { [loopback]: await this.#until((state) => state === 'open') })
  }

  /** The user agrees where they are asked; what is opened then has the time that opening takes. */
  async agreeIfAsked(): Promise<void> {
    const { opens, patience } = this.#parts
    const isOver = ({ replies }: CallView) => replies[0]
    await agreeIfAsked(this, { opens, patience, waits: this.#waits, isOver })
  }

  /** Waits until nobody listens at the port of the redirect any more, and records what was found last. */
  async closed(): Promise<void> {
    this.#probed('afterwards', { [loopback]: await this.#until((found) => found !== 'open') })
  }

  /** Looks at the port until it is as it should be, or for as long as an answer may take. */
  async #until(isRight: (found: string) => boolean): Promise<string> {
    const { run, patience } = this.#parts
    const deadline = run.now() + patience.within('reply')
    for (;;) {
      const found = await this.#listens(loopback)
      if (isRight(found) || run.now() >= deadline) return found
      await delay(pause, undefined, { signal: run.signal }).catch(() => undefined)
    }
  }

  #listens(host: string): Promise<string> {
    const { run, lendSlot } = this.#parts
    return lendSlot(listens(host, this.#port, Math.min(run.timing.stepMs, mostSilence)))
  }

  /** Of the redirect; where nothing was opened, of the redirect URI that the server has named. */
  get #port(): number {
    return Number(new URL(openedFor(this.view()) ? this.#redirect() : this.redirectUri).port)
  }

  #probed(where: string, found: Readonly<Record<string, string>>): void {
    const detail = { where, port: this.#port, found }
    this.#parts.recorder.record({ type: 'step', action: 'probe', call: this.name, detail })
  }

  /** Waits until the client has answered what it was asked. */
  async replied(): Promise<void> {
    await this.#waits.until('reply', 'no answer to auth/request', ({ replies }) => replies[0])
  }

  /** Gives the result. */
  async finish(): Promise<void> {
    const tool = await this.#arrived()
    tool.finish({ result: { content: [{ type: 'text', text: '[{"id":"1"}]' }] } })
  }

  /** The call as it is recorded by now. */
  view(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }

  /** Where the browser is sent: as the URL says that was opened. */
  #redirect(): string {
    const redirect = redirectOf(openedFor(this.view()))
    if (redirect === undefined || !URL.canParse(redirect))
      throw new Unreached('the URL that was opened has no redirect_uri')
    if (!loopbackHosts.includes(new URL(redirect).hostname))
      throw new Unreached(`the suite cannot follow a redirect to ${redirect}`)
    return redirect
  }

  #authorizationUrl(pathEnd = '', host?: string): string {
    const { endpoint, redirectUri } = this.#parts
    const url = new URL(endpoint + pathEnd)
    if (host !== undefined) url.href = `https://${host}${url.pathname}`
    const parameters = {
      response_type: 'code',
      client_id: 'warehouse',
      redirect_uri: redirectUri,
      scope: 'items:read',
      state: this.state,
      code_challenge: randomBytes(32).toString('base64url'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    // What is easily lost: a parameter that comes twice (RFC 8707 §2), and one that is empty.
    for (const each of ['items', 'shelves']) url.searchParams.append('resource', `urn:${each}`)
    url.searchParams.set('login_hint', '')
    return url.href
  }

  /** Waits until the client calls the tool, for which it may have to start first. */
  async #arrived(): Promise<ToolCall> {
    const { maxWaitMs } = this.#parts.run.timing
    if (!this.#current)
      await this.#waits.until('arrived', 'no call of the tool', () => this.#current, maxWaitMs)
    return this.#current!
  }
}

/** The state in a URL, if it has one that nothing else has. */
function stateIn(url: string): string | undefined {
  const state = URL.canParse(url) ? new URL(url).searchParams.get('state') : null
  return state !== null && state.length > shortState ? state : undefined
}

/** Where a browser of this machine may be sent back to (RFC 8252 §7.3, §8.3). */
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Characters of a state that may stand anywhere. */
const shortState = 16

/** Whether somebody listens where the redirect of a URL goes. */
function isReadyFor(url: string): boolean {
  const redirect = redirectIn(url) ?? ''
  return URL.canParse(redirect) && isListening(Number(new URL(redirect).port))
}

/** Milliseconds by which one way from the client to the harness may be slower than another, at least. */
const overtakenBy = 500

/** Where a client listens. */
const loopback = '127.0.0.1'

/** Milliseconds between two looks at a port. */
const pause = 100

/** Milliseconds after which a port that says nothing is given up. */
const mostSilence = 1000
