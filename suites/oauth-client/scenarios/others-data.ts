/** Whose data and whose tokens users were served with, in the whole run. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type Check,
  type RecordedEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { Ended, HandedCall } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import type { ClientDeclared } from '../declarations.ts'
import { check } from '../judges.ts'
import { partsOf } from '../parts.ts'
import { citeEvents, firstAnswer } from '../view.ts'

/** The accounts at the provider with which a user has decided, in any call of the transcript. */
export function subjectsOf(
  { callsOf }: Pick<Handoff, 'callsOf'>,
  t: Transcript,
  user: string,
): string[] {
  const own = callsOf(t).filter((call) => call.user === user)
  return own.flatMap(({ name }) =>
    t.provider('decision', name).map(({ detail }) => String(detail['subject'])),
  )
}

export function othersDataKept(handoff: Handoff): Check<ClientDeclared> {
  const { callOf, callsOf, words } = handoff

  /** A result that names an account at the provider, as the items of the mock do, which is not one of its user's. */
  const foreignData = (t: Transcript) => {
    const subjects = new Set(t.provider('decision').map(({ detail }) => String(detail['subject'])))
    for (const part of partsOf(t).values()) {
      for (const call of callsOf(part)) {
        if (call.user === undefined) continue
        const own = subjectsOf(handoff, part, call.user)
        const result = call.ended.find(({ text }) => {
          const named = text.match(/subject-of-[\w-]+/g) ?? []
          return named.some((subject) => subjects.has(subject) && !own.includes(subject))
        })
        if (result) return { result, call }
      }
    }
    return undefined
  }

  /**
   * Whether the result of somebody who has authorized nothing is made of another's: meanwhile a token was used
   * although no call of its user was open. Who somebody is (OpenID Connect Core §5.3) may be asked at any time.
   */
  const servedForAnother = (t: Transcript, result: Ended, call: HandedCall): boolean => {
    const during = t
      .provider('resource-access')
      .filter(
        ({ detail }) => typeof detail['token'] === 'string' && detail['endpoint'] !== 'userinfo',
      )
      .filter((access) => isAfter(access, call.request) && isAfter(result.event, access))
    const parts = partsOf(t)
    return during.some((access) => {
      const part = parts.get(access.scenario)
      const owner = part && access.call ? callOf(part, access.call) : undefined
      // A call without a user is nobody else's.
      const isOwn = (each: HandedCall): boolean =>
        each.name === owner?.name || (each.user !== undefined && each.user === owner?.user)
      return !(
        part &&
        callsOf(part)
          .filter(isOwn)
          .some((each) => isOpenAt(each, access))
      )
    })
  }

  /** Whether its user had decided by then: another call of theirs may be the one that asked them. */
  const hasDecided = (part: Transcript, { user }: HandedCall, result: Ended): boolean =>
    callsOf(part)
      .filter((call) => call.user === user)
      .flatMap(({ name }) => part.provider('decision', name))
      .some((decision) => isAfter(result.event, decision))

  /** The first call of each user in a scenario, where it was answered at all. */
  const firstCallsOfUsers = (t: Transcript): HandedCall[] => {
    const known = new Set<string>()
    return callsOf(t).filter((call) => {
      if (call.user === undefined || known.has(call.user) || !firstAnswer(call)) return false
      known.add(call.user)
      return true
    })
  }

  return check('oauth-client/token-bound-to-user', "gives no user another user's data", (t) => {
    const foreign = foreignData(t)
    if (foreign) {
      return violation(
        "a user got another user's data",
        { expected: `data of ${String(foreign.call.user)}`, actual: foreign.result.text },
        [...cite(foreign.call.request), ...citeEvents(foreign.result)],
      )
    }
    const calls = [...partsOf(t).values()].flatMap((part) =>
      firstCallsOfUsers(part).map((call) => ({ call, part })),
    )
    const asked = calls.map(({ call }) => call).filter((call) => !('text' in firstAnswer(call)!))
    for (const { call, part } of calls) {
      const first = firstAnswer(call)!
      if (!('text' in first) || first.error || hasDecided(part, call, first)) continue
      if (!servedForAnother(t, first, call)) continue
      return violation(
        'a user who has never authorized anything was served',
        { expected: words.asked, actual: first.text },
        [...cite(call.request), ...citeEvents(first)],
      )
    }
    if (asked.length < 2) return inconclusive('fewer than two users were asked to authorize')
    // Where nobody has a token, nobody can be served with that of another.
    const issued = t.provider('grant').some(({ detail }) => detail['outcome'] === 'issued')
    if (!issued) return inconclusive('no token was issued in the whole run')
    const some = asked.slice(0, 3).map(firstAnswer)
    return pass(`${asked.length} users were asked`, citeEvents(...some))
  })
}

function isOpenAt({ request, ended }: HandedCall, moment: RecordedEvent): boolean {
  const [end] = ended
  return isAfter(moment, request) && (!end || isAfter(end.event, moment))
}
