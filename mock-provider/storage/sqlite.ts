/** A storage in an SQLite file, for one process: what it keeps outlives that process. */
import sqlite from 'node-sqlite3-wasm'
import { claimFile } from './claim-file.ts'
import type { Storage } from './storage.ts'

const schema = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = PERSIST;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS records (
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    record TEXT NOT NULL,
    expires_at REAL,
    PRIMARY KEY (collection, id)
  );
  CREATE INDEX IF NOT EXISTS expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
`

/** How many writes come between two rounds of removing what has expired. */
const writesPerSweep = 1000

/**
 * Opens or creates the file, for this process alone: several instances on one machine take Redis.
 * An update is atomic because nobody else has the file and nothing is awaited.
 * @throws Error when another process has it open
 */
export function openSqliteStorage(file: string): Storage {
  const release = claimFile(file)
  const database = open(file, release)
  const statements = {
    get: database.prepare(
      'SELECT record, expires_at FROM records WHERE collection = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)',
    ),
    set: database.prepare(
      'INSERT INTO records VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET record = excluded.record, expires_at = excluded.expires_at',
    ),
    delete: database.prepare('DELETE FROM records WHERE collection = ? AND id = ?'),
    list: database.prepare(
      'SELECT record FROM records WHERE collection = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY rowid',
    ),
    sweep: database.prepare('DELETE FROM records WHERE expires_at <= ?'),
    clear: database.prepare('DELETE FROM records WHERE substr(collection, 1, length(?)) = ?'),
  }
  let writes = 0
  const find = (collection: string, id: string) => {
    const row = statements.get.get([collection, id, Date.now()])
    return row ? { record: parse(row['record']), expiresAt: row['expires_at'] } : undefined
  }
  const write = (collection: string, id: string, record: unknown, expiresAt: unknown) => {
    const expiry = typeof expiresAt === 'number' && Number.isFinite(expiresAt) ? expiresAt : null
    statements.set.run([collection, id, JSON.stringify(record), expiry])
    if (++writes % writesPerSweep === 0) statements.sweep.run([Date.now()])
  }
  return {
    immediate: true,
    get: (collection, id) => find(collection, id)?.record,
    set: (collection, id, record, lifetime = Infinity) =>
      write(collection, id, record, Date.now() + lifetime),
    update(collection, id, change, lifetime) {
      const before = find(collection, id)
      const record = change(before?.record)
      if (record === undefined) statements.delete.run([collection, id])
      else if (record !== before?.record) {
        const expiresAt = lifetime === undefined ? before?.expiresAt : Date.now() + lifetime
        write(collection, id, record, expiresAt)
      }
      return before?.record
    },
    list: (collection) =>
      statements.list.all([collection, Date.now()]).map((row) => parse(row['record'])),
    clear: (prefix = '') => void statements.clear.run([prefix, prefix]),
    close() {
      if (!database.isOpen) return
      Object.values(statements).forEach((statement) => statement.finalize())
      database.close()
      release()
    },
  }
}

function open(file: string, release: () => void): sqlite.Database {
  try {
    const database = new sqlite.Database(file)
    database.exec(schema)
    return database
  } catch (error) {
    release()
    throw error
  }
}

function parse(record: unknown): unknown {
  return typeof record === 'string' ? JSON.parse(record) : undefined
}
