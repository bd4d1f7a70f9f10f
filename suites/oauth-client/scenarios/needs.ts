/** What scenarios need and a correct client need not offer, and how a whole run shows that it is offered after all. */

import { isAfter, pathOf, type Need, type Transcript } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import type { ClientDeclared } from '../declarations.ts'
import type { HandedCall } from '../handed-call.ts'
import { tokenAccesses } from '../view.ts'

/** Only a client that the harness starts can have an instance, and with it a provider, of its own. */
export function needsOwnInstance({ driven }: Pick<ClientDeclared, 'driven'>): string | undefined {
  return driven === 'command'
    ? undefined
    : 'the harness does not start this implementation, so it cannot have an instance of its own'
}

export function noRefreshTokens({ refreshTokens }: ClientDeclared): string | undefined {
  return refreshTokens ? undefined : 'declares.refreshTokens is false'
}

export function storedTokens({ callsOf }: Handoff): Need {
  /** The provider tells the flow in which a token was issued, so the use stands at an earlier call of the same user. */
  const usesWithoutConsent = (t: Transcript) => {
    const unasked = callsOf(t).filter(({ asked }) => asked.length === 0)
    return unasked.flatMap(({ request, ended, user }) =>
      callsOf(t)
        .filter((other) => user && other.user === user)
        .flatMap(tokenAccesses)
        .filter((use) => isAfter(use, request) && !isAfter(use, ended[0]?.event)),
    )
  }
  return {
    what: 'a call with the token of an earlier one',
    seen: (run) => [...run.values()].flatMap(usesWithoutConsent)[0],
  }
}

export function flowPerCall({ callsOf }: Handoff): Need {
  return {
    what: 'a flow of its own for every call of a user',
    seen: (run) =>
      [...run.values()].flatMap((t) =>
        callsOf(t).flatMap((call) =>
          callsOf(t)
            .filter((other) => pendingBeside(call, other))
            .flatMap(({ asked }) => asked.slice(0, 1).map(({ event }) => event)),
        ),
      )[0],
  }
}

/** Two calls of one user whose URLs differ, the second one sent before the first one was out. */
function pendingBeside(call: HandedCall, other: HandedCall): boolean {
  const [url, otherUrl] = [call, other].map(({ asked }) => asked[0]?.url)
  const sameUser = call.user !== undefined && call.user === other.user
  if (!sameUser || !other.request || url === undefined || otherUrl === undefined) return false
  const answers = [...call.asked, ...call.ended].toSorted((a, b) => a.event.seq - b.event.seq)
  const between = isAfter(other.request, call.request)
  return between && !isAfter(other.request, answers[0]?.event) && url !== otherUrl
}

/** A client may be configured with the endpoints of its provider, and then knows nothing of what the metadata promises. */
export const metadata: Need = {
  what: "a request for the provider's metadata",
  seen: (run) =>
    [...run.values()].flatMap((t) =>
      t.requests('provider').filter(({ url }) => pathOf(url).startsWith('/.well-known/')),
    )[0],
}
