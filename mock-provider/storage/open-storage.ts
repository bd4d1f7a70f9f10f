/** Opens a storage by its address. */
import { optional } from '../provider/optional.ts'
import { createMemoryStorage } from './memory.ts'
import type { Storage } from './storage.ts'

/**
 * Opens `memory`, `sqlite:FILE`, or `redis://host:port/database`. Databases are loaded when asked for.
 * @throws TypeError for any other address; MissingPackage where its client is not installed; Error when the file or server cannot be opened
 */
export async function openStorage(address: string): Promise<Storage> {
  if (address === 'memory') return createMemoryStorage()
  if (/^rediss?:\/\//.test(address)) {
    const { connectRedisStorage } = await optional(
      () => import('./redis.ts'),
      '@redis/client',
      'A Redis storage',
    )
    return connectRedisStorage(address)
  }
  const file = /^sqlite:(.+)$/s.exec(address)?.[1]
  if (file !== undefined) {
    const { openSqliteStorage } = await optional(
      () => import('./sqlite.ts'),
      'node-sqlite3-wasm',
      'An SQLite storage',
    )
    return openSqliteStorage(file)
  }
  throw new TypeError('a storage is memory, sqlite:FILE, or redis://host:port')
}
