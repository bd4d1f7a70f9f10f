/** An agent that is reached through an adapter: a library that makes URLs and credentials in its own process. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorder, Run } from '../../../harness/engine/index.ts'
import {
  bodyLimit,
  carryOut,
  freePort,
  HttpFailure,
  launchAdapter,
  type Adapter,
  type AdapterNotice,
  type CommandToSend,
  type Deployment,
  type HttpResponse,
  type Surroundings,
} from '../../../harness/parties/index.ts'
import { withDeadline } from '../../../harness/engine/deadline.ts'
import { fieldsOf, type Fields } from '../wire.ts'
import type { AgentConfiguration } from './configuration.ts'
import { longestExchange, recordExchange, type AgentApi, type ApiChannel } from './agent-api.ts'
import { adapterScheme } from './view.ts'

type Launch = Omit<Parameters<typeof launchAdapter>[0], 'onNotice' | 'onLog' | 'speaks'>

export interface AdaptedOptions extends Launch {
  readonly run: Run
  /** Names the instance in the log of the run. */
  readonly name: string
}

/** What makes an agent take a turn. */
type Turn = Extract<CommandToSend, { command: 'message' | 'respond' }>
type Consent = Extract<CommandToSend, { command: 'begin_consent' | 'complete_consent' }>

interface Running {
  readonly events: Fields[]
  bytes: number
  readonly end: (answer: HttpResponse) => void
}

/** Takes turns, one after the other in each conversation: an event says no more than which conversation it is of. */
export class AdaptedAgent {
  readonly #options: AdaptedOptions
  readonly #turns = new Map<string, Running>()
  readonly #last = new Map<string, Promise<unknown>>()
  #adapter: Adapter | undefined

  private constructor(options: AdaptedOptions) {
    this.#options = options
  }

  /** @throws AdapterFailure */
  static async start(options: AdaptedOptions): Promise<AdaptedAgent> {
    const agent = new AdaptedAgent(options)
    const { run, name } = options
    agent.#adapter = await launchAdapter({
      ...options,
      speaks: 3,
      onNotice: (notice) => agent.#take(notice),
      onLog(text, bytes) {
        run.log.record({ type: 'output', source: `${name} stderr`, text, bytes })
      },
    })
    return agent
  }

  /** Why it runs no more, if so. */
  get lost(): string | undefined {
    const { gone } = this.#running
    return gone.aborted ? String(gone.reason) : undefined
  }

  /** The events that come of a message, once the turn has ended. */
  turn(command: Turn): Promise<HttpResponse> {
    const { conversation } = command
    const before = this.#last.get(conversation)
    const taken = before ? before.then(() => this.#turn(command)) : this.#turn(command)
    this.#last.set(
      conversation,
      taken.catch(() => undefined),
    )
    return taken
  }

  /** What is refused is answered as a route would answer it. */
  async consent(command: Consent): Promise<HttpResponse> {
    const answer = await this.#running.send(command)
    if (answer.event === 'failed') return answered(400, { error: answer.message })
    if (answer.event === 'unsupported')
      throw new HttpFailure('unsupported', `the adapter does not support ${command.command}`)
    const { authUri, flowId, credential } = answer
    return answered(200, { authUri, flowId, credential })
  }

  /** The session of a conversation, where the adapter can tell. */
  async session(conversation: string): Promise<HttpResponse> {
    const answer = await this.#running.send({ command: 'dump' })
    const entries = answer.event === 'settled' ? (answer.entries ?? []) : []
    const own = entries.find(({ kind, path }) => kind === 'session' && path === conversation)
    if (!own) throw new HttpFailure('unsupported', 'the adapter does not dump this session')
    return { status: 200, headers: {}, body: { text: own.text, bytes: own.text.length } }
  }

  async restart(): Promise<void> {
    await carryOut(this.#running, { command: 'restart' })
  }

  async stop(): Promise<void> {
    await this.#adapter?.close(this.#options.target.stopTimeout)
  }

  get #running(): Adapter {
    if (!this.#adapter) throw new Error('it was not started')
    return this.#adapter
  }

  async #turn(command: Turn): Promise<HttpResponse> {
    const { run } = this.#options
    const within = longestExchange(run)
    const { gone } = this.#running
    return withDeadline(within, run.signal, async (signal) => {
      const ended = new Promise<HttpResponse>((resolve, reject) => {
        const late = (): void =>
          reject(new HttpFailure('timeout', `the turn did not end within ${within} ms`))
        signal.addEventListener('abort', late, { once: true })
        if (signal.aborted) late()
        this.#turns.set(command.conversation, { events: [], bytes: 0, end: resolve })
      })
      const lost = new Promise<never>((_, reject) => {
        const fail = (): void => reject(gone.reason as Error)
        gone.addEventListener('abort', fail, { once: true, signal })
        if (gone.aborted) fail()
      })
      const over = Promise.race([ended, lost])
      const sent = carryOut(this.#running, command)
      return Promise.all([over, sent]).then(([answer]) => answer)
    })
  }

  #take(notice: AdapterNotice): void {
    const { log } = this.#options.run
    const about = 'conversation' in notice ? notice.conversation : undefined
    const turn = this.#turns.get(typeof about === 'string' ? about : '')
    if (!turn) {
      log.record({ type: 'step', action: 'adapter', detail: { ...notice } })
      return
    }
    if (notice.event === 'agent_event') {
      turn.bytes += JSON.stringify(notice.payload).length
      if (turn.bytes <= bodyLimit) turn.events.push(notice.payload)
    } else if (notice.event === 'finished') {
      turn.end(answered(200, turn.events))
    } else if (notice.event === 'run_failed') {
      turn.end(answered(500, { error: `${notice.kind}: ${notice.message}` }))
    }
  }
}

