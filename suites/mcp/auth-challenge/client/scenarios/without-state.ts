/** Clients that leave to the code challenge what a state is for (RFC 9700 §2.1). */

import { cite, notOffered, type Check } from '../../../../../harness/engine/index.ts'
import type { ClientDeclared } from '../../../../oauth-client/declarations.ts'
import { shared } from '../../../../oauth-client/requirements/index.ts'
import { byState } from '../requirements/shared.ts'

export type SharedCheck = Check<ClientDeclared>

const ids: readonly string[] = byState.map((name) => shared(name).id)

/** A callback is genuine by its code alone where no request has a state, so that no other state makes it a forged one. */
export function unlessWithoutState(check: SharedCheck): SharedCheck {
  if (!ids.includes(check.requirement)) return check
  return {
    ...check,
    judge(t, context) {
      const judged = check.judge(t, context)
      const requests = t.provider('authorization-request')
      const [first] = requests
      const isByChallenge = requests.every(
        ({ detail }) => detail['state'] === undefined && detail['codeChallengeMethod'] === 'S256',
      )
      if (judged.outcome === 'pass' || first === undefined || !isByChallenge) return judged
      return notOffered(
        'its authorization requests have a code challenge in place of a state',
        cite(first),
      )
    },
  }
}
