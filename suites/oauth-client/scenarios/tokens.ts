/** What becomes of tokens between the calls of a user: kept, refreshed, refused, revoked. */

import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  violation,
  type ProviderRecord,
  type Recorded,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { HandedCall } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import { check, judgesOf } from '../judges.ts'
import {
  apiRequests,
  askedTooMuch,
  citeEvents,
  firstAnswer,
  hasRefreshToken,
  isRateLimit,
  issuedGrant,
  refreshesOf,
  served,
  tokenAccesses,
} from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { expireToken, movable } from './drives.ts'
import { callAnew, calledAnew } from './later-flows.ts'
import { needsOwnInstance, noRefreshTokens, storedTokens } from './needs.ts'
import { noneIssued, storedTokenJudgesOf } from './stored-token-judges.ts'

/** How the API fails the call of a user whose token is stored. */
const storedFailures = [
  ['resource-error-500', 'answers 500'],
  ['resource-connection-closed', 'closes the connection'],
] as const

/** For how many milliseconds the token lived that was to expire. */
function lifeIn(t: Transcript): number {
  return Number(t.steps('age')[0]?.detail['ms'] ?? Infinity)
}

/** Whether a call was served with a token that was issued there before it. */
function servesCall(
  t: Transcript,
  { request }: HandedCall,
  { detail }: Recorded<ProviderRecord>,
): boolean {
  const issued = Array.isArray(detail['issued']) ? (detail['issued'] as unknown[]) : []
  return t
    .provider('resource-access')
    .some((use) => served(use) && isAfter(use, request) && issued.includes(use.detail['token']))
}

