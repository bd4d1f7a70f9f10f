/** The three ways to reach the user of a client application: HTTP, standard input, an adapter. */

import { resolve } from 'node:path'
import { Unreachable, type Recorder, type Run } from '../../../harness/engine/index.ts'
import {
  carryOut,
  fill,
  freePort,
  HttpFailure,
  startAdapted,
  startImplementation,
  watchTalk,
  type AdapterOptions,
  type HttpResponse,
  type Transport,
} from '../../../harness/parties/index.ts'
import type { StreamingRequest, StreamingTransport } from '../../../harness/parties/streaming.ts'
import { userRequest } from '../../../harness/parties/host-user/user-request.ts'
import { startTyped } from '../../../harness/parties/implementation/process.ts'
import { comesInPieces, readAsItComes } from '../../host/streamed-answer.ts'
import type { ClientConfiguration } from './configuration.ts'
import type { ClientEvents, ClientInstance, Talk } from './instance.ts'
import { landingOf } from './landing-of.ts'
import { ownLinks } from './own-links.ts'
import { openedUrls } from './opened-urls.ts'

export interface InstanceParts extends ClientEvents {
  readonly run: Run
  readonly configuration: ClientConfiguration
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** A name for this start, and the folder that its data is below. */
  readonly name: string
  readonly dataRoot: string
  readonly transport: Transport
  /** Of the pages and links of whoever has that conversation; default: of the first. */
  readonly transportOf: (conversation?: string) => Transport
  /** Likewise, for an answer that may come for as long as it likes. */
  readonly streamingOf: (conversation: string) => StreamingTransport
  readonly caFile: string
  /** What it is to be told; placeholders of its command and environment. */
  readonly settings: Readonly<Record<string, string>>
  /** The environment that its own one is added to. */
  readonly env: Readonly<Record<string, string>>
  /** Whose conversations there are. */
  readonly talks: readonly Talk[]
  /** Where authorization URLs lead. */
  readonly endpoint: string
}

/** Links of one application to itself that are opened. */
const mostLinks = 20

/** @throws Unreachable, AdapterFailure */
export async function startInstance(given: InstanceParts): Promise<ClientInstance> {
  const { drive } = given.configuration
  if ('http' in drive) return served(given, drive.http)
  const parts = { ...given, settings: { ...given.settings, port: String(await freePort()) } }
  return 'stdin' in drive ? typedAt(parts, drive.stdin) : adapted(parts, drive.visits)
}

type Http = Extract<ClientConfiguration['drive'], { http: unknown }>['http']

async function served(parts: InstanceParts, { message, surface }: Http): Promise<ClientInstance> {
  const { run, configuration, base, name, dataRoot, transport, caFile, onOpened } = parts
  const { transportOf, streamingOf } = parts
  const { target } = configuration
  const { PATH = '', BROWSER = '' } = parts.env
  const implementation = await startImplementation({
    run,
    target: { ...target, env: { PATH, BROWSER, ...target.env } },
    base,
    name,
    placeholders: parts.settings,
    urlAs: 'client.url',
    transport,
    dataRoot,
    caFile,
  })
  const watching = new AbortController()
  const links = new Set<string>()
  let spoken = false
  /** Where no authorization URL is shown, a user opens the links that have come with the answer. */
  const follow = (text: string, conversation?: string): void => {
    const isLed = spoken && openedUrls(text, parts.endpoint).length === 0
    for (const path of ownLinks(text, implementation.url)) {
      if (links.has(path) || links.size >= mostLinks) continue
      links.add(path)
      if (isLed) void leadAway(implementation.url + path, conversation).catch(() => undefined)
    }
  }
  const getFor = (conversation?: string) => (url: string) => {
    const own = { headers: implementation.headers, within: run.timing.maxWaitMs }
    return transportOf(conversation)({ method: 'GET', url, ...own, signal: run.signal })
  }
  const leadAway = async (url: string, conversation?: string): Promise<void> => {
    const get = getFor(conversation)
    const led = await landingOf(await get(url), url, get)
    if ('away' in led) onOpened(led.away)
    // A page in between has the link that leads on.
    else if (led.page.status === 200) onText('page', led.page.body.text, conversation)
  }
  const onText = (source: string, text: string, conversation?: string): void => {
    parts.onText(source, text, conversation)
    follow(text, conversation)
  }
  for (const talk of parts.talks)
    void watchTalk(talk, implementation.url, watching.signal, {
      surfaces: surface,
      headers: implementation.headers,
      transport: transportOf(talk.conversation),
      onText: ({ source, text, conversation }) => onText(source, text, conversation),
    })
  const reads = surface.some((each) => 'response' in each)
  const read = async (answer: HttpResponse, at: string, conversation: string): Promise<void> => {
    const led = await landingOf(answer, at, getFor(conversation))
    if ('away' in led) onOpened(led.away)
    else onText('response', led.page.body.text, conversation)
  }
  /** What an answer shows may come in pieces, while its user is away. */
  const ask = async (
    request: Omit<StreamingRequest, 'signal'>,
    onPiece: (text: string) => void,
    conversation: string,
  ): Promise<HttpResponse> => {
    const { signal } = watching
    const answer = await streamingOf(conversation)({ ...request, signal })
    const { status, headers } = answer
    const body = await readAsItComes(answer, comesInPieces(headers) ? onPiece : () => undefined)
    return { status, headers: { ...headers }, body }
  }
  const send = async (talk: Talk, text: string, recorder: Recorder, call: string) => {
    spoken = true
    const { method, path, headers, body } = userRequest(
      message,
      { ...talk, text },
      implementation.headers,
    )
    const url = implementation.url + path
    const place = { channel: 'message', exchange: recorder.newExchange(), call } as const
    const sent = body === undefined ? {} : { body: { text: body, bytes: Buffer.byteLength(body) } }
    recorder.record({ type: 'request', ...place, method, url, headers, ...sent })
    try {
      const { conversation } = talk
      const request = { method, url, headers, body }
      const onPiece = (piece: string): void => onText('response', piece, conversation)
      const within = run.timing.maxWaitMs
      const answer = reads
        ? await ask(request, onPiece, conversation)
        : await transportOf(conversation)({ ...request, within, signal: run.signal })
      recorder.record({ type: 'response', ...place, ...answer })
      if (reads && !comesInPieces(answer.headers)) await read(answer, url, conversation)
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
    }
  }
  return {
    url: implementation.url,
    gone: implementation.gone,
    say: (talk, text, recorder, call) => void send(talk, text, recorder, call),
    async stop() {
      watching.abort()
      await implementation.stop()
    },
  }
}

