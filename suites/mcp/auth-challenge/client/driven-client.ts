/** One client under test with everything around it: two servers, a trap, a browser that is none. */

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OffSlot, Recorder, Run } from '../../../../harness/engine/index.ts'
import {
  inherited,
  startBrowserShims,
  trust,
  type Deployment,
  type Surroundings,
} from '../../../../harness/parties/index.ts'
import { withAdditions } from '../../../../harness/parties/implementation/preloaded.ts'
import { shownUrls } from '../../../host/shown-urls.ts'
import type { ClientInstance } from '../../client/instance.ts'
import { startRecordedSite } from '../../client/recorded-site.ts'
import { startClient } from '../../client/start-client.ts'
import { textIn } from '../../wire/values.ts'
import type { ClientConfiguration } from './configuration.ts'
import { startProtectedServer, type ProtectedServer } from './protected-server.ts'
import type { Rules } from './rules.ts'
import { tools, trapChannel } from './vocabulary.ts'

export interface DrivenParts {
  readonly run: Run
  readonly recorder: Recorder
  readonly configuration: ClientConfiguration
  readonly base: string
  readonly surroundings: Surroundings
  readonly deployment: Deployment
  readonly tls: { readonly key: string; readonly cert: string }
  /** Unique in the run. */
  readonly name: string
  readonly modern: boolean
  readonly rules: Partial<Rules>
  /** Whether both servers stand at one host, and only their paths tell them apart. */
  readonly oneHost: boolean
  /** The call that a text belongs to, by what stands in it; the latest one by default. */
  readonly callOf: (text: string) => string | undefined
  readonly lendSlot: OffSlot
}

export interface DrivenClient {
  readonly instance: Promise<ClientInstance>
  readonly servers: readonly ProtectedServer[]
  /** Ends everything; why the client had ended by itself before, if so. */
  close(): Promise<string | undefined>
}

/** Starts the servers and the client, for which nobody waits yet. */
export async function startDrivenClient(parts: DrivenParts): Promise<DrivenClient> {
  const { run, recorder, configuration, deployment, surroundings, name, modern, callOf } = parts
  const folder = join(surroundings.dataRoot, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const closing: (() => Promise<unknown>)[] = []
  const trap = await startRecordedSite({ recorder, channel: trapChannel, callOf })
  closing.push(() => trap.close())
  const servers: ProtectedServer[] = []
  for (const [index, tool] of tools.entries()) {
    const server = await startProtectedServer({
      recorder,
      run,
      tls: parts.tls,
      name: `${['warehouse', 'notebook'][index]}-${name}`,
      tool,
      modern,
      callOf: (args) => callOf(JSON.stringify(args ?? null)),
      issuer: deployment.issuer,
      trap: trap.origin,
      path: parts.oneHost && index > 0 ? '/notes/mcp' : '/mcp',
      beneath: parts.oneHost ? servers[0] : undefined,
    })
    servers.push(server)
    closing.push(() => server.close())
    admit(server, deployment)
  }
  const [first, second] = servers
  first?.meet(second?.url ?? '')
  first?.follow(parts.rules)
  const urls = servers.map(({ url }) => url)
  const detail = { servers: urls, issuer: deployment.issuer, trap: trap.origin, modern }
  recorder.record({ type: 'step', action: 'client', detail })

  const opened = new Set<string>()
  const onOpened = (url: string): void => {
    const call = callOf('')
    const place = call === undefined ? {} : { call }
    recorder.record({ type: 'step', action: 'opened', ...place, detail: { url } })
  }
  const show = (source: string, text: string): void => {
    const call = callOf(text)
    const place = call === undefined ? {} : { call }
    recorder.record({ type: 'surface', source, ...place, text })
    if (configuration.declares.opens) return
    for (const url of shownUrls(text, `${deployment.issuer}/authorize`)) {
      // Its user follows a link once, however often it is shown.
      if (!opened.has(url)) onOpened(url)
      opened.add(url)
    }
  }
  const shims = await startBrowserShims(join(dirname(surroundings.caFile), 'bin', name), (args) =>
    onOpened(args.find((each) => /^https?:/.test(each)) ?? textIn(args.at(-1))),
  )
  closing.push(() => shims.close())
  const settings = { ...deployment.placeholders, 'data.dir': folder, ...settingsOf(servers) }
  const instance = startClient(configuration, parts.base, settings, {
    starts: run.starts,
    env: environmentOf(parts, shims.environment(inherited())),
    onPrompt: ({ text }) => show('prompt', text),
    onOpened,
    onOutput(source, text, bytes) {
      if (source !== 'log') show(source, text)
      const place = `${recorder.scenario} ${source}`
      const isLog = ['log', 'stderr'].includes(source)
      if (isLog) run.log.record({ type: 'output', source: place, text, bytes })
    },
  })
  // Whoever waits for it hears of it.
  instance.catch(() => undefined)
  return {
    instance,
    servers,
    async close() {
      const running = await instance.catch(() => undefined)
      const { aborted, reason } = running?.gone ?? { aborted: false, reason: '' }
      await running?.stop()
      for (const each of closing.splice(0).toReversed()) await each()
      return aborted && !run.signal.aborted ? String(reason) : undefined
    },
  }
}

/** Has a provider issue tokens for a server. */
export function admit({ url }: ProtectedServer, { provider }: Pick<Deployment, 'provider'>): void {
  for (const id of [url, `${url}/`, new URL(url).origin]) provider.addAudience(id)
}

/** Programs trust the servers and the provider, and know the provider's name where it has one. */
function environmentOf(
  { surroundings, deployment }: DrivenParts,
  base: Readonly<Record<string, string>>,
): Record<string, string> {
  return withAdditions({ ...base, ...trust(surroundings.caFile) }, ...deployment.additions)
}

function settingsOf(servers: readonly ProtectedServer[]): Record<string, string> {
  const entries = servers.flatMap(({ name, url }, index) => {
    const end = index === 0 ? '' : String(index + 1)
    return [
      [`mcp.name${end}`, name],
      [`mcp.url${end}`, url],
    ]
  })
  return Object.fromEntries(entries) as Record<string, string>
}
