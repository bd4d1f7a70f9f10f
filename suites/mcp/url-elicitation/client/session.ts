/** The verbs that a scenario speaks: calls that a user has the client make, and what the server and the user then do. */

import {
  asNotOffered,
  isAfter,
  NotOffered,
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
} from '../../../../harness/engine/index.ts'
import type { DrivenCall } from '../../client/open-client.ts'
import type { ClientReply, McpServer, ToolCall } from '../../wire/server.ts'
import { membersOf } from '../../wire/values.ts'
import type { Action, ClientInstance } from '../../client/instance.ts'
import { agree, agreeIfAsked, confirm, shownPrompt } from '../../client/agree.ts'
import { waitsOf, type Waits } from '../../client/waits.ts'
import {
  elicitationsFor,
  inputRequired,
  secondUrlOf,
  urlRequired,
  type AskOptions,
} from './asking.ts'
import { agreedIn, callOf, isAbout, promptIn, shows, textOf, type CallView } from './view.ts'

type Fields = Readonly<Record<string, unknown>>

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly lendSlot: OffSlot
  readonly patience: Patience
  /** The client as it runs now. */
  readonly instance: () => Promise<ClientInstance>
  readonly tool: string
  /** What makes the call known on the wire. */
  readonly note: string
  /** Where the elicitation of this call leads. */
  readonly url: string
  /** Whether the client opens URLs by itself. */
  readonly opens: boolean
  /** The one whose tool is not called. */
  readonly otherServer: Pick<McpServer, 'notify'>
}

/** What the user of the client asked for: one call of a tool. Its waiting verbs throw `Unreached` where nothing comes. */
export class Call implements DrivenCall {
  readonly name: string
  /** What makes it known, in the arguments of the tool. */
  readonly note: string
  /** Where its elicitation leads. */
  readonly url: string
  /** Names its elicitation. */
  readonly elicitationId: string
  readonly #parts: CallParts
  readonly #waits: Waits<CallView>
  readonly #arrived: ToolCall[] = []
  #otherwise: ((tool: ToolCall) => void) | undefined
  #wanted: readonly Fields[] = []
  #current: ToolCall | undefined
  #latest: ToolCall | undefined

  constructor(name: string, parts: CallParts) {
    this.name = name
    this.note = parts.note
    this.url = parts.url
    this.elicitationId = `elicitation-${parts.note}`
    this.#parts = parts
    this.#waits = waitsOf({ ...parts, name, callOf, instance: parts.instance })
  }

  /** Has the client call the tool, or call it once more. */
  async begin(): Promise<void> {
    const { recorder, tool, instance, lendSlot } = this.#parts
    const args = { note: this.note }
    recorder.record({
      type: 'step',
      action: this.view().begun ? 'again' : 'begin',
      call: this.name,
      detail: { tool, arguments: args },
    })
    const running = await lendSlot(instance())
    await lendSlot(running.call(tool, args))
  }

  isOpened(argument: string): boolean {
    return argument === this.url || argument === this.secondUrl
  }

  /** Up to what names it, since a prompt may leave out the rest. */
  isShown(text: string): boolean {
    return [this.url, this.secondUrl].some((url) => shows(text, url.split('&')[0]!))
  }

  /** Where the second of two elicitations leads. */
  get secondUrl(): string {
    return secondUrlOf(this.url)
  }