function started({ configuration, base, settings, env }: InstanceParts) {
  const { target } = configuration
  const own = Object.entries(target.env).map(([name, value]) => [name, fill(value, settings)])
  return {
    command: (target.command ?? []).map((part) => fill(part, settings)),
    cwd: target.cwd ? resolve(base, target.cwd) : base,
    env: { ...env, ...(Object.fromEntries(own) as Record<string, string>) },
  }
}

type Stdin = Extract<ClientConfiguration['drive'], { stdin: unknown }>['stdin']

async function typedAt(parts: InstanceParts, { line, paste }: Stdin): Promise<ClientInstance> {
  const { configuration, onText, onOutput } = parts
  const life = new AbortController()
  const options: Parameters<typeof startTyped>[1] = {
    ...started(parts),
    onLine(source, text, bytes) {
      // What it prints is what its user reads; what it complains of is a log.
      if (source === 'stdout') onText(source, text)
      else onOutput(source, text, bytes)
    },
  }
  const starting = startTyped(parts.run.starts, options, configuration.target.readyTimeout)
  const running = await starting.catch((error: unknown) => {
    throw new Unreachable((error as Error).message)
  })
  void running.exited.then((how) => life.abort(`the client ${how}`))
  return {
    url: undefined,
    gone: life.signal,
    say(talk, text, recorder, call) {
      const typed = fill(line, { ...talk, text }).replaceAll(/[\r\n]+/g, ' ')
      recorder.record({ type: 'step', action: 'typed', call, detail: { text: typed } })
      running.write(`${typed}\n`)
    },
    ...(paste === undefined
      ? {}
      : { visit: async (url) => Promise.resolve(running.write(`${fill(paste, { url })}\n`)) }),
    stop: () => running.stop(configuration.target.stopTimeout),
  }
}

async function adapted(parts: InstanceParts, visits: boolean): Promise<ClientInstance> {
  const { configuration, settings, onText, onOpened, onOutput } = parts
  const options: AdapterOptions = {
    ...started(parts),
    within: configuration.target.readyTimeout,
    onLog: (text, bytes) => onOutput('stderr', text, bytes),
    onNotice(notice) {
      if (notice.event === 'opened') onOpened(notice.url)
      else if (notice.event === 'surfaced') onText('adapter', notice.text, notice.conversation)
      else if (notice.event === 'log') onOutput('log', notice.text, notice.text.length)
    },
  }
  const adapter = await startAdapted(parts.run.starts, options, settings)
  return {
    url: undefined,
    gone: adapter.gone,
    say(talk, text, recorder, call) {
      recorder.record({ type: 'step', action: 'typed', call, detail: { text } })
      const sending = carryOut(adapter, { command: 'message', ...talk, text })
      // What fails ends the adapter, or is seen by what does not come.
      sending.catch((error: unknown) => onOutput('adapter', String(error), 0))
    },
    ...(visits
      ? { visit: async (url) => void (await carryOut(adapter, { command: 'visit', url })) }
      : {}),
    stop: () => adapter.close(configuration.target.stopTimeout),
  }
}
