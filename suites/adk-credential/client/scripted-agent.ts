/** The agent that a client application is connected to: sessions, the script of each message, and whose answer is awaited. */

import { fieldsOf, listIn, member, requestName, textIn, type Fields } from '../wire.ts'
import { idleText } from './vocabulary.ts'
import { finalEvent, pausingEvents, resultEvent, saidEvent, type Ask } from './script.ts'

/** What the agent does with the next message of a user. */
export interface Turn {
  readonly call: string
  /** What it asks for; nothing: it answers at once. */
  readonly asks: readonly Ask[]
  /** What it asks for when these are answered. */
  readonly later?: readonly Ask[]
  /** The answer to a credential is an error. */
  readonly fails?: true
}

/** A message of the client application. */
export interface Message {
  readonly key: string
  readonly parts: readonly unknown[]
}

/** What comes of it: events, or an error that has no events. */
export type Outcome =
  { readonly events: readonly Fields[] } | { readonly status: number; readonly error: string }

interface Pending {
  readonly ask: Ask
  readonly turn: Turn
  readonly key: string
  answered: boolean
}

/** Sessions that are kept. */
const mostSessions = 200
/** Events of a session that are kept: the newest. */
const mostEvents = 500
/** Why a turn fails where the script says so: words that nothing else of the agent has. */
const failureText = 'Token exchange refused by upstream'

/** One per client application. */
export class ScriptedAgent {
  readonly #turns: Turn[] = []
  readonly #sessions = new Map<string, Fields>()
  readonly #pending = new Map<string, Pending>()
  readonly #latest: { call: string | undefined } = { call: undefined }

  /** The next message that no other turn was planned for gets this one. */
  plan(turn: Turn): void {
    this.#turns.push(turn)
  }

  openSession(app: string, user: string, id: string): Fields | undefined {
    const key = keyOf(app, user, id)
    const known = this.#sessions.get(key)
    if (known) return known
    if (this.#sessions.size >= mostSessions) return undefined
    const session = { id, appName: app, userId: user, state: {}, events: [], lastUpdateTime: 0 }
    this.#sessions.set(key, session)
    return session
  }

  session(key: string): Fields | undefined {
    return this.#sessions.get(key)
  }

  sessionsOf(app: string, user: string): readonly Fields[] {
    return [...this.#sessions.values()].filter(
      (each) => each['appName'] === app && each['userId'] === user,
    )
  }

  /** The call that a message belongs to. */
  callOf({ parts }: Message): string | undefined {
    const asked = parts.flatMap(answerIn).map(({ id }) => this.#pending.get(id)?.ask.call)
    return asked.find((call) => call !== undefined) ?? this.#turns[0]?.call ?? this.#latest.call
  }

  /** What was redeemed is told only when this has come about. */
  until: Promise<void> = Promise.resolve()

  /** What comes of a message, once: what it redeems is redeemed. Its session can be read afterwards. */
  take(message: Message): Outcome {
    const answers = message.parts.flatMap(answerIn)
    const outcome = answers.length > 0 ? this.#resume(message, answers) : this.#begin(message)
    this.#keep(message, 'events' in outcome ? outcome.events : [])
    return outcome
  }

  /** As ADK does: what the user has said is an event, too, and parts of a text that is being streamed are none. */
  #keep({ key, parts }: Message, events: readonly Fields[]): void {
    const session = this.#sessions.get(key)
    if (!session) return
    const whole = events.filter((event) => event['partial'] !== true)
    const all = [...listIn(session['events']), saidEvent(parts), ...whole].slice(-mostEvents)
    this.#sessions.set(key, { ...session, events: all, lastUpdateTime: Date.now() / 1000 })
  }

  /** The request that an AuthConfig came from, in the dialect of responses. */
  askOf(config: Fields): Ask | undefined {
    const key = textIn(member(config, 'credentialKey'))
    const all = [...this.#pending.values()].map(({ ask }) => ask)
    return all.find((ask) => key !== undefined && member(ask.config, 'credentialKey') === key)
  }

  askById(id: string): Ask | undefined {
    return this.#pending.get(id)?.ask
  }

  #begin({ key }: Message): Outcome {
    const turn = this.#turns.shift()
    this.#latest.call = turn?.call ?? this.#latest.call
    return { events: turn ? this.#pause(turn, key) : [finalEvent(idleText)] }
  }

  #pause(turn: Turn, key: string): Fields[] {
    for (const ask of turn.asks) this.#pending.set(ask.id, { ask, turn, key, answered: false })
    return pausingEvents(turn.asks)
  }

  /** Only what is pending in this session is answered. */
  #resume({ key }: Message, answers: readonly Answer[]): Outcome {
    const taken = answers.flatMap(({ id, name }) => {
      const pending = this.#pending.get(id)
      const isIt = name === requestName && pending?.key === key && !pending.answered
      return isIt ? [pending] : []
    })
    const [first] = taken
    if (!first) return { events: [] }
    if (first.turn.fails) return { status: 500, error: failureText }
    for (const each of taken) each.answered = true
    const rest = [...this.#pending.values()].some(
      ({ turn, answered }) => turn === first.turn && !answered,
    )
    const results = taken.map(({ ask }) => resultEvent(ask))
    if (rest) return { events: results }
    const { call, later = [] } = first.turn
    return { events: [...results, ...this.#pause({ call, asks: later }, key)] }
  }
}

interface Answer {
  readonly id: string
  readonly name: string
}

function answerIn(part: unknown): Answer[] {
  const found = member(fieldsOf(part), 'functionResponse')
  if (found === undefined || found === null) return []
  const { id, name } = fieldsOf(found)
  return [{ id: textIn(id) ?? '', name: textIn(name) ?? '' }]
}

/** The parts of the new message of a request. */
export function partsIn(body: Fields): readonly unknown[] {
  return listIn(fieldsOf(member(body, 'newMessage'))['parts'])
}

export function keyOf(app: string, user: string, session: string): string {
  return JSON.stringify([app, user, session])
}
