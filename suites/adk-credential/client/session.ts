/** The verbs that a scenario speaks: what the user says, what is opened for them, and how they come back. */

import {
  isAfter,
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { tamper, type UserAgent } from '../../../harness/parties/index.ts'
import { refusedRequest } from '../../oauth-client/view.ts'
import type { ClientInstance, Talk } from './instance.ts'
import type { Ask } from './script.ts'
import { answerAfter, askedOf, messagesOf, type Asked } from './view.ts'

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly lendSlot: OffSlot
  readonly patience: Patience
  readonly instance: Promise<ClientInstance>
  readonly browser: UserAgent
  readonly talk: Talk
  /** Told what the page reads that the browser is shown when it has come back. */
  readonly onPage: (text: string) => void
  /** Told where a callback has sent the browser on to: another consent page. */
  readonly onLed: (url: string) => void
}

/** What is not as it should be in a callback. */
export interface Foreign {
  readonly state: string | undefined
  /** In place of the code. */
  readonly error?: string
}

/** One message of the user, and the credentials that the agent asks for because of it. Waiting verbs throw `Unreached`. */
export class Call {
  readonly name: string
  readonly #asks: readonly Ask[]
  readonly #parts: CallParts

  constructor(name: string, asks: readonly Ask[], parts: CallParts) {
    this.name = name
    this.#asks = asks
    this.#parts = parts
  }

  /** The user says something; by default what the agent answers by asking for credentials. */
  async say(text = `Please list what is mine, ${this.name}.`): Promise<void> {
    const { instance, lendSlot, recorder, talk } = this.#parts
    const running = await lendSlot(instance)
    if (running.gone.aborted) throw new Unreached(String(running.gone.reason))
    recorder.record({ type: 'step', action: 'begin', call: this.name, detail: { text, ...talk } })
    running.say(talk, text, recorder, this.name)
  }

  /** Asks what has come of it, and goes on where the client is gone: some show what is new only in answers to messages. */
  async askForNews(): Promise<void> {
    await this.say('Is it done?').catch(goOn)
  }

  /** Waits until the agent was asked, and has asked for the nth credential. */
  async delivered(nth = 0): Promise<Asked> {
    return this.#await('delivered', 'no message to the agent', (t) => this.#view(t, nth))
  }

  /** Waits until the URL of the nth request is opened or shown, and gives it. */
  async opened(nth = 0): Promise<string> {
    await this.delivered(nth)
    const step = await this.#await('opened', 'no URL was opened or shown', this.#openedFor(nth))
    return String(step.detail['url'])
  }

  /** Has the user ask what has come of it where the nth request, which an answer led to, is not opened by itself. */
  async lookFor(nth: number): Promise<void> {
    await this.delivered(nth)
    const { found } = await this.#look('opened', this.#openedFor(nth))
    if (!found) await this.askForNews()
  }

