/** Whether an adapter speaks the protocol, found out without starting what it adapts. */

import { AdapterFailure, openAdapter, type Adapter, type CommandToSend } from './adapter.ts'
import { inherited } from '../environment.ts'

/** One thing that every adapter has to do, and how this one did it. */
export interface AdapterCheck {
  readonly what: string
  /** Why it is not as it should be; absent where it is. */
  readonly problem?: string
}

export interface AdapterCheckOptions {
  readonly command: readonly string[]
  readonly cwd: string
  /** Milliseconds until a command must be answered. */
  readonly within: number
}

/** What is tried, in this order; what cannot be tried any more is left out. */
export async function checkAdapter(options: AdapterCheckOptions): Promise<AdapterCheck[]> {
  const checks: AdapterCheck[] = []
  const attempt = async (what: string, problem: () => Promise<string | undefined>) => {
    const found = await problem().catch((error: unknown) => {
      if (error instanceof AdapterFailure) return error.message
      throw error
    })
    checks.push({ what, ...(found === undefined ? {} : { problem: found }) })
    return found === undefined
  }
  let adapter: Adapter | undefined
  const greeted = await attempt('it is started, and answers hello', async () => {
    adapter = await openAdapter({ ...options, env: inherited(), onNotice: ignore, onLog: ignore })
    return undefined
  })
  if (!greeted || !adapter) return checks
  const running = adapter
  try {
    await attempt('it answers an unknown command with unsupported', () => unknown(running))
    await attempt('it ignores unknown fields', () => unknownField(running))
    await attempt('it answers shutdown, and ends', () => shutdown(running, options.within))
  } finally {
    await running.close(0)
  }
  return checks
}

const ignore = (): void => undefined

/** What no version of the protocol has. */
const nonsense = { command: 'no_such_command' } as unknown as CommandToSend

async function unknown(adapter: Adapter): Promise<string | undefined> {
  const { event } = await adapter.send(nonsense)
  return event === 'unsupported' ? undefined : `it answered ${event}`
}

async function unknownField(adapter: Adapter): Promise<string | undefined> {
  const more = { command: 'configure', settings: {}, no_such_field: [1] } as const
  const { event } = await adapter.send(more)
  return event === 'settled' ? undefined : `it answered configure with ${event}`
}

async function shutdown(adapter: Adapter, within: number): Promise<string | undefined> {
  const { event } = await adapter.send({ command: 'shutdown' })
  if (event !== 'settled') return `it answered ${event}`
  const ended = await new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resolve(false), within)
    const end = (): void => {
      clearTimeout(late)
      resolve(true)
    }
    if (adapter.gone.aborted) return end()
    adapter.gone.addEventListener('abort', end, { once: true })
  })
  return ended ? undefined : `it still runs ${within} ms later`
}
