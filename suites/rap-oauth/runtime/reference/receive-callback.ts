/** What happens when somebody posts to a callback URL, in one synchronous step. */

import { createHash } from 'node:crypto'

import { askUser } from './authorization.ts'
import type { Match } from './callback.ts'
import type { Call } from './records.ts'
import { settle } from './settle.ts'
import type { Work } from './work.ts'

export interface Answer {
  readonly status: 200 | 400 | 404 | 409
  readonly body: { readonly accepted: true } | { readonly error: string }
}

type Outcome = Match | 'invalid' | 'unusable-url'

const refusals: Readonly<Record<Exclude<Outcome, 'accepted' | 'duplicate'>, Answer>> = {
  invalid: { status: 400, body: { error: 'not a message that is accepted here' } },
  'unusable-url': {
    status: 400,
    body: { error: 'auth_url must be an absolute https URL without userinfo' },
  },
  unknown: { status: 404, body: { error: 'no such tool call' } },
  settled: { status: 409, body: { error: 'the tool call has its result already' } },
}

/**
 * RAP, Runtime: a message that is invalid or belongs to no pending call is discarded and logged,
 * without anything that it said. Repetitions are answered like the first, and change nothing.
 */
export function receiveCallback(work: Work, token: string, body: string): Answer {
  return work.store.transaction(() => {
    const call = work.store.callByToken(hashToken(token))
    const outcome = judge(work, call, body)
    if (outcome === 'accepted' || outcome === 'duplicate') {
      return { status: 200, body: { accepted: true } }
    }
    const id = call === undefined ? {} : { id: call.id }
    work.parts.log({ event: 'callback-discarded', ...id, outcome })
    return refusals[outcome]
  })
}

function judge(work: Work, call: Call | undefined, body: string): Outcome {
  const message = work.parts.validateCallback(body)
  if (message === undefined) return 'invalid'
  const match = work.parts.matchCallback(message, call)
  if (match !== 'accepted') return match
  if (call === undefined) return 'unknown'
  // Whoever calls back has been reached, whatever became of the acknowledgement.
  work.store.markArrived(call.seq)
  const reaction = work.parts.interpretCallback(message)
  if (reaction.kind === 'ask-user') {
    return askUser(work, call, reaction.authUrl) ? 'accepted' : 'unusable-url'
  }
  settle(work, call, { text: reaction.text, status: 'completed' })
  return 'accepted'
}

/** The database does not give away how to speak for a tool. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
