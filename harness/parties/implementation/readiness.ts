/** Whether something answers where an implementation is to be: nothing before it is started, then the implementation. */

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { withDeadline } from '../../engine/deadline.ts'
import type { Run } from '../../engine/run.ts'
import { Unreachable } from '../../engine/scenario.ts'
import type { TargetConfiguration } from '../target-settings.ts'
import { HttpFailure, type Transport } from '../http.ts'
import type { RunningProcess } from './process.ts'

/** What is asked, and how. */
export interface Readiness {
  readonly run: Run
  readonly target: TargetConfiguration
  readonly transport: Transport
}

/** Makes sure that what will answer is what is started: a server of yesterday must not be judged in its place. */
export async function vacant(url: string, patience: number, options: Readiness): Promise<void> {
  const { target, run } = options
  const deadline = run.now() + patience
  while (!run.signal.aborted && !(await notReady(url, options))) {
    if (run.now() >= deadline) {
      const what = `something else answers at ${url} already, before ${describe(target)} was started`
      throw new Unreachable(`${what}; end it, or have {port} in target.url for a free port`)
    }
    await delay(40)
  }
}

/** Waits until something accepts connections at the URL and does not say that it is still starting. */
export async function answers(
  url: string,
  running: RunningProcess | undefined,
  options: Readiness,
): Promise<void> {
  const { target, run } = options
  if (target.module) return
  let last: string | undefined = 'nothing listens there'
  const look = async (signal: AbortSignal): Promise<void> => {
    while (last !== undefined && !signal.aborted) {
      if (running?.exit)
        throw new Unreachable(`${describe(target)} ${running.exit} before it answered at ${url}`)
      last = await notReady(url, options)
      if (last !== undefined) await delay(40)
    }
  }
  await withDeadline(target.readyTimeout, run.signal, look, run.busyFor)
  if (last === undefined) return
  throw new Unreachable(
    `${describe(target)} did not answer at ${url} within ${target.readyTimeout} ms: ${last}`,
  )
}

/** Why nothing is served at the URL yet, if so. A gateway that misses what is behind it says 502, 503 or 504. */
async function notReady(url: string, { run, transport }: Readiness): Promise<string | undefined> {
  if (!(await acceptsAt(url))) return 'nothing listens there'
  const status = await statusOf(`${url}/`, transport, run.signal)
  return status !== undefined && [502, 503, 504].includes(status)
    ? `it answers ${status}`
    : undefined
}

function describe(target: TargetConfiguration): string {
  return target.command ? `the command ${JSON.stringify(target.command[0])}` : 'the implementation'
}

/** Whether something accepts connections at the host and port of the URL. */
export function acceptsAt(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
    const finish = (ok: boolean): void => {
      socket.destroy()
      resolve(ok)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
    socket.setTimeout(1000, () => finish(false))
  })
}

async function statusOf(url: string, transport: Transport, signal: AbortSignal) {
  try {
    return (await transport({ method: 'GET', url, headers: {}, within: 1000, signal })).status
  } catch (error) {
    if (error instanceof HttpFailure) return undefined
    throw error
  }
}
