/** Runs an adapter and speaks the adapter protocol with it; whatever goes wrong there is said clearly, once. */

import { setMaxListeners } from 'node:events'
import { startProcess, type RunningProcess } from '../process.ts'
import {
  adapterEvent,
  adapterProtocol,
  type AdapterAnswer,
  type AdapterCommand,
  type AdapterNotice,
  type AdapterVersion,
} from './protocol.ts'

/** The adapter broke the protocol, died or did not answer: that is no finding about the implementation. */
export class AdapterFailure extends Error {
  readonly code = 'adapter_failure'
  constructor(message: string) {
    super(`the adapter ${message}`)
    this.name = 'AdapterFailure'
  }
}

/** How an adapter is started, and who is told what it says. */
export interface AdapterOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds until a command must be answered. */
  readonly within: number
  /** The version of the protocol that it must speak at least; default: the first. */
  readonly speaks?: AdapterVersion
  readonly onNotice: (notice: AdapterNotice) => void
  readonly onLog: (line: string, bytes: number) => void
}

type WithoutId<C> = C extends AdapterCommand ? Omit<C, 'id'> : never
/** A command before it gets its number. */
export type CommandToSend = WithoutId<AdapterCommand>

/** A running adapter: takes commands, one answer each, and reports what its users see. */
export interface Adapter {
  /** Aborted with an {@link AdapterFailure} when nothing can be expected from it any more. */
  readonly gone: AbortSignal
  /** Its process group. */
  readonly group: number | undefined
  /** What it says that it can, in its answer to the greeting. */
  readonly capabilities: readonly string[]
  /** Sends a command and gives its answer. Rejects with {@link AdapterFailure}. */
  send(command: CommandToSend): Promise<AdapterAnswer>
  /** Asks it to end, then ends it. */
  close(within: number): Promise<void>
}

/** Longest line and most lines that are read of one adapter. */
export const adapterLimits = { line: 1024 * 1024, lines: 20_000 }

/** Starts an adapter and greets it. Rejects with {@link AdapterFailure}. */
export async function openAdapter(options: AdapterOptions): Promise<Adapter> {
  const client = new Client(options)
  await client.start()
  const { speaks = 1 } = options
  const hello = await client.send({ command: 'hello', protocol: speaks })
  const spoken = hello.event === 'settled' ? (hello.protocol ?? speaks) : 0
  if (spoken >= speaks && spoken <= adapterProtocol) {
    if (hello.event === 'settled') client.capabilities = hello.capabilities ?? []
    return client
  }
  await client.close(0)
  throw new AdapterFailure(
    `does not speak version ${speaks} of the protocol: ${JSON.stringify(hello)}`,
  )
}

class Client implements Adapter {
  capabilities: readonly string[] = []
  readonly #options: AdapterOptions
  readonly #life = new AbortController()
  readonly #waiting = new Map<number, (answer: AdapterAnswer) => void>()
  #process: RunningProcess | undefined
  #commands = 0
  #closing = false

  constructor(options: AdapterOptions) {
    this.#options = options
    setMaxListeners(0, this.#life.signal)
  }

  get gone(): AbortSignal {
    return this.#life.signal
  }

  get group(): number | undefined {
    return this.#process?.pid
  }

  async start(): Promise<void> {
    const { command, cwd, env, onLog } = this.#options
    const limits = adapterLimits
    const onLine = (source: 'stdout' | 'stderr', line: string, bytes: number): void => {
      if (source === 'stderr') onLog(line, bytes)
      else this.#read(line, bytes)
    }
    const onFlood = (): void => this.#fail(`printed more than ${limits.lines} lines`)
    try {
      const process = { command, cwd, env, input: true, limits, onLine, onFlood }
      this.#process = await startProcess(process)
    } catch (error) {
      throw new AdapterFailure(`cannot be started: ${(error as Error).message}`)
    }
    void this.#process.exited.then((how) => this.#fail(how))
  }

  send(command: CommandToSend): Promise<AdapterAnswer> {
    const id = ++this.#commands
    const { gone } = this
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer)
        gone.removeEventListener('abort', fail)
        this.#waiting.delete(id)
      }
      const fail = (): void => {
        finish()
        reject(gone.reason as AdapterFailure)
      }
      const { within } = this.#options
      const late = `did not answer the command ${command.command} within ${within} ms`
      const timer = setTimeout(() => this.#fail(late), within)
      gone.addEventListener('abort', fail, { once: true })
      if (gone.aborted) return fail()
      this.#waiting.set(id, (answer) => {
        finish()
        resolve(answer)
      })
      this.#process?.write(`${JSON.stringify({ ...command, id })}\n`)
    })
  }

  async close(within: number): Promise<void> {
    if (!this.#closing && !this.gone.aborted && within > 0) {
      this.#closing = true
      await this.send({ command: 'shutdown' }).catch(() => undefined)
    }
    this.#closing = true
    await this.#process?.stop(within)
  }

  #read(line: string, bytes: number): void {
    if (line.trim() === '' || this.gone.aborted) return
    if (bytes > adapterLimits.line) return this.#fail(`printed a line of ${bytes} bytes`)
    const parsed = adapterEvent.safeParse(parsedJson(line))
    if (!parsed.success) {
      const rule = 'its standard output is for the protocol alone'
      return this.#fail(`printed something that is not an event (${rule}): ${line.slice(0, 200)}`)
    }
    const event = parsed.data
    switch (event.event) {
      case 'settled':
      case 'failed':
      case 'unsupported':
        return this.#waiting.get(event.id)?.(event)
      default:
        return this.#options.onNotice(event)
    }
  }

  #fail(what: string): void {
    if (!this.#life.signal.aborted) this.#life.abort(new AdapterFailure(what))
  }
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