/** The adapter, and the agent behind it. @throws AdapterFailure */
export async function startAdapted(
  { name, placeholders, additions }: Deployment,
  { run, caFile, dataRoot, configuration: { base } }: Surroundings,
  { target }: AgentConfiguration,
): Promise<AdaptedAgent> {
  const data = join(dataRoot, name)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const settings = { ...placeholders, port: String(await freePort()), 'data.dir': data }
  return AdaptedAgent.start({ run, name, target, base, caFile, settings, additions })
}

function answered(status: number, body: unknown): HttpResponse {
  const text = JSON.stringify(body)
  return { status, headers: {}, body: { text, bytes: Buffer.byteLength(text) } }
}

/** The commands of an adapter in place of ADK's REST API, recorded as what they stand for. */
export function adaptedApi(recorder: Recorder, agent: AdaptedAgent): AgentApi {
  const exchange = <C extends CommandToSend>(
    channel: ApiChannel,
    command: C,
    call: string | undefined,
    ask: (command: C) => Promise<HttpResponse>,
  ) => {
    const { command: name, ...fields } = command
    const method = name === 'dump' ? 'GET' : 'POST'
    const text = JSON.stringify(fields)
    const asked = { channel, call, method, url: `${adapterScheme}${name}`, headers: {}, text }
    return recordExchange(recorder, asked, () => ask(command))
  }
  const turn = (command: Turn): Promise<HttpResponse> => agent.turn(command)
  return {
    // With the first message of a conversation its session begins.
    createSession: () => Promise.resolve(undefined),
    readSession: ({ session }) =>
      exchange('api', { command: 'dump' }, undefined, () => agent.session(session)),
    send({ user, session: conversation }, [part = {}], call) {
      const { text, functionResponse } = part
      return functionResponse === undefined
        ? exchange(
            'api',
            { command: 'message', conversation, user, text: String(text) },
            call,
            turn,
          )
        : exchange(
            'api',
            { command: 'respond', conversation, user, response: responseIn(functionResponse) },
            call,
            turn,
          )
    },
    consent(step, { userId, authConfig, flowId, state, code, iss }, call) {
      const user = String(userId)
      const command: Consent =
        step === 'begin'
          ? { command: 'begin_consent', user, config: fieldsOf(authConfig) }
          : {
              command: 'complete_consent',
              user,
              flowId: String(flowId),
              code: String(code),
              ...(typeof state === 'string' ? { state } : {}),
              ...(typeof iss === 'string' ? { iss } : {}),
            }
      return exchange('consent', command, call, (each) => agent.consent(each))
    },
  }
}

function responseIn(given: unknown): Extract<Turn, { command: 'respond' }>['response'] {
  const { id, name, response } = fieldsOf(given)
  return { id: String(id), name: String(name), response }
}
