/** Durable tokens: one encrypted row per owner, in an SQLite file. */

import { createHash } from 'node:crypto'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type sqlite from 'node-sqlite3-wasm'

import type { Cipher } from './cipher.ts'
import { tokensSchema, type Tokens } from './tokens.ts'

export interface TokenStore {
  readonly save: (owner: string, tokens: Tokens) => Promise<void>
  /** Undefined when there are none, or none that this key can open. */
  readonly load: (owner: string) => Promise<Tokens | undefined>
  readonly delete: (owner: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens the file in `dataDir` at first use, which no start-up has to wait for. */
export function createTokenStore(dataDir: string, cipher: Cipher): TokenStore {
  let opening: Promise<Database> | undefined
  const open = () => (opening ??= openDatabase(dataDir))
  return {
    async save(owner, tokens) {
      const name = rowName(owner)
      const sealed = await cipher.seal(name, JSON.stringify(tokens))
      const db = await open()
      db.run('INSERT OR REPLACE INTO tokens (owner, sealed) VALUES (?, ?)', [name, sealed])
    },
    async load(owner) {
      const name = rowName(owner)
      const row = (await open()).get('SELECT sealed FROM tokens WHERE owner = ?', [name])
      if (typeof row?.['sealed'] !== 'string') return undefined
      try {
        return tokensSchema.parse(JSON.parse(await cipher.open(name, row['sealed'])))
      } catch {
        return undefined
      }
    },
    async delete(owner) {
      const db = await open()
      db.run('DELETE FROM tokens WHERE owner = ?', [rowName(owner)])
    },
    async close() {
      const db = await opening
      if (db?.isOpen === true) db.close()
    },
  }
}

type Database = InstanceType<typeof sqlite.Database>

/**
 * Readable for this user alone. There is one process per data directory: a lock that was left behind
 * by a killed one is removed.
 */
async function openDatabase(dataDir: string): Promise<Database> {
  const { default: loaded } = await import('node-sqlite3-wasm')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'items-server.db')
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  // This SQLite locks by making a directory.
  rmSync(`${path}.lock`, { recursive: true, force: true })
  const db = new loaded.Database(path)
  // What is deleted is overwritten, and the journal with the old pages is emptied at each commit.
  db.exec('PRAGMA secure_delete = ON; PRAGMA journal_mode = TRUNCATE')
  db.exec('CREATE TABLE IF NOT EXISTS tokens (owner TEXT PRIMARY KEY, sealed TEXT NOT NULL)')
  return db
}

/** A hash: who uses the server is nobody's business who reads the file. */
function rowName(owner: string): string {
  return createHash('sha256').update(owner).digest('hex')
}
