/** Whose data users get: judged where a server can tell its users apart, and by what the API was asked. */

import {
  inconclusive,
  Transcript,
  type Check,
  type RecordedEvent,
} from '../../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'

/**
 * Without authorization one user may be all that a server is for, so that whoever calls is that user. Who has logged in is
 * asked of the provider with a token as well, which serves nobody with anything.
 */
export function ofUsers({ judge, ...rest }: Check<Declared>): Check<Declared> {
  return {
    ...rest,
    judge(t, context) {
      const { authorization, transport } = context.declared
      const found = judge(new Transcript(t.events.filter((event) => !isUserinfo(event))), context)
      if (found.outcome !== 'violation' || authorization || transport === 'stdio') return found
      return inconclusive(
        `${found.message}; without authorization (target.authorization) it may be meant for one user alone`,
        found.evidence,
      )
    },
  }
}

/** A request about the user (OpenID Connect Core §5.3). */
function isUserinfo(event: RecordedEvent): boolean {
  return (
    event.type === 'provider' &&
    event.event === 'resource-access' &&
    event.detail['endpoint'] === 'userinfo'
  )
}
