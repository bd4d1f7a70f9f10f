/** The client application: what its user says, what the agent answers, and the credentials that are asked for meanwhile. */

import { parametersOf } from './consent.ts'
import type { Config } from './environment.ts'
import { textsIn } from './events.ts'
import { defaultParts, type Parts } from './parts.ts'
import type { CredentialRequest, Fields, Item, Pending, Session } from './work.ts'

/** Items that are kept. */
const mostItems = 1000

export class Client {
  readonly items: Item[] = []
  readonly #config: Config
  readonly #parts: Parts
  readonly #pending = new Map<string, Pending>()
  #session: Promise<Session> | undefined

  constructor(config: Config, parts: Partial<Parts> = {}) {
    this.#config = config
    this.#parts = { ...defaultParts, ...parts }
  }

  /** The user says something. Resolves when the agent has answered, and rejects never. */
  async say(text: string): Promise<void> {
    this.#show({ kind: 'said', text })
    await this.#turn(await this.#open(), [{ text }])
  }

  answerMessage(): Response {
    return this.#parts.answerMessage()
  }

  /** The browser came back. Gives the page for it. */
  async comeBack(url: string): Promise<{ readonly found: boolean; readonly page: string }> {
    const { takePending, callbackPage, log } = this.#parts
    log(`GET ${url}`)
    const pending = takePending(this.#pending, new URL(url).searchParams.get('state'))
    // Nothing waits for it: it was answered already, or is nobody's.
    if (!pending) return { found: false, page: callbackPage(false, url) }
    void this.#answer(pending, url)
    return { found: true, page: callbackPage(true, url) }
  }

  async #answer(pending: Pending, url: string): Promise<void> {
    const { answerFor, answerPart, answersCallback, callbackUrl, sessionFor } = this.#parts
    if (!answersCallback(url)) return
    try {
      const response = await answerFor(this.#config, pending, callbackUrl(url))
      await this.#turn(sessionFor(pending), [answerPart(pending, response)])
    } catch (error) {
      this.#fail(error)
    }
  }

  async #turn(session: Session | undefined, parts: readonly Fields[]): Promise<void> {
    const { runTurn, requestsIn, onRequests } = this.#parts
    if (!session) return
    try {
      const events = await runTurn(this.#config, session, parts)
      for (const text of textsIn(events)) this.#show({ kind: 'answer', text })
      const requests = requestsIn(events)
      onRequests(requests, (more) => void this.#turn(session, more))
      for (const request of requests) await this.#ask(request, session)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Has the URL of a request opened, and waits for the browser to come back with its state. */
  async #ask(request: CredentialRequest, session: Session): Promise<void> {
    const { authUriOf, isSafeUrl, withRedirect } = this.#parts
    const { authUri, flowId } = await authUriOf(this.#config, request, session)
    if (!isSafeUrl(authUri)) {
      this.#show({
        kind: 'notice',
        text: 'The agent wanted a page opened that is not safe, and it was refused.',
      })
      return
    }
    const url = withRedirect(authUri, `${this.#config.publicUrl}/callback`)
    const { state, redirectUri } = parametersOf(url)
    this.#pending.set(state, { request, session, state, redirectUri, flowId })
    this.#show({ kind: 'authorize', text: 'The agent needs your permission.', url })
  }

  async #open(): Promise<Session | undefined> {
    this.#session ??= this.#parts.createSession(this.#config, 'user-1')
    return this.#session.catch((error: unknown) => {
      this.#session = undefined
      this.#fail(error)
      return undefined
    })
  }

  #fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : 'no reason given'
    for (const item of this.#parts.failureItems(reason)) this.#show(item)
  }

  #show(item: Item): void {
    if (this.items.length >= mostItems) this.items.shift()
    this.items.push(...this.#parts.itemsFor(item))
  }
}
