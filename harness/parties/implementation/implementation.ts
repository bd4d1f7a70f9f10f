/** Gets the implementation under test running, in whichever way it was declared, and keeps hold of it. */

import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TargetConfiguration } from '../target-settings.ts'
import { fill, type Placeholders } from './template.ts'
import { startProcess, type LineLimits, type RunningProcess } from './process.ts'
import { freePort } from '../free-port.ts'
import type { Transport } from '../http.ts'
import type { Run } from '../../engine/run.ts'
import { inherited, trust } from './environment.ts'
import { withAdditions } from './preloaded.ts'
import { acceptsAt, answers, vacant } from './readiness.ts'
import { Unreachable } from '../../engine/scenario.ts'
import { headerCredentials } from '../../engine/recording/secrets/environment.ts'

/** The implementation under test, running. */
export interface Implementation {
  /** Base URL under which it is reached, without a trailing slash. */
  readonly url: string
  /** Headers that its vendor wants on invocations. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the harness started it and so may start it again. */
  readonly owned: boolean
  /** The process group, where the harness started it. */
  readonly group: number | undefined
  /** Aborted when it has ended by itself or refuses connections for good; waiting for it is useless then. */
  readonly gone: AbortSignal
  /** Declares it gone: it refuses connections although it was given time. */
  lost(reason: string): void
  /** Whether it still accepts connections: `undefined`, or the reason why not. Waits up to `within` ms. */
  check(within: number): Promise<string | undefined>
  /** Writes to its standard input, where that was asked for. */
  write(text: string): void
  /**
   * Ends it and starts it again with the same port and data; `onStopped` is called in between, when nothing more can come
   * from the process that was ended. @throws {@link Unreachable}
   */
  restart(onStopped?: () => void): Promise<void>
  stop(): Promise<void>
}

export interface StartOptions {
  readonly run: Run
  readonly target: TargetConfiguration
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** A name for this start: its data folder is called so. */
  readonly name: string
  readonly placeholders: Placeholders
  /** The placeholder of its own URL. */
  readonly urlAs: string
  readonly transport: Transport
  /** Folder for the implementation's own data. */
  readonly dataRoot: string
  /** Empty where there is none to trust. */
  readonly caFile: string
  /** What its environment holds in place of what that of the harness says; default: nothing. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** What its environment holds beside what is configured, such as libraries to load before it; default: nothing. */
  readonly additions?: readonly Readonly<Record<string, string>>[] | undefined
  /** Whether its standard input is kept open. */
  readonly input?: boolean | undefined
  /** Called for every line that it prints, beside the recording in the log of the run. */
  readonly onLine?: ((source: 'stdout' | 'stderr', line: string) => void) | undefined
  /** Where its standard output is a protocol's: it comes in whole lines, and the log of the run leaves it out. */
  readonly protocol?: ProtocolLines | undefined
  /** Whether it accepts connections at its URL; one that only speaks over standard output need not. Default: it does. */
  readonly listens?: boolean | undefined
}

/** Lines of a protocol on standard output. */
export interface ProtocolLines {
  readonly limits: LineLimits
  readonly onLine: (line: string, bytes: number) => void
}

/** Starts or contacts the implementation. @throws {@link Unreachable} */
export async function startImplementation(options: StartOptions): Promise<Implementation> {
  const { target, run, name, dataRoot, listens = true } = options
  const dataDir = join(dataRoot, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const port = target.command ? await freePort() : 0
  const own = { port: String(port), 'data.dir': dataDir }
  const url = fill(target.url, own).replace(/\/$/, '')
  const values = { ...options.placeholders, ...own, [options.urlAs]: url }
  const headers = invocationHeaders(target, values, run)

  let life = new AbortController()
  let running: RunningProcess | undefined
  let stopped = false
  const start = async (patience: number): Promise<void> => {
    stopped = false
    const own = (life = new AbortController())
    setMaxListeners(0, own.signal)
    if (target.command && listens) await vacant(url, patience, options)
    running = target.command ? await launch(options, values) : undefined
    void running?.exited.then((how) => {
      // After a stop of ours the process of another life has ended, or nobody asks any more.
      if (own === life) own.abort(`it ${how}`)
    })
    if (listens) await answers(url, running, options)
  }
  const stop = async (within: number): Promise<void> => {
    // From here on its end is our doing.
    stopped = true
    life = new AbortController()
    await running?.stop(within)
  }
  // Where its output is a protocol's, it has started when it answers for the first time.
  const settled = async (): Promise<void> =>
    options.protocol && running?.spoken(target.readyTimeout)
  const first = run.starts.inTurn(() => start(0), { settled })
  await first.catch(async (error: unknown) => {
    await stop(0)
    throw error
  })
  return {
    url,
    headers,
    owned: target.command !== undefined,
    get group() {
      return running?.pid
    },
    get gone() {
      return life.signal
    },
    lost: (reason) => life.abort(reason),
    async check(within) {
      if (stopped || (!listens && !life.signal.aborted)) return undefined
      if (life.signal.aborted) return String(life.signal.reason)
      const deadline = run.now() + within
      while (!(await acceptsAt(url))) {
        if (run.signal.aborted) return undefined
        if (run.now() > deadline) return `nothing listens at ${url} any more`
        await delay(40)
      }
      return undefined
    },
    write: (text) => running?.write(text),
    restart(onStopped) {
      const restart = async (): Promise<void> => {
        await stop(target.stopTimeout)
        onStopped?.()
        await start(target.stopTimeout)
      }
      return run.starts.inTurn(restart, { urgent: true })
    },
    stop: () => stop(target.stopTimeout),
  }
}

/** The headers of the configuration, filled in; the credentials in them count as secrets. */
export function invocationHeaders(target: TargetConfiguration, values: Placeholders, run: Run) {
  return Object.fromEntries(
    Object.entries(target.headers).map(([header, template]) => {
      const value = fill(template, values)
      for (const credential of headerCredentials(header, value)) {
        run.ledger.add('invocation_credential', credential)
      }
      return [header.toLowerCase(), value]
    }),
  )
}

async function launch(options: StartOptions, values: Placeholders): Promise<RunningProcess> {
  const { target, base, run, caFile, name, environment, additions = [] } = options
  const own = Object.fromEntries(
    Object.entries(target.env).map(([key, template]) => [key, fill(template, values)]),
  )
  const env = { ...inherited(), ...environment, ...trust(caFile), ...own }
  const cwd = target.cwd ? resolve(base, target.cwd) : base
  try {
    return await startProcess({
      command: target.command!.map((part) => fill(part, values)),
      cwd,
      env: withAdditions(env, ...additions),
      input: options.input ?? options.protocol !== undefined,
      ...(options.protocol ? { limits: options.protocol.limits } : {}),
      onLine(source, text, bytes) {
        if (options.protocol && source === 'stdout') return options.protocol.onLine(text, bytes)
        run.log.record({ type: 'output', source: `${name} ${source}`, text, bytes })
        options.onLine?.(source, text)
      },
      onFlood() {
        const detail = { kind: 'output', source: name }
        run.log.record({ type: 'step', action: 'unscanned', detail })
      },
    })
  } catch (error) {
    throw new Unreachable(`${(error as Error).message} (working directory ${cwd})`)
  }
}
