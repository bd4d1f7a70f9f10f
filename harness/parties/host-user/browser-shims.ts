/** The browser of a host's user, as far as a program opens it: commands of that name report what they were to open. */

import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Commands that stand in for a browser. */
export interface BrowserShims {
  /**
   * The environment in which programs find them: first in `PATH`, as `BROWSER`, and without a desktop, on which some
   * libraries would bring a command of their own.
   */
  environment(base: Readonly<Record<string, string>>): Record<string, string>
  close(): Promise<void>
}

/** What opens URLs on Linux, macOS, Debian and WSL. */
const names = ['xdg-open', 'open', 'www-browser', 'sensible-browser', 'wslview', 'x-www-browser']
const desktop = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE']
/** Openings that are reported, and characters of the arguments of one. */
const limits = { openings: 200, characters: 64 * 1024 }

/** Writes the commands into a folder; `onOpened` is called with the arguments of each start of one. */
export async function startBrowserShims(
  folder: string,
  onOpened: (args: readonly string[]) => void,
): Promise<BrowserShims> {
  const secret = `/${randomBytes(16).toString('hex')}`
  let openings = 0
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      if (text.length <= limits.characters) text += chunk
    })
    request.on('end', () => {
      const isOurs = request.url === secret && (openings += 1) <= limits.openings
      if (isOurs) onOpened(argumentsIn(text))
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  mkdirSync(folder, { recursive: true })
  // Programs without an extension are what the nearest package says.
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}')
  const [first = '', ...others] = names.map((name) => join(folder, name))
  writeFileSync(first, program(port, secret), { mode: 0o700 })
  for (const other of others) linkSync(first, other)
  return {
    environment: (base) => ({
      ...Object.fromEntries(Object.entries(base).filter(([name]) => !desktop.includes(name))),
      PATH: `${folder}:${base['PATH'] ?? ''}`,
      BROWSER: first,
    }),
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function argumentsIn(text: string): string[] {
  try {
    const value = JSON.parse(text) as unknown
    return Array.isArray(value) ? value.map(String) : []
  } catch {
    return [text]
  }
}

function program(port: number, secret: string): string {
  return `#!${process.execPath}
const options = { host: '127.0.0.1', port: ${port}, path: '${secret}', method: 'POST' }
const request = require('node:http').request(options, (response) => response.resume())
request.on('error', () => process.exit(1))
request.end(JSON.stringify(process.argv.slice(2)))
`
}
