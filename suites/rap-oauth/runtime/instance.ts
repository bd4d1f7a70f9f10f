/** One running instance of the runtime under test, in whichever way it is talked to. */

import { setMaxListeners } from 'node:events'
import { Unreached, type Recorder, type Run } from '../../../harness/engine/index.ts'
import { HttpFailure, type Implementation, type Transport } from '../../../harness/parties/index.ts'
import type { HttpTemplate } from '../../../harness/parties/host-user/configuration.ts'
import { userRequest } from '../../../harness/parties/host-user/user-request.ts'
import type { RuntimeConfiguration } from './configuration.ts'

/** Whose conversation something is about. */
export interface Talk {
  readonly conversation: string
  readonly user: string
}

export interface Instance {
  /** Its data folder is called so. */
  readonly name: string
  /** The process, where it is spoken to directly. */
  readonly implementation?: Implementation | undefined
  readonly url: string
  readonly owned: boolean
  readonly gone: AbortSignal
  /** Resolves once what this user says can be taken. */
  ready(talk: Talk): Promise<void>
  /** Sends what a user says, without waiting for what comes of it. */
  say(talk: Talk, text: string, recorder: Recorder, call?: string): void
  /** Interrupts what is pending in a conversation. */
  cancel(talk: Talk, recorder: Recorder): Promise<void>
  /** Begins to look at the surfaces of a conversation; gives what ends that, and resolves when nobody looks any more. */
  watch(talk: Talk): () => Promise<void>
  restart(): Promise<void>
  /** Moves its clock; false where that is not possible. */
  advanceClock(ms: number): Promise<boolean>
  /** What it stores, by its own account; only an adapter gives one. */
  dump(): Promise<readonly Dumped[]>
  check(within: number): Promise<string | undefined>
  stop(): Promise<void>
}

export interface Dumped {
  readonly path: string
  readonly text: string
}

export interface DirectParts {
  readonly name: string
  readonly implementation: Implementation
  readonly configuration: RuntimeConfiguration
  readonly transport: Transport
  readonly run: Run
  /** Begins to look at one conversation until the signal is aborted. */
  readonly watch: (talk: Talk, url: string, signal: AbortSignal) => Promise<void>
  /** What the answer to a message shows to its user. */
  readonly onResponse: (talk: Talk, text: string) => void
}

/** An instance that speaks HTTP, or reads its standard input. */
export function directInstance(parts: DirectParts): Instance {
  const { name, implementation, configuration, run, onResponse } = parts
  const { messages, declares } = configuration
  const watching = new Set<AbortController>()
  return {
    name,
    implementation,
    url: implementation.url,
    owned: implementation.owned,
    get gone() {
      return implementation.gone
    },
    ready: () => Promise.resolve(),
    say(talk, text, recorder, call) {
      if ('http' in messages) {
        const sending = send(parts, messages.http, { ...talk, text }, recorder, call)
        void sending.then((answer) => answer && onResponse(talk, answer))
      } else {
        recorder.record({
          type: 'step',
          action: 'typed',
          ...(call ? { call } : {}),
          detail: { text },
        })
        implementation.write(`${text.replace(/\s*\n\s*/g, ' ')}\n`)
      }
    },
    async cancel(talk, recorder) {
      const { cancel } = declares
      if (!cancel || !('http' in cancel)) throw new Unreached('no way to cancel is declared')
      await send(parts, cancel.http, { ...talk, text: '' }, recorder)
    },
    watch(talk) {
      const own = new AbortController()
      // Every request of its surfaces listens for the end.
      setMaxListeners(0, own.signal)
      watching.add(own)
      const watched = parts.watch(talk, implementation.url, own.signal)
      return async () => {
        own.abort()
        await watched
      }
    },
    restart: () => implementation.restart(),
    advanceClock: () => Promise.resolve(false),
    dump: () => Promise.resolve([]),
    check: (within) => implementation.check(within),
    async stop() {
      for (const each of watching) each.abort()
      await implementation.stop()
    },
  }

  /** Sends a request of the configuration and gives the text of its answer. */
  async function send(
    { transport }: DirectParts,
    template: HttpTemplate,
    values: Talk & { readonly text: string },
    recorder: Recorder,
    call?: string,
  ): Promise<string | undefined> {
    const { method, path, headers, body } = userRequest(template, values, implementation.headers)
    const url = implementation.url + path
    const exchange = recorder.newExchange()
    const place = { channel: 'message', exchange, ...(call ? { call } : {}) } as const
    const shown = body === undefined ? {} : { body: { text: body, bytes: Buffer.byteLength(body) } }
    recorder.record({ type: 'request', ...place, method, url, headers, ...shown })
    try {
      const within = run.timing.maxWaitMs
      const answer = await transport({ method, url, headers, body, within, signal: run.signal })
      recorder.record({ type: 'response', ...place, ...answer })
      return answer.status < 400 ? answer.body.text : undefined
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
      return undefined
    }
  }
}
