/** The client application: what its users say, what the agent answers, and the credentials that are asked for meanwhile. */

import { parametersOf } from './consent.ts'
import type { Config } from './environment.ts'
import { textsIn } from './events.ts'
import { defaultParts, type Parts } from './parts.ts'
import type { CredentialRequest, Fields, Item, Pending, Session } from './work.ts'

/** Items of a user that are kept, and users that are known. */
const [mostItems, mostPeople] = [1000, 1000]

/** A user of this application: what they read, and their session at the agent. */
interface Person {
  readonly name: string
  readonly items: Item[]
  session: Promise<Session> | undefined
}

export class Client {
  readonly #config: Config
  readonly #parts: Parts
  readonly #people = new Map<string, Person>()
  readonly #pending = new Map<string, Pending>()

  constructor(config: Config, parts: Partial<Parts> = {}) {
    this.#config = config
    this.#parts = { ...defaultParts, ...parts }
  }

  /** What a user reads. */
  itemsOf(user: string): readonly Item[] {
    return this.#people.get(user)?.items ?? []
  }

  /** A user says something. Resolves when the agent has answered, and rejects never. */
  async say(user: string, text: string): Promise<void> {
    const person = this.#person(user)
    this.#show(person, { kind: 'said', text })
    await this.#turn(person, await this.#open(person), [{ text }])
  }

  answerMessage(user: string): Response {
    return this.#parts.answerMessage(user, () => this.itemsOf(user))
  }

  mayComeBack(cookies: string): boolean {
    return this.#parts.mayComeBack(cookies)
  }

  goesOnTo(): string | undefined {
    return this.#parts.goesOnTo()
  }

  leadsTo(key: string): Response | undefined {
    return this.#parts.leadsTo(key)
  }

  /** The browser came back. Gives the page for it. */
  async comeBack(url: string): Promise<{ readonly found: boolean; readonly page: string }> {
    const { takePending, callbackPage, log } = this.#parts
    log(`GET ${url}`)
    const pending = takePending(this.#pending, new URL(url).searchParams.get('state'), url)
    // Nothing waits for it: it was answered already, or is nobody's.
    if (!pending) return { found: false, page: callbackPage(false, url) }
    void this.#answer(pending, url)
    return { found: true, page: callbackPage(true, url) }
  }

  async #answer(pending: Pending, url: string): Promise<void> {
    const { answerFor, answerPart, answersCallback, callbackUrl, sessionFor } = this.#parts
    if (!answersCallback(url)) return
    const person = this.#person(pending.person)
    try {
      const response = await answerFor(this.#config, pending, callbackUrl(url))
      await this.#turn(person, sessionFor(pending), [answerPart(pending, response)])
    } catch (error) {
      this.#fail(person, error)
    }
  }

  async #turn(
    person: Person,
    session: Session | undefined,
    parts: readonly Fields[],
  ): Promise<void> {
    const { runTurn, requestsIn, onRequests } = this.#parts
    if (!session) return
    try {
      const events = await runTurn(this.#config, session, parts)
      for (const text of textsIn(events)) this.#show(person, { kind: 'answer', text })
      const requests = requestsIn(events)
      onRequests(requests, (more) => void this.#turn(person, session, more))
      for (const request of requests) await this.#ask(person, request, session)
    } catch (error) {
      this.#fail(person, error)
    }
  }

  /** Has the URL of a request opened, and waits for the browser to come back with its state. */
  async #ask(person: Person, request: CredentialRequest, session: Session): Promise<void> {
    const { authUriOf, isSafeUrl, withRedirect } = this.#parts
    const { authUri, flowId } = await authUriOf(this.#config, request, session)
    if (!isSafeUrl(authUri)) {
      this.#show(person, {
        kind: 'notice',
        text: 'The agent wanted a page opened that is not safe, and it was refused.',
      })
      return
    }
    const url = withRedirect(authUri, `${this.#config.publicUrl}/callback`)
    const { state, redirectUri } = parametersOf(url)
    this.#pending.set(state, { request, session, person: person.name, state, redirectUri, flowId })
    this.#show(person, { kind: 'authorize', text: 'The agent needs your permission.', url })
  }

  async #open(person: Person): Promise<Session | undefined> {
    person.session ??= this.#parts.createSession(this.#config, person.name)
    return person.session.catch((error: unknown) => {
      person.session = undefined
      this.#fail(person, error)
      return undefined
    })
  }

  #person(name: string): Person {
    const known = this.#people.get(name)
    if (known) return known
    const [oldest] = this.#people.keys()
    if (this.#people.size >= mostPeople && oldest !== undefined) this.#people.delete(oldest)
    const person = { name, items: [], session: undefined }
    this.#people.set(name, person)
    return person
  }

  #fail(person: Person, error: unknown): void {
    const reason = error instanceof Error ? error.message : 'no reason given'
    for (const item of this.#parts.failureItems(reason)) this.#show(person, item)
  }

  #show({ items }: Person, item: Item): void {
    if (items.length >= mostItems) items.shift()
    items.push(...this.#parts.itemsFor(item))
  }
}
