/** The client: the servers that its user has configured, and what they call. */

import { Connection } from './connection.ts'
import { defaultParts, type Parts } from './parts.ts'
import type { ServerSpec, UserInterface } from './work.ts'

export interface Host {
  /** Calls a tool of whichever server has it, and tells the user what came of it. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<void>
  close(): Promise<void>
}

/** Connects to every server. `parts` replaces steps. */
export function createHost(
  servers: readonly ServerSpec[],
  user: UserInterface,
  parts: Partial<Parts> = {},
): Host {
  const all = { ...defaultParts, ...parts }
  const connections = servers.map((spec) => new Connection(spec, user, all))
  const call = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    for (const connection of connections) {
      if (await connection.offers(tool).catch(() => false)) return connection.call(tool, args)
    }
    return 'no server that can be reached has such a tool'
  }
  return {
    call: (tool, args) =>
      all.startCall(async () => {
        if (!(await all.mayCall(user, tool))) return
        const text = await call(tool, args).catch((error: unknown) => `failed, ${reasonOf(error)}`)
        user.tell(`${tool}: ${text}`)
      }),
    async close() {
      await Promise.allSettled(connections.map((connection) => connection.close()))
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason given'
}
