/** The client: the servers that its user has configured, and what they call. */

import { Connection } from './connection.ts'
import { defaultParts, type Parts } from './parts.ts'
import { TokenStore } from './token-store.ts'
import type { ClientInformation, ServerSpec, UserInterface } from './work.ts'

export interface Host {
  /** Calls a tool of whichever server has it, and tells the user what came of it. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<void>
  close(): Promise<void>
}

/** What its user has configured beside the servers. */
export interface Settings {
  readonly registration: ClientInformation
  /** Where tokens are kept, sealed with the key; default: nowhere. */
  readonly tokenFile?: string | undefined
  readonly tokenKey: string
}

/** `parts` replaces steps. */
export function createHost(
  servers: readonly ServerSpec[],
  { registration, tokenFile, tokenKey }: Settings,
  user: UserInterface,
  parts: Partial<Parts> = {},
): Host {
  const all = { ...defaultParts, ...parts }
  const store = new TokenStore(tokenFile, tokenKey, all)
  const connections = servers.map((spec) => new Connection(spec, user, registration, store, all))
  const call = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    for (const connection of connections) {
      if (await connection.offers(tool)) return connection.call(tool, args)
    }
    return 'no server has such a tool'
  }
  return {
    async call(tool, args) {
      if (!(await all.mayCall(user, tool))) return
      const text = await call(tool, args).catch((error: unknown) => `failed, ${reasonOf(error)}`)
      user.tell(`${tool}: ${text}`)
    },
    async close() {
      await Promise.allSettled(connections.map((connection) => connection.close()))
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason given'
}
