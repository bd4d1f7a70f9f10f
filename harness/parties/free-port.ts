/** Ports for servers that another process starts, or that are stopped and started again. */

import { randomInt } from 'node:crypto'
import { createServer, type ListenOptions, type Server } from 'node:net'

/**
 * Linux, macOS and Windows hand out higher ports to whoever asks for any port. One of those could be given to
 * somebody else before the server that it was meant for listens; one of these is only taken by who names it.
 */
const [first, last] = [20_000, 29_999]

let latest = randomInt(first, last)

/** Ports that are claimed at a time; one run needs some sixty. */
const claimed = 500
const claims: Server[] = []

/**
 * A port of the loopback interface on which nothing listens, and that no other run on this machine was given; no port is
 * returned again soon.
 * @throws Error when there is none
 */
export async function freePort(): Promise<number> {
  for (let tried = first; tried <= last; tried += 1) {
    const port = (latest = latest === last ? first : latest + 1)
    if ((await isClaimed(port)) && (await isFree(port))) return port
  }
  throw new Error(`no port between ${first} and ${last} is free on 127.0.0.1`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const hasListened = await listens(server, { port, host: '127.0.0.1' })
  if (hasListened) await new Promise((resolve) => server.close(resolve))
  return hasListened
}

/** Where the claim on a port is, on Linux: in the abstract namespace, which belongs to a network as ports do. */
export function claimOf(port: number): string {
  return `\0agent-oauth-conformance:${port}`
}

/** A server that starts, or starts again, does not listen for a while: what holds its port then is a claim. */
async function isClaimed(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const claim = createServer().unref()
  if (!(await listens(claim, { path: claimOf(port) }))) return false
  claims.push(claim)
  if (claims.length > claimed) claims.shift()?.close()
  return true
}

function listens(server: Server, at: ListenOptions): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(at, () => resolve(true))
  })
}