export function tokenScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, storedControl, callOf, endsOnce, words } = handoff
  const { endsEventually } = judgesOf(handoff)
  const judges = storedTokenJudgesOf(handoff)
  const { reusesToken, notServedByOthers, retriesTheSame, reauthorizes, presentsEachOnce } = judges
  const { completesAnew } = judges

  const storedToken = scenario({
    id: storedControl,
    title: 'the same user calls again, then another user',
    control,
    async drive({ begin, user, newUser }) {
      const first = begin(user)
      await user.approve(first)
      await first.ended()
      const second = begin(user)
      await second.answered()
      // In the same conversation: a token belongs to a user, not to that.
      await begin(newUser('stranger'), first).answered()
    },
    checks: [
      check('oauth-client/reuse-stored-token', 'needs no new authorization', reusesToken()),
      check(
        'oauth-client/retry-operation',
        'retries after consent what it does with a stored token, and once',
        retriesTheSame(),
      ),
      check(
        'oauth-client/token-bound-to-user',
        "never uses a user's token for another",
        notServedByOthers('call-3'),
      ),
    ],
  })

  const storedFailing = storedFailures.map(([fault, what]) =>
    scenario({
      id: `stored-token-${fault.replaceAll('_', '-')}`,
      title: `an authorized user calls again, and the protected API ${what}`,
      control: storedControl,
      needs: storedTokens(handoff),
      async drive({ begin, user, observe }) {
        const first = begin(user)
        const flow = await user.approve(first)
        await first.ended()
        user.setFaults(flow, [fault])
        const second = begin(user)
        if ((await second.answered()) === 'asked') throw new NotOffered('it asked its user again')
        await observe()
      },
      checks: [
        check(
          'oauth-client/never-permanently-pending',
          'still ends the call',
          endsEventually(
            'call-2',
            (call, t) => {
              const tried = apiRequests(callOf(t)).find((each) => isAfter(each, call.request))
              return tried ? cite(tried) : 'the stored token was not tried'
            },
            'the failed operation',
          ),
        ),
        ...endsOnce('sends one result', 'call-2'),
      ],
    }),
  )

  const restarted = scenario({
    id: 'restart-between-calls',
    title: 'the implementation restarts between two calls of one user, then another user calls',
    control: storedControl,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    async drive({ ownInstance }) {
      const { begin, user, newUser, restart } = await ownInstance()
      const first = begin(user)
      await user.approve(first)
      await first.ended()
      await restart()
      await begin(user).answered()
      // What was loaded for one user serves no other.
      await begin(newUser('stranger'), first).answered()
    },
    checks: [
      check('oauth-client/store-durably', 'still has the token', reusesToken()),
      check(
        'oauth-client/token-bound-to-user',
        'still uses it for no other user',
        notServedByOthers('call-3'),
      ),
    ],
  })

  const expired = scenario({
    id: 'access-token-expired',
    title: 'the access token expires between the calls of one user, twice',
    control: storedControl,
    notApplicable: noRefreshTokens,
    async drive(given) {
      const { begin, user, observe, offSlot } = await movable(given)
      const life = await user.shortLife()
      const first = begin(user)
      const lifetimes = { access_token_lifetimes: [life, life, 3600] }
      const flow = await user.approve(first, lifetimes)
      await first.ended()
      // The call may have ended too early; what is looked at here begins with a token that works.
      await first.waitUntil('the operation was not carried out', (call) =>
        tokenAccesses(call).find(served),
      )
      for (let expiry = 0; expiry < 2; expiry += 1) {
        await offSlot(user.expire(flow, life))
        await begin(user).answered()
      }
      await observe()
    },
    checks: [
      check('oauth-client/refresh-expired-token', 'refreshes it without asking the user', (t) => {
        const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
        if (!tokenAccesses(first).some(served))
          return inconclusive('the first call was not served with a token')
        const issued = issuedGrant(first)
        if (!hasRefreshToken(issued)) return inconclusive(noneIssued, cite(issued))
        const answer = firstAnswer(second)
        if (!answer) return inconclusive('the call after the expiry got no answer')
        if ('text' in answer && isRateLimit(answer))
          return inconclusive(askedTooMuch, citeEvents(answer))
        const refresh = refreshesOf(t).find(
          (grant) =>
            grant.detail['outcome'] === 'issued' &&
            isAfter(answer.event, grant) &&
            // A client may refresh in the background, before anybody calls (RFC 6749 §1.5).
            (isAfter(grant, second.request) || servesCall(t, second, grant)),
        )
        const ended = 'text' in answer
        if (ended && refresh) return pass('refreshed', [...cite(refresh), ...citeEvents(answer)])
        if (refresh && answer.event.t - refresh.t > 0.9 * lifeIn(t))
          return inconclusive('the refreshed token may have expired before it could be used')
        return violation(
          'the expired token was not refreshed',
          {
            expected: `a refresh, then ${words.ended}`,
            actual: refresh
              ? `a refresh, but still ${words.asked}`
              : `no accepted refresh; ${ended ? `${words.ended}: ${answer.text}` : words.asked}`,
          },
          [...cite(second.request, ...refreshesOf(t)), ...citeEvents(answer)],
        )
      }),
      check(
        'oauth-client/use-rotated-refresh-token',
        'uses the rotated refresh token next',
        presentsEachOnce(),
      ),
    ],
  })

  /** The token of the first call no longer works, so the second one needs its user again. */
  const asksAgain = (nameOf?: (t: Transcript) => string) => [
    check(
      'oauth-client/reauthorize-when-token-invalid',
      'starts authorization again',
      reauthorizes(nameOf),
    ),
    check(
      'oauth-client/complete-call',
      'completes the call with the new authorization',
      completesAnew(nameOf),
    ),
  ]

  const refreshRefused = scenario({
    id: 'refresh-refused',
    title: 'the access token expires and the refresh is refused',
    control: storedControl,
    notApplicable: noRefreshTokens,
    async drive(given) {
      const fixtures = await movable(given)
      const { begin, user } = fixtures
      await expireToken(fixtures, 'refresh-error-invalid_grant')
      const second = begin(user)
      await user.approve(second)
      await second.ended()
    },
    checks: asksAgain(),
  })

  const renewed = (t: Transcript): string => calledAnew(handoff, t)

  const revoked = scenario({
    id: 'grant-revoked',
    title: 'the user revokes the grant at the provider, then authorizes a second call',
    control: storedControl,
    async drive({ begin, user }) {
      const { call: second } = await callAnew({ begin, user }, handoff)
      await user.approve(second)
      await second.ended()
      await begin(user).answered()
    },
    checks: [
      ...asksAgain(renewed),
      check(
        'oauth-client/reuse-stored-token',
        'stores the token of the second authorization, too',
        (t, context) => {
          const name = renewed(t)
          return reusesToken(name, name === 'call-2' ? 'call-3' : 'call-4')(t, context)
        },
      ),
    ],
  })

  return [expired, refreshRefused, restarted, storedToken, revoked, ...storedFailing]
}