  /** The client called the tool. */
  onToolCall(tool: ToolCall): void {
    this.#latest = tool
    if (this.#otherwise) return this.#otherwise(tool)
    this.#arrived.push(tool)
    this.#parts.recorder.record({ type: 'step', action: 'arrived', call: this.name, detail: {} })
  }

  /** Waits until the client calls the tool, for which it may have to start first. */
  async arrived(): Promise<ToolCall> {
    if (this.#current) return this.#current
    const { maxWaitMs } = this.#parts.run.timing
    await this.#waits.until('arrived', 'no call of the tool', () => this.#arrived[0], maxWaitMs)
    this.#current = this.#arrived.shift()
    return this.#current!
  }

  /** Asks for the URL to be opened, once the tool is called. */
  async ask(options: AskOptions = {}): Promise<void> {
    const tool = await this.arrived()
    const elicitation = membersOf(tool.capabilities['elicitation'])
    if (elicitation['url'] === undefined)
      throw new Unreached('the client does not declare elicitation in URL mode')
    const wanted = elicitationsFor(this, options)
    this.#wanted = wanted
    if (tool.modern) this.#finish({ result: inputRequired(this.note, wanted, options) })
    else if (options.byError) this.#finish({ error: urlRequired(wanted) })
    else for (const params of wanted) void tool.ask('elicitation/create', params)
  }

  /** Asks for anything else while the tool waits. */
  async askFor(params: Fields): Promise<ClientReply> {
    const tool = await this.arrived()
    return tool.ask('elicitation/create', params)
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

  /** Records what its user reads by now beside prompts. */
  async noteShown(): Promise<void> {
    const { recorder, instance, lendSlot } = this.#parts
    const text = (await lendSlot(instance())).shown()
    recorder.record({ type: 'step', action: 'shown', call: this.name, detail: { text } })
  }

  /** Waits until the user is asked or the client has answered, and gives up without a word. */
  async settled(): Promise<'prompted' | 'answered' | 'neither'> {
    try {
      await this.prompted()
      return 'prompted'
    } catch (error) {
      if (!(error instanceof Unreached)) throw error
      return this.view().replies.length > 0 ? 'answered' : 'neither'
    }
  }

  /** The user answers the prompt, the first one unless told otherwise. */
  async decide(action: Action, prompt = promptIn(this.view())): Promise<void> {
    if (!prompt) throw new Unreached('there is no prompt to answer')
    await this.#answer(prompt, action)
  }

  /**
   * The input of the client ends, so that its user says nothing any more.
   * @throws NotOffered where it has none
   */
  async endInput(): Promise<void> {
    const { recorder, instance, lendSlot } = this.#parts
    const { endInput } = await lendSlot(instance())
    if (!endInput) throw new NotOffered('it has no terminal that could be closed')
    recorder.record({ type: 'step', action: 'end-input', call: this.name, detail: {} })
    endInput()
  }

  /** The user declines where they are shown the URL, which may take another prompt than the first. */
  async declineShown(): Promise<void> {
    if ((await this.settled()) !== 'prompted') return
    const { host } = new URL(this.url)
    const { patience } = this.#parts
    const waiting = { waits: this.#waits, patience }
    const prompt = await shownPrompt(this, (each) => shows(textOf(each), host), waiting)
    if (prompt) await this.decide('decline', prompt)
  }

  async #answer(prompt: NonNullable<ReturnType<typeof promptIn>>, action: Action): Promise<void> {
    const { recorder, instance, lendSlot } = this.#parts
    const id = String(prompt.detail['id'])
    const detail = { prompt: id, action }
    recorder.record({ type: 'step', action: 'decide', call: this.name, detail })
    const running = await lendSlot(instance())
    await lendSlot(running.answer(id, action))
  }

  /** Of two URLs the user agrees to the first one and declines the other, in the order in which they are asked. */
  async decideBoth(): Promise<void> {
    const urls = [this.url, this.secondUrl]
    for (let left: readonly string[] = urls; left.length > 0;) {
      const isNew = newAmong(urls, left)
      const due = (call: CallView) =>
        call.prompts.find(isNew) ?? (call.replies.length < urls.length ? undefined : call)
      // The other one may be asked only when its user says that they are done with the first.
      if (left.length < urls.length && !(await this.#isDue(due))) await this.#sayFinished()
      const next = await this.#waits.until('prompt', 'no prompt', due)
      if (!('type' in next)) return
      const shown = urls.filter((url) => isAbout(next, url))
      if (shown.length !== 1) throw new NotOffered('the two questions cannot be told apart')
      await this.#answer(next, shown[0] === this.url ? 'accept' : 'decline')
      left = left.filter((url) => url !== shown[0])
    }
    const areAnswered = (): Promise<unknown> =>
      this.#confirmed(({ replies }) => replies[1], 'reply')
    // What its user agreed to may be accepted only when they say that they are back.
    if (!(await areAnswered()) && (await this.#sayFinished())) await areAnswered()
  }

  /**
   * The user agrees to everything that they are asked for, which is complete then. Whoever tries again before that is
   * refused with what is left; where nobody does, the user has the call made again.
   */
  async acceptEach(): Promise<void> {
    let left = this.#wanted
    this.#otherwise = (tool) => tool.finish({ error: urlRequired(left) })
    const urls = urlsOf(left)
    for (let agreed = 0; left.length > 0; agreed += 1) {
      const isNew = newAmong(urls, urlsOf(left))
      const asked = ({ prompts }: CallView) => prompts.slice(agreed).find(isNew)
      // What is left may be asked only when its user says that they have finished, or when they have the call made again.
      let prompt = await this.#isDue(asked)
      if (!prompt && (await this.#sayFinished())) prompt = await this.#isDue(asked)
      if (!prompt) {
        await this.begin()
        prompt = await this.#waits.until('prompt', 'no prompt for what is left', asked)
      }
      const before = this.view().opened.length
      await this.#answer(prompt, 'accept')
      if (this.#parts.opens) await this.#confirmed(({ opened }) => opened[before], 'opened')
      const about = left.filter(({ url }) => isAbout(prompt, String(url)))
      // A prompt that shows no URL is about one of them.
      const agreedTo = about.length > 0 ? about : left.slice(0, 1)
      left = left.filter((each) => !agreedTo.includes(each))
      for (const { elicitationId } of agreedTo) this.complete(String(elicitationId))
    }
    this.#otherwise = undefined
  }

  /** The user agrees to whatever else they are asked for once the first URL is opened. */
  async agreeToRest(): Promise<void> {
    const isNew = newAmong([this.url], [])
    const further = ({ prompts, decisions }: CallView) =>
      prompts.find((each) => isAfter(each, decisions.at(-1)) && isNew(each))
    // What is left may be asked only when its user says that they have finished, or the server that it is complete.
    this.complete()
    for (let asked = 0; asked < mostPrompts; asked += 1) {
      let prompt = await this.#isDue(further)
      if (!prompt && asked === 0 && (await this.#sayFinished())) prompt = await this.#isDue(further)
      if (!prompt) return
      await this.#answer(prompt, 'accept')
    }
  }

  /** Waits for a prompt as long as prompts take; `undefined` where none comes. */
  #isDue<T>(find: (call: CallView) => T | undefined): Promise<T | undefined> {
    return this.#waits.look(this.#parts.patience.within('prompt'), find)
  }

  /**
   * The user agrees to the second URL as well, and it is opened.
   * @throws NotOffered where they are not asked
   */
  async acceptSecond(): Promise<void> {
    const isNew = newAmong([this.url, this.secondUrl], [this.secondUrl])
    const before = this.view().decisions.length
    const prompt = await this.#waits
      .until('prompt', 'no prompt for the second URL', (call) =>
        call.prompts.find((each) => isAfter(each, agreedIn(call)) && isNew(each)),
      )
      .catch(asNotOffered)
    await this.#answer(prompt, 'accept')
    if (!this.#parts.opens) return
    const isIt = ({ opened }: CallView) =>
      opened.find(({ detail }) => detail['url'] === this.secondUrl)
    // What was said of the first URL is no answer to a further prompt for this one.
    const ofSecond = (call: CallView): CallView => ({
      ...call,
      prompts: call.prompts.filter(isNew),
      decisions: call.decisions.slice(before),
    })
    await confirm<CallView, unknown>(this, isIt, {
      waits: this.#waits,
      until: (find) =>
        this.#waits.until('opened', 'the second URL was not opened', (call) =>
          find(ofSecond(call)),
        ),
    })
  }

  /** The user agrees where they are asked; what is opened then has the time that opening takes. */
  async agreeIfAsked(): Promise<void> {
    const { opens, patience } = this.#parts
    const isOver = ({ replies }: CallView) => replies.find(({ action }) => action !== 'accept')
    await agreeIfAsked(this, { opens, patience, waits: this.#waits, isOver })
  }

  /** Whether its latest request came without a handshake (2026-07-28). */
  get isModern(): boolean {
    return this.#latest?.modern === true
  }

  /** Waits until the client has answered what it was asked: by calling again, in 2026-07-28. */
  async replied(): Promise<void> {
    if (this.isModern) return this.retried()
    // A client may answer only when its user says that they are back.
    await this.#comesOrIsSaid(() => this.view().replies[0])
    await this.#waits.until('reply', 'no answer to the elicitation', ({ replies }) => replies[0])
  }

  /** Waits until the URL is opened; the user of a client that opens none copies it. */
  async opened(): Promise<void> {
    if (this.#parts.opens) {
      await this.#waits.until('opened', 'nothing was opened', ({ opened }) => opened[0])
    } else {
      const prompt = promptIn(this.view())
      if (!prompt || !shows(textOf(prompt), this.url))
        throw new Unreached('the URL is not shown, so its user cannot copy it')
    }
  }

  /** The user agrees, and the URL is opened. */
  async accept(): Promise<void> {
    if (this.#parts.opens) {
      await agree<CallView, unknown>(this, ({ opened }) => opened[0], {
        waits: this.#waits,
        until: (find) =>
          this.#waits.until('opened', 'nothing was opened', (call) => find(this.#alone(call))),
      })
      return
    }
    await this.decide('accept')
    await this.opened()
  }

  /** The user says once more that they agree, where that is waited for. */
  #confirmed<T>(find: (call: CallView) => T | undefined, kind: string): Promise<T | undefined> {
    return confirm<CallView, T>(this, find, {
      waits: this.#waits,
      until: (look) =>
        this.#waits.look(this.#parts.patience.within(kind), (call) => look(this.#alone(call))),
    })
  }

  /** The user agrees, and the client opens the URL, or answers, or does neither. */
  async agree(): Promise<void> {
    await this.decide('accept')
    await this.#confirmed(({ opened, replies }) => opened[0] ?? replies[0], 'opened')
  }

  /** Without the prompts for what else it is asked to open. */
  #alone(call: CallView): CallView {
    if (call.askings.length < 2) return call
    return { ...call, prompts: call.prompts.filter((each) => isAbout(each, this.url)) }
  }

  /** Says that the interaction is complete, for another id where one is given: whether the client can hear it. */
  complete(elicitationId = this.elicitationId): boolean {
    const { recorder } = this.#parts
    const detail = { elicitationId }
    recorder.record({ type: 'step', action: 'complete', call: this.name, detail })
    const params = { elicitationId }
    if (this.#current) return this.#current.notify(completeMethod, params)
    return this.#latest?.session.notify(completeMethod, params) === true
  }

  /** Says of elicitations that there never were that they are complete: whether the client can hear it. */
  completeOthers(): boolean {
    const own = this.elicitationId
    const alike = [own.slice(0, -1), `${own}0`, `${own} `, own.toUpperCase()]
    const others = ['elicitation-of-nobody', ...alike]
    return others.map((each) => this.complete(each)).includes(true)
  }

  /** Has the other server say that it is complete, which knows nothing of it: whether the client can hear it. */
  completeElsewhere(): boolean {
    const { recorder, otherServer } = this.#parts
    const params = { elicitationId: this.elicitationId }
    const detail = { ...params, by: 'the other server' }
    recorder.record({ type: 'step', action: 'complete', call: this.name, detail })
    return otherServer.notify(completeMethod, params)
  }

  /** Gives the result, once the tool is called, and again to whoever calls it once more. */
  async finish(): Promise<void> {
    const { modern } = await this.arrived()
    this.#finishFrom(modern)
  }

  /** Gives the result, where the client still waits for it, or to whoever calls it later. */
  finishOpen(): void {
    this.#finishFrom(this.isModern)
    for (const tool of this.#arrived.splice(0)) this.#otherwise?.(tool)
  }

  #finishFrom(modern: boolean): void {
    const content = [{ type: 'text', text: '[{"id":"1"}]' }]
    const result = { ...(modern ? { resultType: 'complete' } : {}), content }
    this.#otherwise = (tool) => tool.finish({ result })
    this.#finish({ result })
  }

  /** Waits for the client to try again by itself; where it does not, its user says that they are done, or calls again. */
  async retried(): Promise<void> {
    const isDue = await this.#comesOrIsSaid(() => this.#arrived[0])
    if (!isDue && !this.#latest?.modern) await this.begin()
    await this.arrived()
  }

  /** Waits a moment for it; where it does not come, its user says that they are done. False: they have no way to say so. */
  async #comesOrIsSaid(find: () => unknown): Promise<boolean> {
    if (await this.#waits.look(this.#parts.run.timing.observeMs, find)) return true
    return this.#sayFinished()
  }

  /** Its user says that they are done. False: they have no way to say so. */
  async #sayFinished(): Promise<boolean> {
    const { recorder, instance, lendSlot } = this.#parts
    const { retry } = await lendSlot(instance())
    if (!retry) return false
    recorder.record({ type: 'step', action: 'again', call: this.name, detail: { by: 'retry' } })
    await lendSlot(retry())
    return true
  }

  /** Answers every further time that the tool is called with the same error. */
  refuseForEver(): void {
    const error = urlRequired(elicitationsFor(this))
    this.#otherwise = (tool) => tool.finish({ error })
    for (const tool of this.#arrived.splice(0)) this.#otherwise(tool)
  }

  /** The call as it is recorded by now. */
  view(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }

  /** Whether its user has agreed. */
  get agreed(): boolean {
    return agreedIn(this.view()) !== undefined
  }

  #finish(answer: Parameters<ToolCall['finish']>[0]): void {
    this.#current?.finish(answer)
    this.#current = undefined
  }
}

const completeMethod = 'notifications/elicitation/complete'

/** Prompts that the user answers for a second URL at most. */
const mostPrompts = 3

/** Milliseconds by which one way from the client to the harness may be slower than another, at least. */
const overtakenBy = 500

const urlsOf = (elicitations: readonly Fields[]): string[] =>
  elicitations.map(({ url }) => String(url))

/** Prompts for what is left, or for nothing that is known: a terminal may draw a question again that was answered. */
const newAmong =
  (known: readonly string[], left: readonly string[]) =>
  (prompt: CallView['prompts'][number]): boolean => {
    const about = known.filter((url) => isAbout(prompt, url))
    return about.length === 0 || about.some((url) => left.includes(url))
  }
