/**
 * Puts a server of ours behind standard input and output (Model Context Protocol, Transports, stdio): the client starts
 * a small program, which does nothing but hand on what it reads and what is to be written.
 */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { wireLimits } from './limits.ts'
import type { ReachableServer } from './http-server.ts'
import { ServerJournal } from './server-journal.ts'
import type { McpServer, Outlet } from './server.ts'

/** Where a message of this transport goes to, or comes from. */
const url = 'stdio:'

/** A server that a client starts by a command. */
export interface StartableServer extends Omit<ReachableServer, 'url'> {
  /** A program without arguments that speaks for the server. */
  readonly command: string
}

/** Writes the program into a folder, and waits for what it hands on. */
export async function serveStdio(
  mcp: McpServer,
  folder: string,
  name: string,
): Promise<StartableServer> {
  const sockets = new Set<Socket>()
  const secret = randomBytes(16).toString('hex')
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // A client that has ended takes its program with it.
    socket.on('error', () => undefined)
    accept(mcp, socket, secret)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const command = join(folder, `${name}.cjs`)
  writeFileSync(command, program(port, secret), { mode: 0o700 })
  return {
    command,
    close: async () => {
      mcp.close()
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** It ends with its input, and with the harness. */
function program(port: number, secret: string): string {
  return `#!${process.execPath}
const socket = require('node:net').connect(${port}, '127.0.0.1')
socket.write('${secret}\\n')
process.stdin.pipe(socket)
socket.pipe(process.stdout)
for (const ended of ['close', 'error']) socket.on(ended, () => process.exit())
`
}

/** The first line shows that it is our program; every other one is a message. */
function accept(mcp: McpServer, socket: Socket, secret: string): void {
  const session = mcp.connect()
  if (!session) return void socket.destroy()
  const journal = new ServerJournal(mcp.parts.recorder, session)
  const outlet: Outlet = {
    send(message, call) {
      if (socket.destroyed) return false
      const text = JSON.stringify(message)
      journal.sent('STDOUT', url, text, call)
      socket.write(`${text}\n`)
      return true
    },
    end: () => undefined,
  }
  let known = false
  const onLine = (line: string): void => {
    if (!known) {
      known = line === secret
      if (known) return session.listen(outlet)
      return void socket.destroy()
    }
    if (line.trim() === '') return
    const body = { text: line, bytes: Buffer.byteLength(line) }
    const received = journal.received('STDIN', url, {}, body)
    for (const message of received?.messages ?? []) session.receive(message, outlet)
  }
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
    if (rest.length > wireLimits.message) socket.destroy()
  })
  socket.once('close', () => session.close('the client has ended'))
}
