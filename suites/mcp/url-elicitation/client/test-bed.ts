/** Opens what the scenarios act in: for each of them clients of its own, their servers, and a site to be sent to. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Patience,
  type OpenOptions,
  type Recorder,
  type ScenarioContext,
  type TestBed,
  type Timing,
} from '../../../../harness/engine/index.ts'
import { inherited, startBrowserShims } from '../../../../harness/parties/index.ts'
import { startRecordedSite } from '../../client/recorded-site.ts'
import { startClient } from '../../client/start-client.ts'
import { serveHttp } from '../../wire/http-server.ts'
import { hasHandshake } from '../../wire/revisions.ts'
import { McpServer } from '../../wire/server.ts'
import { serveStdio } from '../../wire/stdio-server.ts'
import { textIn } from '../../wire/values.ts'
import type { ClientConfiguration } from './configuration.ts'
import { Call } from './session.ts'
import { pageChannel } from './vocabulary.ts'

/** What a scenario acts with. */
export interface Fixtures {
  readonly timing: Timing
  /** Starts a client that knows two servers, which speak 2026-07-28 where that is asked for. */
  readonly open: (options?: { readonly modern?: boolean }) => Promise<Client>
  /** Watches for what must not happen: the observation window of the run. */
  readonly observe: () => Promise<void>
  /** Marks this moment for the checks. */
  readonly mark: (name: string) => void
}

/** A running client, and what its user can have it do. */
export interface Client {
  /** The user has it call the tool of a server, the first one by default. */
  readonly begin: (options?: BeginOptions) => Promise<Call>
  /** Where elicitations lead by default, without a trailing slash. */
  readonly site: string
}

export interface BeginOptions {
  readonly server?: 0 | 1
  /** Where the elicitation leads; default: a page of the site. */
  readonly url?: string
}

export function openTestBed(options: OpenOptions<ClientConfiguration>): Promise<TestBed<Fixtures>> {
  const bed: RunParts = {
    options,
    patience: new Patience(options.run.timing),
    running: new Set(),
    died: [],
  }
  return Promise.resolve({
    facts: { implementation: options.configuration.target.command?.join(' ') },
    fixtures: (context) => makeFixtures(bed, context),
    survived: () => Promise.resolve(bed.died[0]),
    async close() {
      await Promise.all([...bed.running].map((stop) => stop()))
    },
  })
}

interface RunParts {
  readonly options: OpenOptions<ClientConfiguration>
  readonly patience: Patience
  /** Ends what scenarios have opened. */
  readonly running: Set<() => Promise<void>>
  /** Why clients ended by themselves. */
  readonly died: string[]
}

function makeFixtures(bed: RunParts, context: ScenarioContext): Fixtures {
  const { run } = bed.options
  const { recorder, offSlot } = context
  return {
    timing: run.timing,
    open: ({ modern = !hasHandshake(bed.options.configuration.target.revision) } = {}) =>
      openClient(bed, context, modern),
    async observe() {
      const ms = run.timing.observeMs
      await offSlot(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
      if (!run.signal.aborted) recorder.record({ type: 'step', action: 'window', detail: { ms } })
    },
    mark: (name) => recorder.record({ type: 'step', action: 'mark', detail: { name } }),
  }
}

/** A part that no other scenario has, by which everything that belongs to a client is known. */
const newSuffix = (): string => randomBytes(4).toString('hex')

/** The tools of the two servers: a client that knows both can tell them apart. */
const tools = ['list_items', 'list_notes'] as const

async function openClient(
  bed: RunParts,
  context: ScenarioContext,
  modern: boolean,
): Promise<Client> {
  const { run, configuration, workDirectory } = bed.options
  const { recorder, lendSlot } = context
  const suffix = newSuffix()
  const folder = join(workDirectory, `${recorder.scenario}-${suffix}`)
  mkdirSync(folder, { recursive: true })
  const closing: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    bed.running.delete(close)
    for (const each of closing.splice(0).toReversed()) await each()
  }
  bed.running.add(close)
  void context.ended.then(close)
  const calls: Call[] = []
  const latest = (): Call | undefined => calls.at(-1)
  const noted = (text: string): Call | undefined => calls.find(({ note }) => text.includes(note))

  const site = await startRecordedSite(
    recorder,
    pageChannel,
    (path) => (noted(path) ?? latest())?.name,
  )
  closing.push(() => site.close())
  const servers = tools.map((tool, index) => {
    const name = `${['warehouse', 'notebook'][index]}-${suffix}`
    const callOf = (params: Readonly<Record<string, unknown>>): Call | undefined =>
      noted(JSON.stringify(params['arguments'] ?? null)) ?? latest()
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
      await serveStdio(server, folder, server.parts.name),
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
    ...(configuration.declares.serverName === undefined
      ? {}
      : { called: configuration.declares.serverName }),
    modern,
  }
  recorder.record({ type: 'step', action: 'client', detail })

  const onOpened = (url: string): void => note(recorder, latest()?.name, 'opened', { url })
  const shims = await startBrowserShims(join(folder, 'bin'), (args) =>
    onOpened(args.find((each) => calls.some(({ url }) => url === each)) ?? textIn(args.at(-1))),
  )
  closing.push(() => shims.close())
  const starting = startClient(configuration, bed.options.base, settings, {
    env: shims.environment(inherited()),
    onPrompt: (shown) => note(recorder, latest()?.name, 'prompt', { ...shown }),
    onOpened,
    onOutput(source, text, bytes) {
      const place = `${recorder.scenario} ${source}`
      run.log.record({ type: 'output', source: place, text, bytes })
    },
  })
  // Whoever waits for it hears of it.
  starting.catch(() => undefined)
  closing.push(async () => {
    const instance = await starting.catch(() => undefined)
    const { aborted, reason } = instance?.gone ?? { aborted: false, reason: '' }
    if (aborted && !run.signal.aborted) bed.died.push(String(reason))
    await instance?.stop()
  })
  return {
    site: site.origin,
    async begin({ server = 0, url } = {}) {
      const name = `call-${calls.length + 1}`
      const own = `${name}-${newSuffix()}`
      const call = new Call(name, {
        recorder,
        run,
        lendSlot,
        patience: bed.patience,
        instance: starting,
        tool: tools[server],
        note: own,
        url: url ?? `${site.origin}/connect?e=${own}&to=a%2Fb%20c~`,
        opens: configuration.declares.opens,
      })
      calls.push(call)
      await call.begin()
      return call
    },
  }
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
