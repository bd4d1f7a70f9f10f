/** The state of a redirect, and others that look like it to a client that reads states by their shape. */

import { otherCase } from '../../harness/engine/index.ts'
import { responseParameters } from '../../harness/parties/user/tamper.ts'

/** The state that a redirect brings; empty where it has none. */
export function stateIn(redirect: string): string {
  return responseParameters(redirect).get('state') ?? ''
}

/**
 * One character is exchanged: not the last, of which some bits may not count, and by one that is another in either case,
 * since in hexadecimal and base32 case means nothing.
 */
export function alteredState(state: string, share = 1 / 2): string {
  const at = Math.floor(state.length * share)
  return state.slice(0, at) + (/a/i.test(state[at] ?? '') ? 'b' : 'a') + state.slice(at + 1)
}

/** Its beginning alone: what only compares as much as it was given takes it. */
export function cutState(state: string, share = 1 / 2): string {
  return state.slice(0, Math.ceil(state.length * share))
}

/**
 * With more after it: what only asks whether the right one is in there, or begins there, takes it. What decodes base64
 * ends at the padding, so that what follows is part of no state; there it is a character that is exchanged.
 */
export function extendedState(state: string): string {
  return state.endsWith('=') ? alteredState(state) : `${state}-and-more`
}

/**
 * Letters in the other case: what compares without regard to case takes it. A state of one case may be hexadecimal or
 * base32, so there it is another character that is exchanged.
 */
export function stateInOtherCase(state: string): string {
  return /[a-z]/.test(state) && /[A-Z]/.test(state) ? otherCase(state) : alteredState(state)
}
