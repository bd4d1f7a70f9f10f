/** The browser of the user, back from the authorization server: what it brings to the client, and who listens where. */

import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Recorder } from '../../../../harness/engine/index.ts'
import { HttpFailure, networkTransport } from '../../../../harness/parties/index.ts'
import { browserChannel } from './vocabulary.ts'

const transport = networkTransport([])

/** Follows a redirect to the client; whatever comes of it is recorded. Resolves with the code of a failure. */
export async function follow(
  recorder: Recorder,
  call: string,
  url: string,
  within: number,
): Promise<string | undefined> {
  const place = { channel: browserChannel, exchange: recorder.newExchange(), call } as const
  recorder.record({ type: 'request', ...place, method: 'GET', url, headers: {} })
  try {
    const { status, headers, body } = await transport({ method: 'GET', url, headers: {}, within })
    recorder.record({ type: 'response', ...place, status, headers: { ...headers }, body })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    const { code, message } = error
    recorder.record({ type: 'failure', ...place, code, message })
    return code
  }
  return undefined
}

/**
 * Whether somebody listens at a port of this machine, by what Linux says of it: a listener may be there for one connection
 * alone. Elsewhere nobody knows.
 */
export function isListening(port: number): boolean {
  const entry = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((table) => {
    const lines = existsSync(table) ? readFileSync(table, 'utf8').split('\n') : []
    return lines.some((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/)
      return local.endsWith(entry) && state === listenState
    })
  })
}

/** TCP_LISTEN of Linux. */
const listenState = '0A'

/** Addresses of this machine at which nobody but itself should be heard; on Linux all of 127/8 is itself. */
export function otherAddresses(): readonly string[] {
  const outside = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
  return [...(process.platform === 'linux' ? ['127.0.0.2'] : []), ...outside]
}

/** Whether somebody listens there; neither where nothing answers in time. */
export function listens(
  host: string,
  port: number,
  within: number,
): Promise<'open' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (found: 'open' | 'refused' | 'silent') => (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(found)
    }
    const timer = setTimeout(end('silent'), within)
    socket.once('connect', end('open'))
    socket.once('error', end('refused'))
  })
}
