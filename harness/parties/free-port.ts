/** Ports for servers that another process starts, or that are stopped and started again. */

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Linux, macOS and Windows hand out higher ports to whoever asks for any port. One of those could be given to
 * somebody else before the server that it was meant for listens; one of these is only taken by who names it.
 */
const [first, last] = [20_000, 29_999]

let latest = randomInt(first, last)

/**
 * A port of the loopback interface on which nothing listens; no port is returned again soon.
 * @throws Error when there is none
 */
export async function freePort(): Promise<number> {
  for (let tried = first; tried <= last; tried += 1) {
    const port = (latest = latest === last ? first : latest + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no port between ${first} and ${last} is free on 127.0.0.1`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
