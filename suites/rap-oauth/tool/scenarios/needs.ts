/** What scenarios need and a correct tool need not offer, and how a whole run shows that it is offered after all. */

import { isAfter, servedPath } from '../../../../harness/engine/index.ts'
import type { Need, Transcript } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { callsOf } from '../view.ts'

/** A tool inside this process is called without any connection that could be held or cut. */
export function needsConnections({ driven }: Declared): string | undefined {
  return driven === 'module' ? 'a tool inside this process uses no connections' : undefined
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
    .filter((request) => isThere(servedPath(request)))
    .filter((request) => isAfter(request, call?.request) && !isAfter(request, answer?.event))
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
