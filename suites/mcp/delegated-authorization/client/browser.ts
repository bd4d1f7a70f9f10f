/** The browser of the user, back from the authorization server: what it brings to the client, and who listens where. */

import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Recorder } from '../../../../harness/engine/index.ts'
import { HttpFailure, networkTransport } from '../../../../harness/parties/index.ts'
import { browserChannel } from './vocabulary.ts'

const transport = networkTransport([])

/** Follows a redirect to the client; whatever comes of it is recorded. */
export async function follow(
  recorder: Recorder,
  call: string,
  url: string,
  within: number,
): Promise<void> {
  const place = { channel: browserChannel, exchange: recorder.newExchange(), call } as const
  recorder.record({ type: 'request', ...place, method: 'GET', url, headers: {} })
  try {
    const { status, headers, body } = await transport({ method: 'GET', url, headers: {}, within })
    recorder.record({ type: 'response', ...place, status, headers: { ...headers }, body })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    const { code, message } = error
    recorder.record({ type: 'failure', ...place, code, message })
  }
}

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
