/** Authorizations in progress, kept on disk so that a restart neither loses nor repeats one. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { z } from 'zod'

import { callSchema } from './call.ts'
import type { Cipher } from './cipher.ts'
import { createSealedFiles } from './sealed-files.ts'

const flowSchema = z.object({
  /** SHA-256 of the state; the state itself is not kept. */
  key: z.string(),
  call: callSchema,
  scopes: z.array(z.string()),
  redirectUri: z.string(),
  verifier: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
})

/** A call that waits for its user. */
export type Flow = z.infer<typeof flowSchema>

export interface FlowStore {
  readonly save: (flow: Flow) => Promise<void>
  /** A pending flow; undefined when it is unknown or was claimed. */
  readonly find: (key: string) => Promise<Flow | undefined>
  /** Ends the pending time of a flow, once: of several claimants only the first gets true. */
  readonly claim: (flow: Flow) => Promise<boolean>
  /** Forgets a claimed flow; call it when the result is delivered. */
  readonly finish: (flow: Flow) => Promise<void>
  readonly pending: () => Promise<Flow[]>
  /** Claimed but never finished: the process died in between. */
  readonly interrupted: () => Promise<Flow[]>
}

/** A lookup by hash takes the same time for every wrong guess: nothing is compared byte by byte. */
export function flowKey(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}

/** Takes the flow out of the pending ones before it is used: a state works once (RFC 9700 §4.7). */
export async function claimFlow(flow: Flow, flows: FlowStore): Promise<boolean> {
  return flows.claim(flow)
}

export function createFlowStore(dataDir: string, cipher: Cipher): FlowStore {
  const pending = createSealedFiles(join(dataDir, 'pending'), cipher)
  const claimed = createSealedFiles(join(dataDir, 'claimed'), cipher)
  const readAll = async (files: typeof pending) => {
    const records = await Promise.all((await files.names()).map(files.read))
    return records.flatMap((record) => flowSchema.safeParse(record).data ?? [])
  }
  return {
    save: (flow) => pending.write(flow.key, flow),
    find: async (key) => flowSchema.safeParse(await pending.read(key)).data,
    claim: (flow) => pending.move(flow.key, claimed),
    finish: (flow) => claimed.remove(flow.key),
    pending: () => readAll(pending),
    interrupted: () => readAll(claimed),
  }
}
