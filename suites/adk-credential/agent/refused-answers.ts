/**
 * In the dialect of responses an application that got no credential has but the AuthConfig as it came to answer with.
 * Neither document says that an agent takes that; one that refuses it can be told of no failure.
 */

import {
  cite,
  inconclusive,
  jsonOf,
  type Check,
  type Need,
  type Recorded,
  type RequestEvent,
  type ResponseEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { fieldsOf, listIn, member, requestName } from '../wire.ts'
import type { Declared } from './configuration.ts'
import { callOf, callsOf } from './view.ts'

export const takesNone = 'an AuthConfig without a credential is refused'

/** How an answer without a credential was refused (4xx), where one was. */
export function refusedWithoutCredential(
  t: Transcript,
  name = 'call-1',
): Recorded<ResponseEvent> | undefined {
  return answersWithout(t, name).find(({ status }) => status >= 400 && status < 500)
}

/** What scenarios need in which a credential cannot be had. */
export const answersWithoutCredential: Need = {
  what: 'an AuthConfig without a credential that is taken',
  seen: (run) =>
    [...run.values()]
      .flatMap((t) => callsOf(t).flatMap(({ name }) => answersWithout(t, name)))
      .find(({ status }) => status < 400),
}

/** A check of what comes of a failure, which proves nothing about an agent that cannot be told of it. */
export function unlessRefused<Each extends Check<Declared>>(check: Each): Each {
  return {
    ...check,
    judge: (t, context) => {
      const judgement = check.judge(t, context)
      const [refused] = callsOf(t)
        .filter(({ ended }) => ended.length === 0)
        .flatMap(({ name }) => refusedWithoutCredential(t, name) ?? [])
      return judgement.outcome === 'violation' && refused
        ? inconclusive(takesNone, cite(refused))
        : judgement
    },
  }
}

/** What the agent answered to answers without a credential, in the dialect of responses. */
function answersWithout(t: Transcript, name: string): Recorded<ResponseEvent>[] {
  const { requests, messages } = callOf(t, name)
  if (requests[0]?.dialect !== 'response') return []
  return messages.filter(hasNoCredential).flatMap((message) => {
    const answer = t.answer(message)
    return answer?.type === 'response' ? [answer] : []
  })
}

function hasNoCredential({ body }: RequestEvent): boolean {
  const { newMessage } = fieldsOf(jsonOf(body))
  return listIn(fieldsOf(newMessage)['parts']).some((part) => {
    const { name, response } = fieldsOf(fieldsOf(part)['functionResponse'])
    return (
      name === requestName && member(fieldsOf(response), 'exchangedAuthCredential') === undefined
    )
  })
}
