/** A storage in Redis, for several instances behind a balancer. */
import { createClient } from '@redis/client'
import type { Storage } from './storage.ts'

/** Writes only if nobody wrote since the record was read. An empty string stands for nothing. */
const replace = `
local current = redis.call('GET', KEYS[1]) or ''
if current ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
elseif ARGV[3] ~= '' then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
else redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') end
return 1`

/** Every lost round means that somebody else won it, so this many are never needed. */
const mostRounds = 1000

/**
 * Connects to `redis://host:port/database`. Keys begin with `prefix`; nothing else is touched.
 * Rejects when the server cannot be reached.
 */
export async function connectRedisStorage(url: string, prefix = 'aoc:'): Promise<Storage> {
  let connected = false
  const client = createClient({
    url,
    // a command fails at once while the connection is lost, instead of waiting for it
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 5000,
      reconnectStrategy: (retries, cause) => (connected ? Math.min(retries * 50, 1000) : cause),
    },
  })
  // what goes wrong is reported by the command that needed the connection
  client.on('error', () => undefined)
  await client.connect()
  connected = true

  const keyOf = (collection: string, id: string) => `${prefix}${collection}:${id}`
  const keysOf = async (start: string) => {
    const pattern = `${start.replace(/[\\*?[\]]/g, '\\$&')}*`
    const keys = new Set<string>()
    for await (const page of client.scanIterator({ MATCH: pattern, COUNT: 1000 })) {
      for (const key of page) keys.add(key)
    }
    return [...keys]
  }
  return {
    immediate: false,
    get: async (collection, id) => parse(await client.get(keyOf(collection, id))),
    async set(collection, id, record, lifetime) {
      const milliseconds = expiryOf(lifetime)
      await client.set(
        keyOf(collection, id),
        JSON.stringify(record),
        milliseconds === undefined ? {} : { expiration: { type: 'PX', value: milliseconds } },
      )
    },
    async update(collection, id, change, lifetime) {
      const key = keyOf(collection, id)
      for (let round = 0; round < mostRounds; round++) {
        const current = await client.get(key)
        const before = parse(current)
        const record = change(before)
        if (record === before) return before
        const next = record === undefined ? '' : JSON.stringify(record)
        const values = [current ?? '', next, String(expiryOf(lifetime) ?? '')]
        if (await client.eval(replace, { keys: [key], arguments: values })) return before
      }
      throw new Error(`the record ${key} is changed too often`)
    },
    async list(collection) {
      const keys = await keysOf(`${prefix}${collection}:`)
      if (keys.length === 0) return []
      return (await client.mGet(keys)).map(parse).filter((record) => record !== undefined)
    },
    async clear(start = '') {
      const keys = await keysOf(prefix + start)
      if (keys.length > 0) await client.unlink(keys)
    },
    async close() {
      if (client.isOpen) await client.close()
    },
  }
}

function expiryOf(lifetime: number | undefined): number | undefined {
  if (lifetime === undefined || !Number.isFinite(lifetime)) return undefined
  return Math.max(1, Math.ceil(lifetime))
}

function parse(text: string | null): unknown {
  return text === null ? undefined : JSON.parse(text)
}
