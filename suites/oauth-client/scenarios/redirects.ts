/** A redirect to another origin: no secret is to follow it. */

import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  violation,
  watched,
} from '../../../harness/engine/index.ts'
import type { FaultId } from '../../../harness/parties/user/user-agent.ts'
import type { HandedCall } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import { check, type Judge } from '../judges.ts'
import { elsewhereCall } from '../vocabulary.ts'
import { issuedGrant, upstreamAt } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { expireToken, movable } from './drives.ts'
import { noRefreshTokens, storedTokens } from './needs.ts'

/** What is redirected, and how that is found in a recording. */
export interface Redirected {
  readonly id: string
  readonly requirement: string
  readonly fault: FaultId
  /** "token request" */
  readonly what: string
  /** Whoever redirects: "the token endpoint". */
  readonly by: string
  /** The request that was redirected, or why there is none. */
  readonly of: (call: HandedCall) => { readonly exchange?: string | undefined } | string
}

const noSecretFollows =
  ({ callOf }: Handoff, { what, by, of }: Redirected): Judge =>
  (t) => {
    const asked = of(callOf(t))
    if (typeof asked === 'string') return inconclusive(asked)
    const request = t.requests('provider').find(({ exchange }) => exchange === asked.exchange)
    const evidence = request ? cite(request, t.answer(request)) : []
    const taken = t
      .requests('callback', elsewhereCall)
      .find(({ secrets = [] }) => secrets.length > 0)
    if (!taken && watched(t) === undefined)
      return inconclusive('the run did not watch where the request goes')
    if (!taken) return pass('no secret followed the redirect', evidence)
    return violation(
      `the ${what} and its secrets followed a redirect to another origin: do not follow redirects of ${by}`,
      {
        expected: 'an error, and no request to the other origin',
        actual: (taken.secrets ?? []).map(({ kind, at }) => `${kind} in ${at}`).join(', '),
      },
      [...evidence, ...cite(taken)],
    )
  }

/** The scenario in which something is redirected, and nothing else goes wrong. */
export const redirected = (handoff: Handoff, kind: Redirected): ClientScenario =>
  scenario({
    id: kind.id,
    title: `${kind.by} redirects the ${kind.what} to another origin`,
    control: handoff.control,
    async drive({ begin, user, observe, elsewhere }) {
      const call = begin(user)
      await user.approve(call, { faults: [{ fault: kind.fault, value: elsewhere() }] })
      // Whether the call ends is for others to judge.
      await call.settle()
      await observe()
    },
    checks: [check(kind.requirement, 'sends no secret there', noSecretFollows(handoff, kind))],
  })

const refreshRequest: Redirected = {
  id: 'refresh-redirected-elsewhere',
  fault: 'token-redirect',
  requirement: 'oauth-client/no-credentials-elsewhere',
  what: 'refresh request',
  by: 'the token endpoint',
  of: (call) => {
    const issued = issuedGrant(call)
    const later = upstreamAt(call, '/token').find((request) => issued && isAfter(request, issued))
    return later ?? 'the token was not refreshed'
  },
}

/** A refresh may be made by code of its own, which is redirected alone. */
export function refreshRedirected(handoff: Handoff): ClientScenario {
  const { id, requirement, fault, by, what } = refreshRequest
  return scenario({
    id,
    title: `the access token expires, and ${by} redirects the ${what} to another origin`,
    control: handoff.storedControl,
    notApplicable: noRefreshTokens,
    needs: storedTokens(handoff),
    async drive(given) {
      const fixtures = await movable(given)
      const { begin, user, observe, elsewhere } = fixtures
      await expireToken(fixtures, { fault, value: elsewhere() })
      const how = await begin(user).answered()
      await observe()
      // Whoever did not refresh may ask its user.
      if (how === 'asked') throw new NotOffered('it asked its user again')
    },
    checks: [check(requirement, 'sends no secret there', noSecretFollows(handoff, refreshRequest))],
  })
}
