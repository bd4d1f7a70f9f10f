/** Code challenges of the whole run, compared. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type ProviderRecord,
  type Recorded,
} from '../../../harness/engine/index.ts'
import { verifierDerivationOf } from '../derived-values.ts'
import { check } from '../judges.ts'

/** A link that is opened again is the same request; nobody opens one of another scenario. */
function mayBeOpenedAgain(
  first: Recorded<ProviderRecord>,
  second: Recorded<ProviderRecord>,
): boolean {
  if (first.detail['state'] !== second.detail['state']) return false
  // What came when its scenario was over belongs to no call any more.
  return !first.call || !second.call || first.scenario === second.scenario
}

/** Asked for or not: that some flows are challenged by S256, and others by less. */
function mixedMethods(requests: readonly Recorded<ProviderRecord>[]) {
  const challenged = requests.filter(({ detail }) => detail['codeChallenge'] !== undefined)
  const isStrong = ({ detail }: Recorded<ProviderRecord>): boolean =>
    detail['codeChallengeMethod'] === 'S256'
  const strong = challenged.find(isStrong)
  const weak = challenged.find((each) => !isStrong(each))
  return strong && weak ? { strong, weak } : undefined
}

export const challengesDiffer = check(
  'oauth-client/pkce-s256',
  'uses a new code challenge for each flow of the whole run',
  (t) => {
    const all = t.provider('authorization-request')
    const mixed = mixedMethods(all)
    if (mixed) {
      return violation(
        'some flows have a code challenge by S256, and others by another method',
        {
          expected: 'code_challenge_method=S256 for each flow (RFC 7636 §4.2)',
          actual: `method ${show(mixed.weak.detail['codeChallengeMethod'])}`,
        },
        cite(mixed.strong, mixed.weak),
      )
    }
    const valid = all.filter(({ detail }) => detail['valid'] === true)
    const requests = valid.filter(({ detail }) => detail['codeChallenge'] !== undefined)
    const bare = valid.find(({ detail }) => detail['codeChallenge'] === undefined)
    if (bare && requests.length > 0) {
      return violation(
        'some flows have a code challenge, and others have none',
        { expected: 'a code challenge for each flow', actual: 'none' },
        cite(requests[0], bare),
      )
    }
    const again = requests.find((request, index) =>
      requests
        .slice(0, index)
        .some(
          (earlier) =>
            earlier.detail['codeChallenge'] === request.detail['codeChallenge'] &&
            !mayBeOpenedAgain(earlier, request),
        ),
    )
    if (again) {
      const same = requests.filter(
        ({ detail }) => detail['codeChallenge'] === again.detail['codeChallenge'],
      )
      return violation(
        'several flows have the same code challenge',
        {
          expected: 'a new verifier for each flow (RFC 7636 §4.1)',
          actual: `${same.length} flows with ${String(again.detail['codeChallenge'])}`,
        },
        cite(...same.slice(0, 5)),
      )
    }
    for (const request of requests) {
      const { state, codeChallenge } = request.detail
      const known = { state: typeof state === 'string' ? state : undefined }
      const how = verifierDerivationOf(String(codeChallenge), known)
      if (how === undefined) continue
      return violation(
        'the code_verifier of a flow can be computed from its authorization URL',
        { expected: 'a random value (RFC 7636 §4.1, §7.1)', actual: how },
        cite(request),
      )
    }
    if (requests.length < 2) return inconclusive('fewer than two requests have a code challenge')
    return pass(`${requests.length} requests`, cite(...requests.slice(0, 3)))
  },
)
