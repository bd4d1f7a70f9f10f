/** The state that a client carries from one round of a call to the next (MRTR), sealed by us. */

import { createHash } from 'node:crypto'

import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'

import { ownerOf, principalOf } from '../access/principal.ts'
import type { Settings } from '../config.ts'
import type { Call } from './call.ts'

export interface CallState {
  readonly elicitation: string
  /** Of the tool and its arguments. */
  readonly call: string
}

/**
 * Signed, valid as long as an elicitation may be pending, and worth nothing to another user
 * (MRTR, Server Requirements 4 and 5). What call it is for stands inside: see `isStateOf`.
 */
export function createStateCodec(settings: Settings): RequestStateCodec<CallState> {
  return createRequestStateCodec<CallState>({
    // A key of its own, derived from the one that protects the tokens.
    key: createHash('sha256').update('request-state\0').update(settings.tokenKey).digest(),
    ttlSeconds: Math.ceil(settings.pendingTimeoutMs / 1000),
    bind: stateBinding,
  })
}

/** The anonymous have nothing to be told apart by; state is for the method that it was made for. */
function stateBinding(context: ServerContext): string {
  return JSON.stringify([context.mcpReq.method, ownerOf(principalOf(context)) ?? null])
}

/** Whether state was made for this very call. */
export function isStateOf(call: Call, state: CallState): boolean {
  return state.call === digestOf(call)
}

export function digestOf({ arguments: args }: Call): string {
  const sorted = Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify(['list_items', sorted])
  return createHash('sha256').update(text).digest('base64url')
}
