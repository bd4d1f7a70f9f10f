/** `aoc provider`: serves the mock OAuth provider until it is told to stop. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isLocal } from '../../mock-provider/control/guard.ts'
import type { SigningAlgorithm } from '../../mock-provider/crypto/signer.ts'
import { faults } from '../../mock-provider/faults/index.ts'
import type { MockProviderOptions } from '../../mock-provider/provider/provider.ts'
import { isPresetName, presets, type PresetName } from '../../mock-provider/presets/index.ts'
import { serveMockProvider, type RunningProvider } from '../../mock-provider/provider/serve.ts'
import { wellKnownUrl } from '../../mock-provider/http/well-known.ts'
import { openStorage } from '../../mock-provider/storage/open-storage.ts'
import type { Storage } from '../../mock-provider/storage/storage.ts'
import { endingSignals } from '../outcome/exit-codes.ts'
import {
  readBranding,
  readClaimRules,
  readClients,
  readFault,
  readText,
  readUsers,
} from '../input/provider-files.ts'
import { table, terminalOf, type Terminal } from '../print/terminal.ts'
import { suggest } from '../input/suggest.ts'
import { trustHints } from '../input/trust.ts'
import { codeOf, messageOf, whyNotListening } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'

export interface ProviderOptions {
  readonly port: number
  readonly host: string
  readonly https?: boolean
  readonly cert?: string
  readonly key?: string
  readonly authority?: string
  readonly issuer?: string
  readonly clients?: string
  readonly users?: string
  readonly tokenClaims?: string
  readonly branding?: string
  readonly audience?: readonly string[]
  readonly preset?: string
  readonly accessTokenFormat?: 'opaque' | 'jwt'
  readonly idTokenAlg?: SigningAlgorithm
  readonly dpopNonce?: boolean
  readonly seed?: string
  readonly fault?: readonly string[]
  readonly storage: string
  readonly tenants?: boolean
  readonly control?: boolean
  readonly controlToken?: string
  readonly autoApprove?: string
  readonly json?: boolean
  readonly listFaults?: boolean
}

/** Serves until SIGINT or SIGTERM and returns the exit code. @throws {@link UsageError} */
export async function provider(options: ProviderOptions): Promise<number> {
  if (options.listFaults) return listFaults()
  // before anything is opened: a signal that comes early has to find somebody who closes it
  const ended = ending()
  const token = controlToken(options)
  const tls = await prepareTls(options)
  try {
    const storage = await open(options.storage)
    try {
      const running = await start(options, { tls, storage, token })
      announce(running, options, { ca: tls?.ca, token })
      await ended
      await running.close()
    } finally {
      await storage?.close()
    }
  } finally {
    tls?.remove()
  }
  return 0
}

function listFaults(): number {
  const { line } = terminalOf(process.stdout)
  const rows = Object.entries(faults).map(([id, { description }]) => [id, description])
  for (const each of table(rows)) line(each)
  return 0
}

/** Resolves with the first signal to end. */
function ending(): Promise<unknown> {
  return Promise.race(
    endingSignals.map((name) => new Promise((resolve) => process.once(name, resolve))),
  )
}

/** Where others can reach the control API it needs a token; one is made up unless given. */
function controlToken({ control, controlToken: given, host }: ProviderOptions): string | undefined {
  if (given !== undefined) return given
  return control && !isLocal(host) ? randomBytes(24).toString('base64url') : undefined
}

interface Tls {
  readonly cert: string
  readonly key: string
  /** The file with the certificate to trust; none for certificates that were given. */
  readonly ca?: string
  readonly remove: () => void
}

/** @throws UsageError */
async function prepareTls(options: ProviderOptions): Promise<Tls | undefined> {
  const { cert, key, https, authority: folder, host, issuer } = options
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError('--cert and --key go together')
  }
  if (cert !== undefined && key !== undefined) {
    return { cert: readText(cert), key: readText(key), remove: () => undefined }
  }
  if (!https && folder === undefined) return undefined
  const hosts = [host, ...(issuer && URL.canParse(issuer) ? [new URL(issuer).hostname] : [])]
  if (folder !== undefined) {
    const { authorityFiles, keptAuthority } =
      await import('../../harness/parties/provider/kept-authority.ts')
    const kept = await keptAuthority(resolve(folder))
    const ca = resolve(folder, authorityFiles.certificate)
    return { ...(await kept.issue(hosts)), ca, remove: () => undefined }
  }
  const { createAuthority } = await import('../../mock-provider/crypto/authority.ts')
  const made = await createAuthority()
  const directory = mkdtempSync(join(tmpdir(), 'aoc-provider-'))
  const ca = join(directory, 'ca.pem')
  writeFileSync(ca, made.caPem)
  const remove = () => rmSync(directory, { recursive: true, force: true })
  return { ...(await made.issue(hosts)), ca, remove }
}

