/** Everything that outlives a restart, as small synchronous operations on the database. */

import { z } from 'zod'

import { openDatabase, type Database } from './database.ts'
import { eventSchema, type ShownEvent, type UserEvent } from './events.ts'
import {
  callBodySchema,
  messageBodySchema,
  type Call,
  type CallBody,
  type Message,
  type MessageBody,
} from './records.ts'

export interface NewCall extends CallBody {
  readonly turn: number
  readonly conversation: string
  readonly id: string
  readonly tokenHash: string
  readonly createdAt: number
}

export type Store = ReturnType<typeof openStore>

const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema)

const callRow = z
  .object({
    seq: z.number(),
    turn: z.number(),
    conversation: z.string(),
    id: z.string(),
    created_at: z.number(),
    state: z.enum(['sending', 'pending', 'settled']),
    auth_url: z.string().nullable(),
    auth_event: z.number().nullable(),
    auth_url_refused: z.number(),
    body: json(callBodySchema),
  })
  .transform(({ created_at, auth_url, auth_event, auth_url_refused, body, ...row }) => ({
    ...row,
    ...body,
    createdAt: created_at,
    authUrl: auth_url,
    awaitsAuthorization: row.state !== 'settled' && auth_event !== null,
    authUrlRefused: auth_url_refused === 1,
  }))

const messageRow = z.object({
  seq: z.number(),
  unseen: z.number().transform((value) => value === 1),
  body: json(messageBodySchema),
})
const eventRow = z.object({
  seq: z.number(),
  body: json(eventSchema),
  auth_url: z.string().nullable(),
})
const resultRow = z.object({ body: json(z.string()) })
const unseenRow = z.object({
  seq: z.number(),
  conversation: z.string(),
  body: messageRow.shape.body,
})

const nextPosition = 'coalesce(max(position), 0) + 1'

export function openStore(dataDir: string) {
  const db: Database = openDatabase(dataDir)
  const insert = (sql: string, values: (string | number | null)[]) =>
    Number(db.run(sql, values).lastInsertRowid)

  /** All or nothing; may be nested. */
  function transaction<T>(work: () => T): T {
    if (db.inTransaction) return work()
    db.exec('BEGIN')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  function toCall(row: unknown): Call {
    const call = callRow.parse(row)
    const rows = db.all('SELECT body FROM results WHERE call = ? ORDER BY seq', call.seq)
    return { ...call, results: rows.map((each) => resultRow.parse(each).body) }
  }

  function findCall(where: string, value: string | number): Call | undefined {
    const row = db.get(`SELECT * FROM calls WHERE ${where} = ?`, value)
    return row === null ? undefined : toCall(row)
  }

  function callsOf(turn: number): Call[] {
    return db.all('SELECT * FROM calls WHERE turn = ? ORDER BY seq', turn).map(toCall)
  }

  return {
    transaction,

    // ------------------------------------------------------------- messages
    addMessage(conversation: string, body: MessageBody, unseen: boolean): number {
      return insert(
        `INSERT INTO messages (conversation, position, unseen, body)
         VALUES (?1, (SELECT ${nextPosition} FROM messages WHERE conversation = ?1), ?2, ?3)`,
        [conversation, unseen ? 1 : 0, JSON.stringify(body)],
      )
    },
    markUnseen(seq: number): void {
      db.run('UPDATE messages SET unseen = 1 WHERE seq = ?', seq)
    },
    /** Puts the message to the end of what the model has seen. */
    markSeen(seq: number): void {
      db.run(
        `UPDATE messages SET unseen = 0, position = (SELECT ${nextPosition} FROM messages AS others
         WHERE others.conversation = messages.conversation) WHERE seq = ?`,
        seq,
      )
    },
    messages(conversation: string): Message[] {
      const sql = 'SELECT * FROM messages WHERE conversation = ? ORDER BY position'
      return transaction(() =>
        db.all(sql, conversation).map((row) => {
          const { seq, unseen, body } = messageRow.parse(row)
          return { seq, unseen, ...body, calls: body.role === 'assistant' ? callsOf(seq) : [] }
        }),
      )
    },
    /** What a run of the model was cut short for, or never began. */
    unseen(): { seq: number; conversation: string; role: MessageBody['role'] }[] {
      return db.all('SELECT * FROM messages WHERE unseen = 1 ORDER BY position').map((row) => {
        const { seq, conversation, body } = unseenRow.parse(row)
        return { seq, conversation, role: body.role }
      })
    },

    // ------------------------------------------------------------- calls
    addCall({ turn, conversation, id, tokenHash, createdAt, ...body }: NewCall): number {
      return insert(
        `INSERT INTO calls (turn, conversation, id, token_hash, created_at, state, body)
         VALUES (?, ?, ?, ?, ?, 'sending', ?)`,
        [turn, conversation, id, tokenHash, createdAt, JSON.stringify(body)],
      )
    },
    call: (seq: number) => findCall('seq', seq),
    callByToken: (tokenHash: string) => findCall('token_hash', tokenHash),
    callsOf,
    openCalls(conversation?: string): Call[] {
      const open = "SELECT * FROM calls WHERE state <> 'settled'"
      if (conversation === undefined) return db.all(`${open} ORDER BY seq`).map(toCall)
      return db.all(`${open} AND conversation = ? ORDER BY seq`, conversation).map(toCall)
    },
    markArrived(seq: number): void {
      db.run("UPDATE calls SET state = 'pending' WHERE seq = ? AND state = 'sending'", seq)
    },
    addResult(seq: number, text: string): void {
      transaction(() => {
        db.run('INSERT INTO results (call, body) VALUES (?, ?)', [seq, JSON.stringify(text)])
        db.run("UPDATE calls SET state = 'settled' WHERE seq = ?", seq)
      })
    },

    // ------------------------------------------------------------- authorization URLs
    keepAuthUrl(seq: number, authUrl: string, event: number): void {
      db.run('UPDATE calls SET auth_url = ?, auth_event = ? WHERE seq = ?', [authUrl, event, seq])
    },
    forgetAuthUrl(seq: number): void {
      db.run('UPDATE calls SET auth_url = NULL WHERE seq = ?', seq)
    },
    markAuthUrlRefused(seq: number): void {
      db.run('UPDATE calls SET auth_url_refused = 1 WHERE seq = ?', seq)
    },

    // ------------------------------------------------------------- events
    addEvent(conversation: string, event: UserEvent): number {
      return insert('INSERT INTO events (conversation, body) VALUES (?, ?)', [
        conversation,
        JSON.stringify(event),
      ])
    },
    eventsAfter(conversation: string, after: number): ShownEvent[] {
      return db
        .all(
          `SELECT events.seq, events.body, calls.auth_url FROM events
           LEFT JOIN calls ON calls.auth_event = events.seq
           WHERE events.conversation = ? AND events.seq > ? ORDER BY events.seq`,
          [conversation, after],
        )
        .map((row) => {
          const { seq, body, auth_url: url } = eventRow.parse(row)
          return { seq, ...body, ...(url === null ? {} : { url }) }
        })
    },

    close(): void {
      if (db.isOpen) db.close()
    },
  }
}
