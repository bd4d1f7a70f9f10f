/** Sessions: what was said, what the tools gave, and what waits for a credential. Kept durably. */

import type { Content } from './model.ts'
import type { Flow } from './oauth.ts'
import type { Records } from './sealed-files.ts'
import type { Fields } from './tools.ts'

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: Fields
}

/** A credential request that was not answered yet. */
export interface Pending {
  /** By which it is answered. */
  readonly id: string
  readonly call: ToolCall
  /** In the dialect of calls: the authorization request that was made for it. */
  readonly flow?: Flow
}

/** One turn of the model, or what the user said. */
type Entry =
  { readonly said: string } | { readonly text: string; readonly calls: readonly ToolCall[] }

export interface Session {
  readonly id: string
  readonly appName: string
  readonly userId: string
  /** What tools and applications keep in it; this agent keeps nothing. */
  readonly state: Fields
  events: Fields[]
  history: Entry[]
  /** By the id of the call. */
  results: Record<string, Fields>
  pending: Pending[]
  lastUpdateTime: number
}

export interface Sessions {
  readonly create: (app: string, user: string, id: string) => Session
  readonly find: (app: string, user: string, id: string) => Session | undefined
  readonly save: (session: Session) => void
}

/** Under which a session is kept: ids are chosen by client applications, so the user is part of it. */
export function sessionName(app: string, user: string, id: string): string {
  return `session ${JSON.stringify([app, user, id])}`
}

export function createSessions(records: Records, nameOf: typeof sessionName): Sessions {
  const save = (session: Session): void => {
    session.lastUpdateTime = Date.now() / 1000
    records.save(nameOf(session.appName, session.userId, session.id), session)
  }
  return {
    create(appName, userId, id) {
      const empty = { events: [], history: [], results: {}, pending: [], lastUpdateTime: 0 }
      const session: Session = { id, appName, userId, state: {}, ...empty }
      save(session)
      return session
    },
    // Only this program writes them, and only this key opens them.
    find: (app, user, id) => records.load(nameOf(app, user, id)) as Session | undefined,
    save,
  }
}

/** What stands in for a result that is awaited. */
export const placeholder = { result: 'Pending User Authorization.' }

/** The conversation as the model is given it: credential requests and their answers are not part of it. */
export function contentsOf({ history, results }: Session): readonly Content[] {
  return history.flatMap((entry): Content[] => {
    if ('said' in entry) return [{ role: 'user', parts: [{ text: entry.said }] }]
    const { text, calls } = entry
    const spoken = text === '' ? [] : [{ text }]
    const called = calls.map((functionCall) => ({ functionCall }))
    const turn: Content = { role: 'model', parts: [...spoken, ...called] }
    if (calls.length === 0) return [turn]
    const responses = calls.map(({ id, name }) => ({
      functionResponse: { id, name, response: results[id] ?? placeholder },
    }))
    return [turn, { role: 'user', parts: responses }]
  })
}
