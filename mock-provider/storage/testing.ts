/** Starts the storages that tests run over. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage } from './open-storage.ts'
import type { Storage } from './storage.ts'

/** Whether Debian's `redis-server`, or any other, is installed. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

export const withoutRedis = 'redis-server is not installed'

export interface RunningRedis {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a Redis server that keeps nothing on disk. */
export async function startRedis(): Promise<RunningRedis> {
  const port = await freePort()
  const settings = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', settings.map(String), {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: tmpdir(),
  })
  let output = ''
  for await (const chunk of server.stdout) {
    output += String(chunk)
    if (output.includes('Ready to accept connections')) break
  }
  if (server.exitCode !== null) throw new Error(`redis-server ended: ${output}`)
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** A folder for one test file, and how to remove it. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'mock-provider-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Every kind of storage that can be tested here. */
export const storageKinds = ['memory', 'sqlite', ...(hasRedis ? (['redis'] as const) : [])] as const

export interface OpenedStorage {
  readonly storage: Storage
  /** Closes it and removes what it left behind. */
  close(): Promise<void>
}

/** Opens an empty storage of this kind. */
export async function openTestStorage(kind: (typeof storageKinds)[number]): Promise<OpenedStorage> {
  const folder = temporaryFolder()
  const redis = kind === 'redis' ? await startRedis() : undefined
  const file = `sqlite:${join(folder.path, 'provider.sqlite')}`
  const storage = await openStorage(redis?.url ?? (kind === 'sqlite' ? file : 'memory'))
  return {
    storage,
    async close() {
      await storage.close()
      await redis?.stop()
      folder.remove()
    },
  }
}
