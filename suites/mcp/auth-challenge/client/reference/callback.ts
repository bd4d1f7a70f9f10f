/** A listener on the loopback interface for one redirect of the browser (RFC 8252 §7.3). */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Milliseconds in which the user has to come back. */
const patience = 10 * 60_000

export interface Callback {
  readonly redirectUri: string
  /** What the browser brought back. @throws Error where nobody comes */
  readonly returned: Promise<URLSearchParams>
  close(): void
}

/** What the browser shows. */
export interface Page {
  readonly status: number
  readonly text: string
}

export function pageFor(isOurs: boolean): Page {
  return isOurs
    ? { status: 200, text: 'You can close this window.' }
    : { status: 400, text: 'Nobody waits for this.' }
}

/** `belongs` says whether a redirect is the one that is waited for; every other one changes nothing. */
export async function listen(
  belongs: (returned: URLSearchParams) => boolean,
  page: typeof pageFor,
  port: number,
): Promise<Callback> {
  let settle: (returned: URLSearchParams) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const returned = new Promise<URLSearchParams>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  returned.catch(() => undefined)
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isOurs = request.method === 'GET' && pathname === '/callback' && belongs(searchParams)
    const { status, text } = page(isOurs)
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text)
    if (isOurs) settle(searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const timer = setTimeout(() => fail(new Error('nobody came back')), patience)
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    returned,
    close() {
      clearTimeout(timer)
      fail(new Error('nobody waits any more'))
      server.close()
    },
  }
}
