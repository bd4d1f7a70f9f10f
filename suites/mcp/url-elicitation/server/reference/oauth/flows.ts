/** Authorization requests that were sent and not answered yet, by their state. */

import { createHash } from 'node:crypto'

/** What an authorization request was for. */
export type Purpose =
  /** Access to the API, for an elicitation. */
  | { readonly kind: 'connect'; readonly elicitation: string }
  /** To know who sits at the browser; then on to a page of ours. */
  | { readonly kind: 'login'; readonly nonce: string; readonly returnTo: string }

export interface Flow {
  /** SHA-256 of the state; the state itself is not kept. */
  readonly key: string
  /** SHA-256 of what the browser that began it has in a cookie. */
  readonly browser: string
  readonly purpose: Purpose
  readonly redirectUri: string
  readonly verifier: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface Flows {
  readonly save: (flow: Flow) => void
  /** Undefined when it is unknown, was claimed, or has expired. */
  readonly find: (key: string) => Flow | undefined
  /** Takes it out, once: of several claimants only the first gets true. */
  readonly claim: (flow: Flow) => boolean
}

const mostKept = 10_000

/** A lookup by hash takes the same time for every wrong guess: nothing is compared byte by byte. */
export function flowKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Takes the flow out before it is used: a state works once (RFC 9700 §4.7). */
export function claimFlow(flow: Flow, flows: Flows): boolean {
  return flows.claim(flow)
}

export function createFlows(now: () => number): Flows {
  const kept = new Map<string, Flow>()
  return {
    save(flow) {
      const [oldest] = kept.keys()
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
      kept.set(flow.key, flow)
    },
    find(key) {
      const flow = kept.get(key)
      return flow !== undefined && now() < flow.expiresAt ? flow : undefined
    },
    claim: ({ key }) => kept.delete(key),
  }
}
