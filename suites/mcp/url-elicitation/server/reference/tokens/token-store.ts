/** Durable tokens: one encrypted row per owner, in an SQLite file. */

import { createHash } from 'node:crypto'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import sqlite from 'node-sqlite3-wasm'

import type { Cipher } from './cipher.ts'
import { tokensSchema, type Tokens } from './tokens.ts'

export interface TokenStore {
  readonly save: (owner: string, tokens: Tokens) => Promise<void>
  /** Undefined when there are none, or none that this key can open. */
  readonly load: (owner: string) => Promise<Tokens | undefined>
  readonly delete: (owner: string) => Promise<void>
  readonly close: () => void
}

/**
 * Opens or makes the file in `dataDir`, readable for this user alone. There is one process per data
 * directory: a lock that was left behind by a killed one is removed.
 */
export function openTokenStore(dataDir: string, cipher: Cipher): TokenStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'items-server.db')
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  // This SQLite locks by making a directory.
  rmSync(`${path}.lock`, { recursive: true, force: true })
  const db = new sqlite.Database(path)
  // What is deleted is overwritten, and the journal with the old pages is emptied at each commit.
  db.exec('PRAGMA secure_delete = ON; PRAGMA journal_mode = TRUNCATE')
  db.exec('CREATE TABLE IF NOT EXISTS tokens (owner TEXT PRIMARY KEY, sealed TEXT NOT NULL)')
  return {
    async save(owner, tokens) {
      const name = rowName(owner)
      const sealed = await cipher.seal(name, JSON.stringify(tokens))
      db.run('INSERT OR REPLACE INTO tokens (owner, sealed) VALUES (?, ?)', [name, sealed])
    },
    async load(owner) {
      const name = rowName(owner)
      const row = db.get('SELECT sealed FROM tokens WHERE owner = ?', [name])
      if (typeof row?.['sealed'] !== 'string') return undefined
      try {
        return tokensSchema.parse(JSON.parse(await cipher.open(name, row['sealed'])))
      } catch {
        return undefined
      }
    },
    async delete(owner) {
      db.run('DELETE FROM tokens WHERE owner = ?', [rowName(owner)])
    },
    close: () => db.close(),
  }
}

/** A hash: who uses the server is nobody's business who reads the file. */
function rowName(owner: string): string {
  return createHash('sha256').update(owner).digest('hex')
}
