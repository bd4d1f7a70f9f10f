/** That nobody is asked by the error -32042 for an authorization that is there. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { apiRequests } from '../../../../oauth-client/view.ts'
import { elicitationRequired } from '../../elicitation.ts'
import { check, servedEnd, unlessModern } from '../checks.ts'
import { callOf } from '../view.ts'
import type { ServerScenario } from './define.ts'

/** The second call gets no such error once there is proof that nothing is needed; where there is none, the reason is said. */
export function onlyWhenNeeded(title: string, proofOf: (t: Transcript) => RecordedEvent | string) {
  return check(
    'mcp-url-elicitation/server/error-only-when-needed',
    title,
    unlessModern((t) => {
      const proof = proofOf(t)
      if (typeof proof === 'string') return inconclusive(proof)
      const { replies, askings, request } = callOf(t, 'call-2')
      const refused = replies.find(
        ({ event, message }) =>
          message.kind === 'error' && message.code === elicitationRequired && isAfter(event, proof),
      )
      if (refused) {
        return violation(
          'a user who had authorized was asked again by an error',
          { expected: 'the result, or anything but -32042', actual: 'the error -32042' },
          cite(proof, refused.event),
        )
      }
      const answer = [...replies, ...askings.map(({ frame }) => frame)]
        .map(({ event }) => event)
        .find((event) => !isAfter(proof, event))
      if (!request || !answer) return inconclusive('the second call was not answered')
      return pass('the second call got no such error', cite(proof, answer))
    }),
  )
}

/** That the API failed says nothing about an authorization that had just worked. */
const triedWithToken = (t: Transcript): RecordedEvent | string => {
  const first = servedEnd(t)
  if (!first) return 'no call was served'
  const { request } = callOf(t, 'call-2')
  const tried = apiRequests(callOf(t)).find(
    (each) => isAfter(each, first.event) && isAfter(each, request),
  )
  return tried ?? 'the stored token was not tried'
}

/** Asks it, too, of who calls while the API fails. */
export function alsoOnlyWhenNeeded(scenario: ServerScenario): ServerScenario {
  const asked = onlyWhenNeeded('does not ask by an error because the API failed', triedWithToken)
  return { ...scenario, checks: [...scenario.checks, asked] }
}
