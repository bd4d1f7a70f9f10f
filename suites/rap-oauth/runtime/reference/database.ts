/** The SQLite file: how it is opened, and its tables. */

import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import sqlite from 'node-sqlite3-wasm'

export type Database = InstanceType<typeof sqlite.Database>

// Text from outside is stored as JSON: SQLite text cannot hold U+0000 or lone surrogates.
const tables = `
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL,
    position INTEGER NOT NULL,
    unseen INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS messages_of ON messages (conversation, position);
  CREATE INDEX IF NOT EXISTS messages_unseen ON messages (position) WHERE unseen = 1;
  CREATE TABLE IF NOT EXISTS calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    turn INTEGER NOT NULL REFERENCES messages (seq),
    conversation TEXT NOT NULL,
    id TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    auth_url TEXT,
    auth_event INTEGER,
    auth_url_refused INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS calls_of ON calls (turn);
  CREATE INDEX IF NOT EXISTS calls_by_event ON calls (auth_event);
  CREATE INDEX IF NOT EXISTS calls_open ON calls (conversation) WHERE state <> 'settled';
  CREATE TABLE IF NOT EXISTS results (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    call INTEGER NOT NULL REFERENCES calls (seq),
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS results_of ON results (call);
  CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS events_of ON events (conversation, seq);
`

/** Opens or makes the database in `dataDir`, readable for this user alone. */
export function openDatabase(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'rap-runtime.db')
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  // What a killed process left behind: this SQLite locks by making a directory. There is one
  // process per data directory, so nobody else can hold it.
  rmSync(`${path}.lock`, { recursive: true, force: true })
  const db = new sqlite.Database(path)
  // RAP OAuth, Security Considerations: a forgotten auth_url must be gone from the file, too.
  // Deleted content is overwritten, and the journal with the old pages is emptied at each commit.
  db.exec('PRAGMA secure_delete = ON; PRAGMA journal_mode = TRUNCATE; PRAGMA foreign_keys = ON')
  // One transaction: each is a few waits for the disk.
  db.exec(`BEGIN; ${tables} COMMIT`)
  return db
}