/** None for memory: each issuer has its own. @throws UsageError */
async function open(address: string): Promise<Storage | undefined> {
  if (address === 'memory') return undefined
  try {
    return await openStorage(address)
  } catch (error) {
    throw new UsageError(`--storage: cannot open ${withoutPassword(address)}: ${messageOf(error)}`)
  }
}

function withoutPassword(address: string): string {
  return address.replace(/(:\/\/[^/@]*:)[^/@]*@/, '$1…@')
}

interface Prepared {
  readonly tls: Tls | undefined
  readonly storage: Storage | undefined
  readonly token: string | undefined
}

/** @throws UsageError */
async function start(options: ProviderOptions, prepared: Prepared): Promise<RunningProvider> {
  const { port, host, issuer, seed, storage: address } = options
  if (seed !== undefined && /^rediss?:/.test(address)) {
    throw new UsageError('--seed: instances that share a storage would issue the same values')
  }
  const { tls, storage, token } = prepared
  const settings: MockProviderOptions = {
    issuer: issuer?.replace(/\/$/, ''),
    clients: options.clients === undefined ? undefined : readClients(options.clients),
    users: options.users === undefined ? undefined : readUsers(options.users),
    tokenClaims:
      options.tokenClaims === undefined ? undefined : readClaimRules(options.tokenClaims),
    branding: options.branding === undefined ? undefined : readBranding(options.branding),
    preset: options.preset === undefined ? undefined : presetOf(options.preset),
    audiences: options.audience,
    accessTokenFormat: options.accessTokenFormat,
    idTokenSigningAlg: options.idTokenAlg,
    dpopNonce: options.dpopNonce,
    seed,
    faults: options.fault?.map(readFault),
    storage,
    tenants: options.tenants,
    control: options.control || token !== undefined ? { token } : undefined,
    autoApprove: options.autoApprove === undefined ? undefined : { subject: options.autoApprove },
  }
  try {
    const pair = tls && { cert: tls.cert, key: tls.key }
    return await serveMockProvider({ ...settings, port, hostname: host, tls: pair })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    const code = codeOf(error)
    const hint = code === undefined ? undefined : cannotListen[code]
    if (code === undefined || hint === undefined) throw error
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${whyNotListening(code)}`, [hint])
  }
}

/** What to do about an address that cannot be listened at. */
const cannotListen: Readonly<Record<string, string>> = {
  EADDRINUSE: '--port 0 takes a free port',
  EACCES: '--port 0 takes a free port',
  EADDRNOTAVAIL: '--host is an address of this machine, as 127.0.0.1 or 0.0.0.0',
  ENOTFOUND: '--host is an address of this machine, as 127.0.0.1 or 0.0.0.0',
  EAI_AGAIN: '--host is an address of this machine, as 127.0.0.1 or 0.0.0.0',
}

/** @throws UsageError */
function presetOf(name: string): PresetName {
  if (isPresetName(name)) return name
  const near = suggest(name, Object.keys(presets))
  throw new UsageError(`--preset: unknown preset ${JSON.stringify(name)}`, [
    ...(near.length > 0 ? [`did you mean ${near.join(', ')}?`] : []),
    `expected one of: ${Object.keys(presets).join(', ')}`,
  ])
}

interface Announcement {
  readonly ca: string | undefined
  readonly token: string | undefined
}

/** Says where the provider is; the last line is written when it is ready. */
function announce(
  { issuer, port }: RunningProvider,
  options: ProviderOptions,
  { ca, token }: Announcement,
): void {
  const origin = new URL(issuer).origin
  const control = options.control || token !== undefined ? `${origin}/_control/` : undefined
  const terminal = terminalOf(process.stdout)
  if (options.json) {
    const ready = { ready: true, issuer, port, control, controlToken: token, ca, pid: process.pid }
    terminal.line(JSON.stringify(ready))
    return
  }
  // what it calls itself does not tell where it can be reached
  const elsewhere = options.issuer !== undefined || !isLocal(options.host)
  printPlaces(terminal, [
    ...(elsewhere ? [['Listening', `${options.host}, port ${port}`]] : []),
    ['Discovery', wellKnownUrl('oauth-authorization-server', issuer)],
    ['', `${issuer}/.well-known/openid-configuration`],
    ...(options.tenants ? [['Tenants', `${origin}/{tenant}, created on first use`]] : []),
    ...(control ? [['Control', control]] : []),
    ...(token ? [['', `Authorization: Bearer ${token}`]] : []),
    ['Storage', withoutPassword(options.storage)],
    ...(options.preset ? [['Preset', options.preset]] : []),
    ...(options.fault ?? []).map((fault) => ['Fault', fault]),
  ])
  if (ca) {
    terminal.line(`\nTo trust ${ca}:`)
    printPlaces(
      terminal,
      trustHints(ca).map(({ software, how }) => [software, how]),
    )
  }
  terminal.line(`\nready: ${issuer} (Ctrl-C stops it)`)
}

function printPlaces(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  for (const [name = '', text = ''] of rows) terminal.line(`${name.padEnd(11)}${text}`)
}
