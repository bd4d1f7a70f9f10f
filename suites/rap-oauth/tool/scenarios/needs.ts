/** What scenarios need and a correct tool need not offer, and how a whole run shows that it is offered after all. */

import type { Need, Transcript } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { callsOf, isAfter, pathOf, tokenAccesses, type CallView } from '../view.ts'

/** Only a tool that the harness starts can have an instance, and with it a provider, of its own. */
export function needsOwnInstance({ driven }: Declared): string | undefined {
  return driven === 'command'
    ? undefined
    : 'the harness does not start this tool, so it cannot have an instance of its own'
}

/** A tool inside this process is called without any connection that could be held or cut. */
export function needsConnections({ driven }: Declared): string | undefined {
  return driven === 'module' ? 'a tool inside this process uses no connections' : undefined
}

export const storedTokens: Need = {
  what: 'a call with the token of an earlier one',
  seen: (run) => first([...run.values()].flatMap(usesWithoutConsent)),
}

/** The provider tells the flow in which a token was issued, so the use stands at an earlier call of the same user. */
function usesWithoutConsent(t: Transcript) {
  const unasked = callsOf(t).filter(({ oauth }) => oauth.length === 0)
  return unasked.flatMap(({ request, results, sent }) =>
    callsOf(t)
      .filter((other) => sent.user_id && other.sent.user_id === sent.user_id)
      .flatMap(tokenAccesses)
      .filter((use) => isAfter(use, request) && !isAfter(use, results[0]?.event)),
  )
}

export const flowPerCall: Need = {
  what: 'a flow of its own for every call of a user',
  seen: (run) =>
    first(
      [...run.values()].flatMap((t) =>
        callsOf(t).flatMap((call) =>
          callsOf(t)
            .filter((other) => pendingBeside(call, other))
            .flatMap(({ oauth }) => oauth.slice(0, 1).map(({ event }) => event)),
        ),
      ),
    ),
}

/** Two calls of one user whose authorization URLs differ, the second one sent before the first one was out. */
function pendingBeside(call: CallView, other: CallView): boolean {
  const [url, otherUrl] = [call, other].map(({ oauth }) => oauth[0]?.value['auth_url'])
  const sameUser = typeof call.sent.user_id === 'string' && call.sent.user_id === other.sent.user_id
  if (!sameUser || !other.request || url === undefined || otherUrl === undefined) return false
  const between = isAfter(other.request, call.request)
  return between && !isAfter(other.request, call.answers[0]?.event) && url !== otherUrl
}

/** Only instances of their own show it: what the shared one asks for cannot be told to belong to a call. */
export function requestWhileInvoked(what: string, isThere: (path: string) => boolean): Need {
  return {
    what: `a request for ${what} during a call`,
    seen: (run) => first([...run.values()].flatMap((t) => requestsDuring(t, isThere))),
  }
}

/** While the first call of a recording had no answer yet. */
function requestsDuring(t: Transcript, isThere: (path: string) => boolean) {
  const [call] = callsOf(t)
  const answer = call?.answers[0]
  return t
    .requests('provider')
    .filter(({ url }) => isThere(pathOf(url)))
    .filter((request) => isAfter(request, call?.request) && !isAfter(request, answer?.event))
}

/** A tool may be configured with the endpoints of its provider, and then knows nothing of what the metadata promises. */
export const metadata: Need = {
  what: "a look at the provider's metadata",
  seen: (run) =>
    first(
      [...run.values()].flatMap((t) =>
        t.requests('provider').filter(({ url }) => pathOf(url).startsWith('/.well-known/')),
      ),
    ),
}

/** A tool may refuse to start when the metadata that it reads then is of no use. */
export function startsAllTheSame(scenario: string): Need {
  return {
    what: "a start although the provider's metadata is of no use",
    seen: (run) =>
      first(
        run
          .get(scenario)
          ?.steps('deployment')
          .filter(({ detail }) => detail['name'] !== 'shared') ?? [],
      ),
  }
}

function first<T>(found: readonly T[]): T | undefined {
  return found[0]
}
