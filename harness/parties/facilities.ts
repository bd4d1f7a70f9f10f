/** What a machine may offer to a run beyond Node: what it is for, how it is found, and what installs it. */

import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { ConfigurationError } from '../engine/configuration.ts'
import type { ProviderConfiguration } from './provider-settings.ts'
import type { TargetConfiguration } from './target-settings.ts'
import { isFixed, placeOf, unbound } from './provider/place.ts'

/** Something that a machine has or not. */
export interface Facility {
  readonly name: string
  /** Completes "for ...". */
  readonly purpose: string
  /** The command that installs it, or what to do. */
  readonly install: string
  /** Where it is; `undefined` where it is not here. */
  readonly find: () => string | undefined | Promise<string | undefined>
}

const lib = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/usr/local/lib64']

/** The first of these paths that is there, below the folders of libraries and those of an architecture in them. */
function library(...paths: readonly string[]): string | undefined {
  const folders = lib.flatMap((folder) => [folder, ...below(folder)])
  return folders
    .flatMap((each) => paths.map((path) => join(each, path)))
    .find((each) => existsSync(each))
}

function below(folder: string): string[] {
  if (!existsSync(folder)) return []
  const found = readdirSync(folder, { withFileTypes: true })
  return found.filter((each) => each.isDirectory()).map(({ name }) => join(folder, name))
}

/** The first of these programs that is on the path. */
function program(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A library is loaded before a program on Linux alone. */
const preloadable = (...paths: readonly string[]) =>
  process.platform === 'linux' ? library(...paths) : undefined

/** The libraries that are loaded before an implementation. */
export const libraries = {
  'libnss-wrapper': {
    name: 'libnss-wrapper',
    purpose: 'provider.hostnames: implementations find the mock provider under real names',
    install: 'apt-get install -y libnss-wrapper',
    find: () => preloadable('libnss_wrapper.so'),
  },
  libfaketime: {
    name: 'libfaketime',
    purpose: 'target.clock: jump: timeouts of any length in seconds',
    install: 'apt-get install -y faketime',
    find: () => preloadable('faketime/libfaketime.so.1', 'libfaketime.so.1'),
  },
} as const satisfies Record<string, Facility & { find: () => string | undefined }>

/** Everything, in the order in which it is shown. */
export const facilities: readonly Facility[] = [
  ...Object.values(libraries),
  {
    name: 'port 443',
    purpose: 'provider.hostnames: the port of real providers, at a loopback address',
    install: 'run as root, or: sudo sysctl net.ipv4.ip_unprivileged_port_start=443',
    find: bindable,
  },
  {
    name: 'a browser',
    purpose: 'the tests of the report and of the consent page',
    install: 'apt-get install -y chromium',
    find: () => program('chromium', 'chromium-browser', 'google-chrome'),
  },
  {
    name: 'a pseudo-terminal',
    purpose: 'implementations that want a terminal: ["script", "-qec", COMMAND, "/dev/null"]',
    install: 'apt-get install -y bsdutils',
    find: () => program('script'),
  },
  {
    name: 'Redis',
    purpose: 'mock providers that share their storage (--storage redis://...)',
    install: 'apt-get install -y redis-server',
    find: () => program('redis-server'),
  },
  {
    name: 'Python',
    purpose: 'implementations and adapters in Python',
    install: 'apt-get install -y python3',
    find: () => program('python3'),
  },
  {
    name: 'a JDK',
    purpose: 'implementations in Java',
    install: 'apt-get install -y default-jdk-headless',
    find: () => program('javac'),
  },
]

/** Where one of the libraries is, if it is here. */
export function findLibrary(name: keyof typeof libraries): string | undefined {
  return libraries[name].find()
}

/** The setting that asks for a library, and the library. */
type Demand = readonly [setting: string, library: keyof typeof libraries]

/** @throws ConfigurationError where a configuration asks for what is not here, with what installs it */
export function requireOffered({
  target,
  provider,
}: {
  readonly target: TargetConfiguration & { readonly clock?: 'real' | 'jump' }
  readonly provider?: ProviderConfiguration | undefined
}): void {
  const started = target.command !== undefined
  const demands: readonly Demand[] = [
    ...(provider?.hostnames && started ? [['provider.hostnames', 'libnss-wrapper'] as const] : []),
    ...(target.clock === 'jump' ? [['target.clock: jump', 'libfaketime'] as const] : []),
  ]
  if (target.clock === 'jump' && provider && isFixed(placeOf(provider))) {
    const problem =
      'provider.port: target.clock: jump needs 0, because each instance has a provider of its own'
    throw new ConfigurationError([problem])
  }
  const missing = demands.filter(([, name]) => findLibrary(name) === undefined)
  if (missing.length > 0) throw new ConfigurationError(missing.map(sentence))
}

function sentence([setting, name]: Demand): string {
  const only = process.platform === 'linux' ? '' : ' (on Linux; this is another system)'
  return `${setting}: needs ${name}, which is not here; ${libraries[name].install}${only}; see: aoc doctor`
}

/** Whether the port of real providers may be listened on; why not, if so, is said elsewhere. */
async function bindable(): Promise<string | undefined> {
  const { addresses, port } = placeOf({ hostnames: ['provider.test'], port: 0 })
  for (const host of addresses) {
    const error = await tryToListen(host, port)
    if (error === undefined) return `${host}:${port}`
    if (unbound(error, host) !== error) return undefined
  }
  return undefined
}

function tryToListen(host: string, port: number): Promise<unknown> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}
