/** Waits for the browser to come back (RFC 8252 §7.3): on 127.0.0.1, for one callback, and not for ever. */

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Redirect } from './redirects.ts'

export interface Listener {
  readonly redirectUri: string
  /** The callback URL, byte by byte as the browser brought it. Rejects when nobody comes. */
  readonly callback: Promise<string>
  readonly close: () => Promise<void>
}

export interface ListenerSteps {
  readonly host: () => string
  readonly isCallback: (path: string, expected: Expected) => boolean
  readonly refuse: (response: ServerResponse) => void
}

/** What the callback has to fit. */
export interface Expected {
  /** Path of the redirect URI. */
  readonly path: string
  /** Null where the URL does not show it, as one that refers to a pushed request. */
  readonly state: string | null
}

/** Milliseconds that a user may take. */
const mostPatience = 10 * 60_000

const page = (text: string): string => `<!doctype html><title>${text}</title><p>${text}</p>`

/** Starts listening. Rejects where the port is taken. */
export async function listen(
  { template, port = 0 }: Redirect,
  state: string | null,
  steps: ListenerSteps,
): Promise<Listener> {
  let take: (url: string) => void = () => {}
  let giveUp: (error: Error) => void = () => {}
  const callback = new Promise<string>((resolve, reject) => {
    take = resolve
    giveUp = reject
  })
  // Whoever waits for it hears of it.
  callback.catch(() => undefined)
  const server = createServer((request, response) => {
    const { method, url = '/' } = request
    const expected = { path: new URL(redirectUri).pathname, state }
    if (method !== 'GET' || !steps.isCallback(url, expected)) return steps.refuse(response)
    const headers = { 'content-type': 'text/html', connection: 'close' }
    response.writeHead(200, headers).end(page('You can close this window.'), () => {
      take(new URL(redirectUri).origin + url)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, steps.host(), resolve)
  })
  const redirectUri = template.replace('{port}', String((server.address() as AddressInfo).port))
  const timer = setTimeout(() => giveUp(new Error('nobody came back')), mostPatience)
  return {
    redirectUri,
    callback,
    async close() {
      clearTimeout(timer)
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

export function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html' }).end(page('Nothing is here.'))
}

/** Path and state are those of the request that was opened, and it brings a code or an error. */
export function isCallback(path: string, expected: Expected): boolean {
  const { pathname, searchParams } = new URL(path, 'http://127.0.0.1')
  const answers = ['code', 'error'].some((name) => (searchParams.get(name) ?? '') !== '')
  const isOwn = expected.state === null || searchParams.get('state') === expected.state
  return pathname === expected.path && isOwn && answers
}
