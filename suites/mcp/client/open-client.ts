/** Opens what one scenario has for itself: a client under test, the servers that it knows, a browser, and a site. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Patience,
  type BaseConfiguration,
  type OpenOptions,
  type Recorder,
  type ScenarioContext,
  type TestBed,
  type Timing,
} from '../../../harness/engine/index.ts'
import {
  createAuthority,
  inherited,
  startBrowserShims,
  type ServerCertificate,
} from '../../../harness/parties/index.ts'
import { serveHttp } from '../wire/http-server.ts'
import { McpServer, type ToolCall } from '../wire/server.ts'
import { serveStdio } from '../wire/stdio-server.ts'
import { textIn } from '../wire/values.ts'
import type { ClientInstance } from './instance.ts'
import { startRecordedSite, type RecordedSite } from './recorded-site.ts'
import { startClient, type StartConfiguration } from './start-client.ts'

/** What all clients of a run share. */
export interface ClientBed<Configuration extends StartConfiguration> {
  readonly options: OpenOptions<Configuration>
  readonly patience: Patience
  /** Ends what scenarios have opened. */
  readonly running: Set<() => Promise<void>>
  /** What scenarios have opened, and is about to end. */
  readonly ending: Set<Promise<void>>
  /** Why clients ended by themselves. */
  readonly died: string[]
  /** Of the sites, made when it is first asked for; nobody needs to trust it. */
  readonly certificate: () => Promise<ServerCertificate>
}

/** The test bed of a profile whose scenarios each start clients of their own. */
export function clientTestBed<
  Configuration extends BaseConfiguration & StartConfiguration,
  Fixtures,
>(
  options: OpenOptions<Configuration>,
  fixtures: (bed: ClientBed<Configuration>, context: ScenarioContext) => Fixtures,
): TestBed<Fixtures> {
  const patience = new Patience(options.run.timing)
  let certificate: Promise<ServerCertificate> | undefined
  const bed: ClientBed<Configuration> = {
    options,
    patience,
    running: new Set(),
    ending: new Set(),
    died: [],
    certificate: () => (certificate ??= createAuthority().then((authority) => authority.issue([]))),
  }
  return {
    facts: { implementation: options.configuration.target.command?.join(' ') },
    fixtures: (context) => fixtures(bed, context),
    survived: () => Promise.resolve(bed.died[0]),
    async close() {
      await Promise.all([...bed.running].map((stop) => stop()))
    },
  }
}

/** What scenarios of every client act with. */
export interface ClientFixtures {
  readonly timing: Timing
  /** Watches for what must not happen: the observation window of the run. */
  readonly observe: () => Promise<void>
  /** Watches while its user says nothing, for longer than a client may wait before it takes that for an answer. */
  readonly silence: () => Promise<void>
  /** Marks this moment for the checks. */
  readonly mark: (name: string) => void
}

/** Milliseconds for which a user says nothing, where the run waits that long for anything. */
const longSilence = 20_000

