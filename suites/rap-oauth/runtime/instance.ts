/** One running instance of the runtime under test, in whichever way it is talked to. */

import { setMaxListeners } from 'node:events'
import { Unreached, type Recorder, type Run } from '../../../harness/engine/index.ts'
import { HttpFailure, type Implementation, type Transport } from '../../../harness/parties/index.ts'
import type { HttpResponse } from '../../../harness/parties/http.ts'
import type { StreamingRequest, StreamingTransport } from '../../../harness/parties/streaming.ts'
import type { HttpTemplate } from '../../../harness/parties/host-user/configuration.ts'
import { userRequest } from '../../../harness/parties/host-user/user-request.ts'
import type { RuntimeConfiguration } from './configuration.ts'
import { readAsItComes } from '../../host/streamed-answer.ts'

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
  readonly streaming: StreamingTransport
  /** What the answer to a message shows to its user, piece by piece; nothing where it shows nothing. */
  readonly onResponse?: ((talk: Talk, text: string) => void) | undefined
}

/** An instance that speaks HTTP, or reads its standard input. */
export function directInstance(parts: DirectParts): Instance {
  const { name, implementation, configuration, run, transport, streaming, onResponse } = parts
  const { messages, declares } = configuration
  const watching = new Set<AbortController>()
  /** Ends the answers that are still being read. */
  const reading = new AbortController()
  setMaxListeners(0, reading.signal)
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
        const onText = onResponse && ((shown: string) => onResponse(talk, shown))
        void send(messages.http, { ...talk, text }, { recorder, call, onText })
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
      await send(cancel.http, { ...talk, text: '' }, { recorder })
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
      for (const each of [...watching, reading]) each.abort()
      await implementation.stop()
    },
  }

  /** Sends a request of the configuration; what its answer shows may come for as long as it likes. */
  async function send(
    template: HttpTemplate,
    values: Talk & { readonly text: string },
    { recorder, call, onText }: Sending,
  ): Promise<void> {
    const { method, path, headers, body } = userRequest(template, values, implementation.headers)
    const url = implementation.url + path
    const exchange = recorder.newExchange()
    const place = { channel: 'message', exchange, ...(call ? { call } : {}) } as const
    const shown = body === undefined ? {} : { body: { text: body, bytes: Buffer.byteLength(body) } }
    recorder.record({ type: 'request', ...place, method, url, headers, ...shown })
    const request = { method, url, headers, body }
    try {
      const answer = onText
        ? await readStream(request, onText)
        : await transport({ ...request, within: run.timing.maxWaitMs, signal: run.signal })
      recorder.record({ type: 'response', ...place, ...answer })
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
    }
  }

  async function readStream(
    request: Omit<StreamingRequest, 'signal'>,
    onText: (text: string) => void,
  ): Promise<HttpResponse> {
    const { signal } = reading
    const answer = await streaming({ ...request, signal })
    const { status, headers } = answer
    const isShown = status < 400
    const body = await readAsItComes(answer, (text) => {
      if (isShown && text !== '') onText(text)
    })
    return { status, headers: { ...headers }, body }
  }
}

interface Sending {
  readonly recorder: Recorder
  readonly call?: string | undefined
  /** Takes what the answer shows. */
  readonly onText?: ((text: string) => void) | undefined
}