  readonly #openedFor = (nth: number) => (t: Transcript) => {
    t.steps('opened')
    return this.#view(t, nth)?.opened[0]
  }

  /** Waits until the URL of any of its requests is opened or shown, and gives which. */
  async openedFirst(): Promise<number> {
    await this.delivered()
    return this.#await('opened', 'no URL was opened or shown', (t) => {
      t.steps('opened')
      const opened = this.#asks.flatMap((_, nth) => {
        const step = this.#view(t, nth)?.opened[0]
        return step ? [{ nth, seq: step.seq }] : []
      })
      return opened.toSorted((one, other) => one.seq - other.seq)[0]?.nth
    })
  }

  /** The user approves or denies at the provider; gives where the browser is sent. */
  async decide(action: 'approve' | 'deny' = 'approve', nth = 0): Promise<string> {
    const { browser, lendSlot, talk } = this.#parts
    const url = await this.opened(nth)
    const visit = await lendSlot(browser.visit(url, this.name))
    if (visit.ended !== 'interaction') {
      const refused = refusedRequest(this.#parts.recorder.transcript(), this.name)
      if (refused !== undefined) throw new Unreached(refused)
      const how = visit.ended === 'page' ? `a page with status ${visit.status}` : visit.reason
      throw new Unreached(`the opened URL did not lead to the consent page: ${how}`)
    }
    return browser.decide(
      visit.authorization,
      { action, subject: `subject-of-${talk.user}` },
      this.name,
    )
  }

  /** The browser comes back to the client application. */
  async load(redirect: string): Promise<void> {
    const { browser, instance, lendSlot } = this.#parts
    const { visit } = await lendSlot(instance)
    if (visit) await lendSlot(this.#loadThere(redirect, visit))
    else await lendSlot(browser.visit(redirect, this.name, 'provider'))
    this.#readPage()
  }

  /** The page may lead on to what is asked for next, and so may a redirect in its place. */
  #readPage(): void {
    const { recorder, onPage, onLed } = this.#parts
    const t = recorder.transcript()
    const last = t.requests('browser', this.name).at(-1)
    const page = last && t.answer(last)
    if (page?.type !== 'response') return
    const { location } = page.headers
    const [visited] = t.steps('visited', this.name).slice(-1)
    if (visited?.detail['ended'] === 'interaction' && location) onLed(location)
    else if (page.body) onPage(page.body.text)
  }

  /** In a browser of the client's own, of which only this is seen. */
  async #loadThere(url: string, visit: (url: string) => Promise<void>): Promise<void> {
    const { recorder } = this.#parts
    const place = { channel: 'browser', exchange: recorder.newExchange(), call: this.name }
    recorder.record({ type: 'request', ...place, method: 'GET', url, headers: {} })
    await visit(url)
    recorder.record({ type: 'response', ...place, status: 200, headers: {} })
  }

  /** Approves, or denies, and comes back. */
  async complete(action: 'approve' | 'deny' = 'approve', nth = 0): Promise<void> {
    await this.load(await this.decide(action, nth))
  }

  /** A callback with another state or none, as an attacker has the browser load it: with a code, or with a denial. */
  async loadForeign(redirect: string, { state, error }: Foreign): Promise<void> {
    const instead = error === undefined ? {} : { code: undefined, error }
    await this.loadAltered(redirect, { ...instead, state })
  }

  /** A callback with other parameters. */
  async loadAltered(redirect: string, changes: Parameters<typeof tamper>[1]): Promise<void> {
    const url = tamper(redirect, changes)
    this.#parts.recorder.record({
      type: 'step',
      action: 'tamper',
      call: this.name,
      detail: { url },
    })
    await this.load(url)
  }

  /** Waits until the nth request has been answered, after the browser came back. */
  async answered(nth = 0): Promise<void> {
    await this.#await('answered', 'no answer to the credential request', (t) => {
      const asked = this.#view(t, nth)
      return asked && answerAfter(asked, asked.callbacks[0])
    })
  }

  /** Waits until the agent hears anything after the callback. */
  async heardOf(nth = 0): Promise<void> {
    await this.#await('answered', 'no word to the agent after the callback', (t) => {
      const asked = this.#view(t, nth)
      const callback = asked?.callbacks[0]
      return messagesOf(t).find(({ event }) => isAfter(event, callback))
    })
  }

  /** Waits likewise, and goes on without. */
  async settle(nth = 0): Promise<void> {
    await this.answered(nth).catch(goOn)
  }

  /** Waits until the user is shown anything that comes of the answer, and goes on without. */
  async told(nth = 0): Promise<void> {
    await this.#await('told', 'nothing to read', (t) => {
      const answer = this.#view(t, nth)?.answers.at(-1)
      const given = answer?.message.answer
      return t.surfaces().find((event) => isAfter(event, given))
    }).catch(goOn)
  }

  #view(t: Transcript, nth: number): Asked | undefined {
    const id = this.#asks[nth]?.id
    return askedOf(t).find(({ request }) => request.id === id)
  }

  /** @throws Unreached, with a step in the recording that says what was waited for */
  async #await<T>(kind: string, what: string, find: (t: Transcript) => T | undefined): Promise<T> {
    const { found, within, gone } = await this.#look(kind, find)
    if (found !== undefined) return found
    if (gone.aborted) throw new Unreached(String(gone.reason))
    const detail = { what: kind, within }
    this.#parts.recorder.record({ type: 'step', action: 'gave-up', call: this.name, detail })
    throw new Unreached(`${what} for ${this.name} within ${within} ms`)
  }

  async #look<T>(kind: string, find: (t: Transcript) => T | undefined) {
    const { recorder, run, instance, lendSlot, patience } = this.#parts
    const { gone } = await lendSlot(instance)
    const within = patience.within(kind)
    const begun = run.now()
    const found = await lendSlot(recorder.waitFor(find, within, run.signal, gone))
    patience.learn(kind, found === undefined ? 0 : run.now() - begun)
    return { found, within, gone }
  }
}

function goOn(error: unknown): void {
  if (!(error instanceof Unreached)) throw error
}