export function clientFixtures(
  { options: { run } }: ClientBed<StartConfiguration>,
  { recorder, offSlot }: ScenarioContext,
): ClientFixtures {
  const watch = async (ms: number): Promise<void> => {
    await offSlot(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
    if (!run.signal.aborted) recorder.record({ type: 'step', action: 'window', detail: { ms } })
  }
  const { observeMs, maxWaitMs } = run.timing
  return {
    timing: run.timing,
    observe: () => watch(observeMs),
    silence: () => watch(Math.max(observeMs, Math.min(longSilence, maxWaitMs))),
    mark: (name) => recorder.record({ type: 'step', action: 'mark', detail: { name } }),
  }
}

/** A part that no other scenario has, by which everything that belongs to a client is known. */
export const newSuffix = (): string => randomBytes(4).toString('hex')

/** The tools of the two servers: a client that knows both can tell them apart. */
export const tools = ['list_items', 'list_notes'] as const

/** A call that the client is to make. */
export interface DrivenCall {
  readonly name: string
  /** What makes it known, in the arguments of the tool. */
  readonly note: string
  /** Whether a browser was opened for it with this argument. */
  isOpened(argument: string): boolean
  /** Whether a prompt with this text is about what it asks for. */
  isShown(text: string): boolean
  /** The client called the tool. */
  onToolCall(tool: ToolCall): void
}

export interface OpenedClient {
  /** As it runs now. */
  readonly instance: Promise<ClientInstance>
  /** Ends it, and starts it again with the same data. */
  readonly restart: () => Promise<void>
  readonly site: RecordedSite
  /** Those that it knows, in the order of their tools. */
  readonly servers: readonly McpServer[]
}

export interface OpenParts {
  /** Whether its servers speak 2026-07-28 and nothing else. */
  readonly modern: boolean
  /** The channel on which requests to the site are recorded. */
  readonly channel: string
  /** The calls that there are by now. */
  readonly calls: readonly DrivenCall[]
  /** Whether the site has TLS. */
  readonly httpsOnly: boolean
  /** What else is recorded of the client when it starts. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Where the clients of a run have their data folders, and nothing is of ours. */
export const dataRootOf = (workDirectory: string): string => join(workDirectory, 'data')

/** Starts the client; it ends with its scenario, or with the run. */
export async function openClient(
  bed: ClientBed<StartConfiguration>,
  context: ScenarioContext,
  { modern, channel, calls, httpsOnly, detail: further = {} }: OpenParts,
): Promise<OpenedClient> {
  const { run, configuration, base, workDirectory } = bed.options
  const { recorder } = context
  const suffix = newSuffix()
  const label = `${recorder.scenario}-${suffix}`
  const [folder, own] = [join(dataRootOf(workDirectory), label), join(workDirectory, 'own', label)]
  for (const each of [folder, own]) mkdirSync(each, { recursive: true })
  const closing: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    bed.running.delete(close)
    for (const each of closing.splice(0).toReversed()) await each()
  }
  bed.running.add(close)
  void context.ended.then(() => {
    const ending = close().finally(() => bed.ending.delete(ending))
    bed.ending.add(ending)
  })
  const latest = (): DrivenCall | undefined => calls.at(-1)
  const noted = (text: string): DrivenCall | undefined =>
    calls.find(({ note }) => text.includes(note))

  const site = await startRecordedSite({
    recorder,
    channel,
    callOf: (path) => (noted(path) ?? latest())?.name,
    certificate: httpsOnly ? await bed.certificate() : undefined,
  })
  closing.push(() => site.close())
  const servers = tools.map((tool, index) => {
    const name = `${['warehouse', 'notebook'][index]}-${suffix}`
    // A retry that has lost its arguments is known by its state (2026-07-28).
    const callOf = (params: Readonly<Record<string, unknown>>): DrivenCall | undefined =>
      noted(JSON.stringify(params['arguments'] ?? null)) ??
      noted(textIn(params['requestState'])) ??
      latest()
    return new McpServer({
      recorder,
      name,
      modern,
      info: { name, title: `Server ${name}`, version: '1.0.0' },
      tools: [describeTool(tool)],
      callOf: (params) => callOf(params)?.name,
      onCall: (call) => {
        const known = callOf(call.params)
        if (known) known.onToolCall(call)
        else call.finish({ error: { code: -32602, message: 'nobody asked for this call' } })
      },
    })
  })
  const settings: Record<string, string> = { 'data.dir': folder }
  for (const [index, server] of servers.entries()) {
    const end = index === 0 ? '' : String(index + 1)
    const [http, stdio] = [
      await serveHttp(server),
      await serveStdio(server, own, server.parts.name),
    ]
    closing.push(
      () => http.close(),
      () => stdio.close(),
    )
    settings[`mcp.name${end}`] = server.parts.name
    settings[`mcp.url${end}`] = http.url
    settings[`mcp.command${end}`] = stdio.command
  }
  const detail = {
    names: servers.map(({ parts }) => [parts.name, parts.info.title]),
    places: [settings['mcp.url'], settings['mcp.url2']],
    site: site.origin,
    ...further,
    modern,
  }
  recorder.record({ type: 'step', action: 'client', detail })

  // A client may say that it opens what its browser tells as well: that is one opening, told twice.
  const told = new Set<string>()
  const onOpened = (url: string, by: 'browser' | 'client' = 'client'): void => {
    const asked = calls.filter((each) => each.isOpened(url))
    // Several calls may have asked for the same URL: what was opened once for each of them is opened for the last one again.
    const call = asked.find(({ name }) => !told.has(`${name} ${by}`)) ?? asked.at(-1) ?? latest()
    told.add(`${call?.name} ${by}`)
    note(recorder, call?.name, 'opened', { url, by })
  }
  const shims = await startBrowserShims(join(own, 'bin'), (args) =>
    onOpened(
      args.find((each) => calls.some((call) => call.isOpened(each))) ?? textIn(args.at(-1)),
      'browser',
    ),
  )
  closing.push(() => shims.close())
  // Where each has the same port, the one before has to leave it.
  if (context.alone()) await Promise.all(bed.ending)
  let isEnding = false
  const start = (): Promise<ClientInstance> => {
    const starting = startClient(configuration, base, settings, {
      starts: run.starts,
      env: shims.environment(inherited()),
      onPrompt(shown) {
        const text = [shown.text, shown.url].join('\n')
        const call = calls.findLast((each) => each.isShown(text)) ?? latest()
        note(recorder, call?.name, 'prompt', { ...shown })
      },
      onOpened: (url) => onOpened(url),
      onOutput(source, text, bytes) {
        const place = `${recorder.scenario} ${source}`
        run.log.record({ type: 'output', source: place, text, bytes })
      },
    })
    isEnding = false
    // Whoever waits for it hears of it.
    starting.then(
      ({ gone }) =>
        gone.addEventListener('abort', () => {
          const detail = { reason: reasonOf(gone) }
          if (!isEnding) note(recorder, latest()?.name, 'gone', detail)
        }),
      () => undefined,
    )
    return starting
  }
  let instance = start()
  const stop = async (): Promise<void> => {
    const started = await instance.catch(() => undefined)
    isEnding = true
    const died = started?.gone.aborted === true && started.inputEnded?.() !== true
    if (died && !run.signal.aborted) bed.died.push(reasonOf(started.gone))
    await started?.stop()
  }
  closing.push(stop)
  return {
    get instance() {
      return instance
    },
    async restart() {
      await stop()
      instance = start()
    },
    site,
    servers,
  }
}

/** How a client ended. */
function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason)
}

function note(
  recorder: Recorder,
  call: string | undefined,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): void {
  recorder.record({ type: 'step', action, ...(call === undefined ? {} : { call }), detail })
}

function describeTool(name: string) {
  return {
    name,
    description: 'Lists what the account of the user holds.',
    inputSchema: {
      type: 'object',
      properties: { note: { type: 'string', description: 'Any text.' } },
    },
  }
}
