/** Challenges to calls with a token, which many servers build elsewhere than the first one. */

import { needsScopes } from '../conditions.ts'
import { metadataUrl } from '../judges/metadata.ts'
import { callOf } from '../view.ts'
import { challengeChecks } from './challenge-checks.ts'
import { check, control, retried, scenario, type ServerScenario } from './define.ts'

/** A token may also be refused by HTTP, or by any error. */
function challengedTo(
  what: string,
  twin: string,
  name = retried,
): NonNullable<ServerScenario['needs']> {
  return {
    what: `a challenge in the result to ${what}`,
    seen(run) {
      const t = run.get(twin)
      const call = t && callOf(t, name)
      return call?.challenge && call.reply?.event
    },
  }
}

/** A later challenge is built like the first one (docs/readings.md). */
const laterChecks = (name: string = retried) => [
  ...challengeChecks(name),
  check(
    'mcp-auth-challenge/server/metadata-in-later-challenges',
    'names metadata here, too',
    metadataUrl(name),
  ),
]

export const challengedWhenExpired = scenario({
  id: 'challenged-when-expired',
  title: 'the call is made with a token that has expired, and challenged again',
  control,
  needs: challengedTo('a token that has expired', 'token-expired'),
  async drive({ call, follow, callFlawed, fetchMetadata, needsChallenge }) {
    await callFlawed('expired', await follow(await call()))
    needsChallenge(retried)
    await fetchMetadata(retried)
  },
  checks: laterChecks(),
})

export const challengedForScope = scenario({
  id: 'challenged-for-scope',
  title: 'the call is made with a token that lacks the scopes, and challenged again',
  control,
  notApplicable: needsScopes,
  needs: challengedTo('a token that lacks a scope', 'small-scope'),
  async drive({ call, follow, authorizeLess, fetchMetadata, needsChallenge }) {
    const chain = await follow(await call())
    await call({ token: await authorizeLess(chain) })
    needsChallenge(retried)
    await fetchMetadata(retried)
  },
  checks: laterChecks(),
})

const third = 'call-3'

export const challengedAfterUse = scenario({
  id: 'challenged-after-use',
  title: 'a call without a token follows one that was served, and is challenged again',
  control,
  needs: challengedTo('a call without a token after one that was served', 'token-left-out', third),
  async drive({ call, follow, callSignedIn, fetchMetadata, needsChallenge }) {
    await callSignedIn(await follow(await call()))
    await call()
    needsChallenge(third)
    await fetchMetadata(third)
  },
  checks: laterChecks(third),
})
