/** The authorizations that users were asked for: whose they are, and how each ended. */

import { randomUUID } from 'node:crypto'

import { ownerOf, type Principal } from './access/principal.ts'
import { CallFailure, type FailureCode } from './failure.ts'

/** How it ended. */
export type Ending =
  | { readonly kind: 'authorized' }
  /** The user was at the authorization server, and nothing came of it. */
  | { readonly kind: 'refused'; readonly failure: CallFailure }
  /** Nobody waits for the user any more. */
  | { readonly kind: 'abandoned'; readonly failure: CallFailure }

export interface Elicitation {
  readonly id: string
  readonly principal: Principal
  /** Under which the tokens are kept. */
  readonly owner: string
  readonly scopes: readonly string[]
  /** Resolves when the interaction is over, at the latest after the pending timeout. */
  readonly ended: Promise<Ending>
  readonly pending: () => boolean
  /** Ends the interaction; of several endings the first counts. */
  readonly settle: (ending: Ending) => void
}

export interface Elicitations {
  readonly open: (principal: Principal, scopes: readonly string[]) => Elicitation
  readonly find: (id: string) => Elicitation | undefined
  /** Those that nobody has ended. */
  readonly pending: () => readonly Elicitation[]
  /** Ends all that are pending. */
  readonly stop: () => void
}

const mostKept = 10_000

/**
 * Keeps elicitations in memory: those who wait for them do not outlive the process either, and what
 * comes of one, the tokens, is durable. One that has ended is remembered as long as it could have
 * been pending, for a retry that asks how it ended (MRTR).
 */
export function createElicitations(
  pendingTimeoutMs: number,
  newId: () => string = randomUUID,
): Elicitations {
  const kept = new Map<string, Elicitation>()
  const timers = new Set<NodeJS.Timeout>()
  const after = (ms: number, action: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      action()
    }, ms).unref()
    timers.add(timer)
  }

  return {
    open(principal, scopes) {
      const elicitation = createElicitation(newId(), principal, scopes)
      kept.set(elicitation.id, elicitation)
      const [oldest] = kept.values()
      if (kept.size > mostKept && oldest) {
        oldest.settle(abandoned('authorization-expired'))
        kept.delete(oldest.id)
      }
      after(pendingTimeoutMs, () => elicitation.settle(abandoned('authorization-expired')))
      void elicitation.ended.then(() => after(pendingTimeoutMs, () => kept.delete(elicitation.id)))
      return elicitation
    },
    find: (id) => kept.get(id),
    pending: () => [...kept.values()].filter((each) => each.pending()),
    stop() {
      for (const each of kept.values()) each.settle(abandoned('stopping'))
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

export function abandoned(code: FailureCode): Ending {
  return { kind: 'abandoned', failure: new CallFailure(code) }
}

function createElicitation(
  id: string,
  principal: Principal,
  scopes: readonly string[],
): Elicitation {
  let pending = true
  let resolve: (ending: Ending) => void = () => {}
  const ended = new Promise<Ending>((settle) => {
    resolve = settle
  })
  return {
    id,
    principal,
    owner: ownerOf(principal) ?? `elicitation:${id}`,
    scopes,
    ended,
    pending: () => pending,
    settle(ending) {
      pending = false
      resolve(ending)
    },
  }
}
