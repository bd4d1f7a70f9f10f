import { randomInt } from 'node:crypto'
import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
  type Evidence,
  type Judgement,
  type Recorded,
  type ProviderRecord,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { textOf } from '../../messages.ts'
import {
  asksForAuthorization,
  check,
  endsEventually,
  singleResult,
  sendsResult,
  afterIssuedToken,
  type Context,
  type Judge,
} from '../checks.ts'
import type { Declared } from '../configuration.ts'
import {
  apiRequests,
  callOf,
  callsOf,
  citeMessages,
  isAfter,
  isError,
  issuedGrant,
  pathOf,
  served,
  show,
  tokenAccesses,
  unexplainedUse,
  wasRefused,
  type CallView,
} from '../view.ts'
import { scenario } from './define.ts'
import { needsOwnInstance, storedTokens } from './needs.ts'

const storedToken = scenario({
  id: 'stored-token',
  title: 'the same user calls again, then another user',
  control: 'authorize-and-complete',
  async drive({ tool, user, newUser }) {
    const first = tool.invoke({ as: user })
    await user.approve(first)
    await first.awaitResult()
    const second = tool.invoke({ as: user })
    await second.awaitMessage()
    // In the same thread: a token belongs to a user, not to a conversation.
    const stranger = tool.invoke({ as: newUser('stranger'), groupId: first.sent.group_id })
    await stranger.awaitMessage()
  },
  checks: [
    check('rap-oauth/tool/reuse-stored-token', 'needs no new authorization', reusesToken()),
    check(
      'rap-oauth/tool/retry-operation',
      'retries after consent what it does with a stored token, and once',
      retriesTheSame(),
    ),
    check(
      'rap-oauth/tool/token-bound-to-user',
      "never uses a user's token for another",
      notServedByOthers('call-3'),
    ),
  ],
})

/** Callers who are nobody in particular, after one of them has authorized, and users whose names look like nobody. */
const nobodies = [undefined, null, 'null', 'undefined', ''] as const

const anonymous = scenario({
  id: 'callers-without-user-id',
  title:
    'a caller whose user_id is null authorizes; then others call who have none, or one that looks like none',
  control: 'authorize-and-complete',
  notApplicable: ({ anonymous }) => (anonymous ? undefined : 'declares.anonymous is false'),
  async drive({ tool, user }) {
    const first = tool.invoke({ userId: null })
    await first.awaitAnswer()
    if (first.hasMessage('oauth')) {
      await user.approve(first)
      await first.awaitResult()
    }
    const others = nobodies.map((userId) => tool.invoke({ userId }))
    await Promise.all(others.map((other) => other.awaitAnswer()))
  },
  checks: [
    check(
      'rap-oauth/tool/token-bound-to-user',
      'shares no token between callers that it cannot tell apart',
      (t, context) => {
        const [first, ...others] = callsOf(t)
        if (!first) return inconclusive('nobody called')
        if (issuedGrant(first))
          return worstOf(
            others.map(({ name }) => notServedByOthers(name)),
            t,
            context,
          )
        const refusals = [first, ...others.filter(({ oauth }) => oauth.length === 0)].map(refusalOf)
        if (others.length > 0 && refusals.every((refusal) => refusal !== undefined)) {
          return pass('it serves no caller without a user_id', refusals.flat())
        }
        return inconclusive(
          'no token was issued that could be shared, and not every caller was refused: an error result begins with "Error: "',
        )
      },
    ),
  ],
})

/** Other people, whose identifiers a careless comparison takes for the same: case, blanks, Unicode, length. */
function lookalikes(id: string): string[] {
  return [id.toUpperCase(), ` ${id}`, `${id} `, id.normalize('NFD'), `${id.slice(0, -1)}x`]
}

const similar = scenario({
  id: 'similar-user-ids',
  title:
    'a user authorizes; then users call whose user_id differs in case, blanks, Unicode form or the last character',
  control: 'stored-token',
  async drive({ tool, user }) {
    const id = `${user.id}-ä${'-long'.repeat(40)}-end`
    const first = tool.invoke({ userId: id })
    await user.approve(first)
    await first.awaitResult()
    const others = lookalikes(id).map((userId) => tool.invoke({ userId }))
    await Promise.all(others.map((other) => other.awaitMessage()))
  },
  checks: [
    check('rap-oauth/tool/token-bound-to-user', 'takes no user for another', (t, context) => {
      const [, ...others] = callsOf(t)
      return worstOf(
        others.map(({ name }) => notServedByOthers(name)),
        t,
        context,
      )
    }),
  ],
})

/** Other people, whose identifiers are the same number: they are texts, and compared as such. */
function sameNumbers(id: string): string[] {
  const [first, ...rest] = id
  return [`0${id}`, `+${id}`, `${id}.0`, `${first}.${rest.join('')}e${rest.length}`]
}

const numeric = scenario({
  id: 'numeric-user-ids',
  title:
    'a user authorizes whose user_id is a number; then users call whose user_id is the same number in other digits',
  control: 'stored-token',
  async drive({ tool, user }) {
    // Beyond what a floating-point number tells apart.
    const id = `9${String(randomInt(10 ** 7, 10 ** 8))}${String(randomInt(10 ** 7, 10 ** 8))}1`
    const first = tool.invoke({ userId: id })
    await user.approve(first)
    await first.awaitResult()
    const others = [...sameNumbers(id), id.replace(/1$/, '2')].map((userId) =>
      tool.invoke({ userId }),
    )
    await Promise.all(others.map((other) => other.awaitMessage()))
  },
  checks: [
    check('rap-oauth/tool/token-bound-to-user', 'compares them as texts', (t, context) => {
      const [, ...others] = callsOf(t)
      return worstOf(
        others.map(({ name }) => notServedByOthers(name)),
        t,
        context,
      )
    }),
  ],
})

/** How the API fails the call of a user whose token is stored. */
const storedFailures = [
  ['resource-error-500', 'answers 500'],
  ['resource-connection-closed', 'closes the connection'],
] as const

const storedFailing = storedFailures.map(([fault, what]) =>
  scenario({
    id: `stored-token-${fault.replaceAll('_', '-')}`,
    title: `an authorized user calls again, and the protected API ${what}`,
    control: 'stored-token',
    needs: storedTokens,
    async drive({ tool, user, observe }) {
      const first = tool.invoke({ as: user })
      const flow = await user.approve(first)
      await first.awaitResult()
      user.setFaults(flow, [fault])
      const second = tool.invoke({ as: user })
      const message = await second.awaitMessage()
      if (message.type === 'oauth') throw new NotOffered('it asked its user again')
      await observe()
    },
    checks: [
      check(
        'rap-oauth/tool/never-permanently-pending',
        'sends a result all the same',
        endsEventually(
          'call-2',
          (call, t) => {
            const tried = apiRequests(callOf(t)).find((each) => isAfter(each, call.request))
            return tried ? cite(tried) : 'the stored token was not tried'
          },
          'the failed operation',
        ),
      ),
      check('rap-oauth/tool/single-result', 'sends one result', singleResult('call-2')),
    ],
  }),
)

/** The worst of several judgements: a violation, then what is unproven, then a pass. */
function worstOf(judges: readonly Judge[], t: Transcript, context: Context): Judgement {
  const judgements = judges.map((judge) => judge(t, context))
  const worst =
    judgements.find(({ outcome }) => outcome === 'violation') ??
    judgements.find(({ outcome }) => outcome !== 'pass') ??
    judgements[0]
  return worst ?? inconclusive('nobody else called')
}

const restarted = scenario({
  id: 'restart-between-calls',
  title: 'the tool restarts between two calls of one user',
  control: 'stored-token',
  ownInstance: true,
  notApplicable: needsOwnInstance,
  async drive({ ownInstance }) {
    const { tool, user } = await ownInstance()
    const first = tool.invoke({ as: user })
    await user.approve(first)
    await first.awaitResult()
    await tool.restart()
    const second = tool.invoke({ as: user })
    await second.awaitMessage()
  },
  checks: [check('rap-oauth/tool/store-durably', 'still has the token', reusesToken())],
})

export const noRefreshTokens = ({ refreshTokens }: Declared): string | undefined =>
  refreshTokens ? undefined : 'declares.refreshTokens is false'

/** Without the refresh grant in its registration, for example. */
const noneIssued =
  'the provider issued no refresh token to this client: declare declares.refreshTokens: false'

function hasRefreshToken(grant: Recorded<ProviderRecord> | undefined): boolean {
  const issued = grant?.detail['issued']
  return Array.isArray(issued) && issued.some((id) => /(^|:)refresh_token/.test(String(id)))
}

/** Seconds: short, because the clock of the tool has to get there too; long enough for a busy machine to use it. */
export const shortLife = 2

const expired = scenario({
  id: 'access-token-expired',
  title: 'the access token expires between the calls of one user, twice',
  control: 'stored-token',
  notApplicable: noRefreshTokens,
  async drive({ tool, user, observe, offSlot }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first, { access_token_lifetimes: [shortLife, shortLife, 3600] })
    await first.awaitResult()
    // The result may have been sent too early; what is looked at here begins with a token that works.
    await first.waitUntil('the operation was not carried out', (call) =>
      tokenAccesses(call).find(served),
    )
    for (let expiry = 0; expiry < 2; expiry += 1) {
      await offSlot(user.expire(flow, shortLife))
      await tool.invoke({ as: user }).awaitMessage()
    }
    await observe()
  },
  checks: [
    check('rap-oauth/tool/refresh-expired-token', 'refreshes it without asking the user', (t) => {
      const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
      if (!tokenAccesses(first).some(served))
        return inconclusive('the first call was not served with a token')
      const issued = issuedGrant(first)
      if (!hasRefreshToken(issued)) return inconclusive(noneIssued, cite(issued))
      const [message] = second.answers
      if (!message) return inconclusive('the call after the expiry got no message')
      const refresh = refreshesOf(t).find(
        (grant) =>
          grant.detail['outcome'] === 'issued' &&
          isAfter(grant, second.request) &&
          isAfter(message.event, grant),
      )
      if (message.type === 'tool_result' && refresh)
        return pass('refreshed', [...cite(refresh), ...citeMessages(message)])
      if (refresh && message.event.t - refresh.t > shortLife * 900)
        return inconclusive('the refreshed token may have expired before it could be used')
      return violation(
        'the expired token was not refreshed',
        {
          expected: 'a refresh, then a tool_result',
          actual: refresh
            ? 'a refresh, but an oauth message all the same'
            : `no accepted refresh; ${String(message.type)}: ${textOf(message.value)}`,
        },
        [...cite(second.request, ...refreshesOf(t)), ...citeMessages(message)],
      )
    }),
    check(
      'rap-oauth/tool/use-rotated-refresh-token',
      'uses the rotated refresh token next',
      presentsEachOnce(),
    ),
  ],
})

const refreshRefused = scenario({
  id: 'refresh-refused',
  title: 'the access token expires and the refresh is refused',
  control: 'stored-token',
  notApplicable: noRefreshTokens,
  async drive({ tool, user, offSlot }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first, { access_token_lifetimes: [shortLife, 3600] })
    await first.awaitResult()
    user.setFaults(flow, ['refresh-error-invalid_grant'])
    await offSlot(user.expire(flow, shortLife))
    const second = tool.invoke({ as: user })
    await user.approve(second)
    await second.awaitResult()
  },
  checks: [
    check(
      'rap-oauth/tool/reauthorize-when-token-invalid',
      'starts authorization again',
      reauthorizes(),
    ),
    check(
      'rap-oauth/tool/send-result',
      'completes the call with the new authorization',
      sendsResult('call-2', afterIssuedToken, 'the second authorization'),
    ),
  ],
})

const revoked = scenario({
  id: 'grant-revoked',
  title: 'the user revokes the grant at the provider, then calls again',
  control: 'stored-token',
  async drive({ tool, user }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first)
    await first.awaitResult()
    user.revoke(flow)
    const second = tool.invoke({ as: user })
    await user.approve(second)
    await second.awaitResult()
  },
  checks: [
    check(
      'rap-oauth/tool/reauthorize-when-token-invalid',
      'starts authorization again',
      reauthorizes(),
    ),
    check(
      'rap-oauth/tool/send-result',
      'completes the call with the new authorization',
      sendsResult('call-2', afterIssuedToken, 'the second authorization'),
    ),
  ],
})

/** How a call was refused before anybody was asked: an error status, or an error result. */
function refusalOf(call: CallView): Evidence[] | undefined {
  const { ack, oauth, results } = call
  if (wasRefused(call)) return cite(call.request, ack)
  const [result] = results
  return oauth.length === 0 && result && isError(result) ? citeMessages(result) : undefined
}

/** A second call of the user who authorized in the first is served without an oauth message. */
function reusesToken(): Judge {
  return (t) => {
    const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
    if (!tokenAccesses(first).some(served))
      return inconclusive('the first call was not served with a token')
    const [message] = second.answers
    if (!message) return inconclusive('the second call got no message')
    const used = tokenAccesses(first).find(
      (access) => isAfter(access, second.request) && served(access),
    )
    const evidence = [...cite(second.request, used), ...citeMessages(message)]
    if (message.type === 'tool_result' && used) return pass('the stored token was used', evidence)
    return violation(
      'the token of the user was not used again',
      {
        expected: 'a tool_result without a new authorization',
        actual: message.type === 'oauth' ? 'an oauth message' : textOf(message.value),
      },
      evidence,
    )
  }
}

/** A call of somebody else is not served with the token of the first caller. */
function notServedByOthers(name: string): Judge {
  return (t) => {
    const [first, other] = [callOf(t, 'call-1'), callOf(t, name)]
    if (!issuedGrant(first)) return inconclusive('no token was issued that could be shared')
    const [message] = other.answers
    const owner = first.sent.user_id
    const own = callsOf(t).filter(
      ({ sent }) => sent === first.sent || (owner && sent.user_id === owner),
    )
    const used = unexplainedUse(own, other)
    if (!message && !used) {
      const refusal = refusalOf(other)
      return refusal
        ? pass('the other caller is refused', refusal)
        : inconclusive('the other caller got no message')
    }
    const evidence = [...cite(issuedGrant(first), other.request, used), ...citeMessages(message)]
    const subject = t.provider('decision', 'call-1')[0]?.detail['subject']
    const named = typeof subject === 'string' && message && textOf(message.value).includes(subject)
    if (message && !used && !named) {
      return message.type === 'oauth' || isError(message)
        ? pass('the other caller is asked to authorize, or refused', evidence)
        : inconclusive('a result came, but nothing shows whose token was used for it', evidence)
    }
    return violation(
      'a caller was served with the token of somebody else',
      {
        expected: 'an oauth message',
        actual: used
          ? `${String(used.detail['route'])} with the token of another user`
          : textOf(message?.value ?? {}),
      },
      evidence,
    )
  }
}

/**
 * What the tool asks of the API for a call with a stored token shows what the operation is: the retry after consent has
 * the same arguments, and changes nothing twice. Reads may be repeated, and what comes beside the operation may differ.
 */
function retriesTheSame(): Judge {
  return (t) => {
    const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
    const issued = issuedGrant(first)
    const all = apiRequests(first).filter((request) => issued && isAfter(request, issued))
    const later = all.filter((request) => isAfter(request, second.request))
    const retry = all.filter((request) => !later.includes(request))
    if (retry.length === 0) return inconclusive('the operation was not retried')
    const evidence = cite(...retry.slice(0, 3), ...later.slice(0, 3))
    const lost = Object.entries(first.sent.arguments).find(
      ([, value]) => carries(later, value) && !carries(retry, value),
    )
    if (lost) {
      return violation(
        'the retry after consent does not have the arguments of the call',
        { expected: `${lost[0]}: ${show(lost[1])}, as with a stored token`, actual: 'not sent' },
        evidence,
      )
    }
    const times = (requests: typeof all, like: (typeof all)[number]): number =>
      requests.filter((each) => sameRequest(each, like)).length
    const twice = retry.find(
      (each) =>
        !/^(GET|HEAD|OPTIONS)$/.test(each.method) &&
        times(retry, each) > Math.max(1, times(later, each)),
    )
    if (!twice) return pass(`${retry.length} requests after consent`, evidence)
    return violation(
      'the operation is carried out more than once after consent',
      {
        expected: 'as often as with a stored token',
        actual: `${times(retry, twice)} times ${twice.method} ${pathOf(twice.url)}`,
      },
      evidence,
    )
  }
}

/** Whether a request shows an argument; short ones could stand there by chance. */
function carries(requests: readonly Recorded<RequestEvent>[], value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length < 3) return false
  const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]
  const plus = encodeURIComponent(text).replaceAll('%20', '+')
  return requests.some(({ url, body }) =>
    [...forms, plus].some((form) => url.includes(form) || (body?.text ?? '').includes(form)),
  )
}

function sameRequest(one: Recorded<RequestEvent>, other: Recorded<RequestEvent>): boolean {
  return one.method === other.method && one.url === other.url && one.body?.text === other.body?.text
}

function reauthorizes(): Judge {
  const asks = asksForAuthorization('call-2')
  return (t, context) => {
    const first: CallView = callOf(t, 'call-1')
    if (!issuedGrant(first)) return inconclusive('no token was issued')
    if (!callOf(t, 'call-2').request) return inconclusive('the second call was not made')
    return asks(t, context)
  }
}

/** A refresh token that was accepted, and with that rotated, is never presented again. */
export function presentsEachOnce(): Judge {
  return (t) => {
    const refreshes = refreshesOf(t)
    const [first, ...later] = refreshes
    const issued = issuedGrant(callOf(t))
    if (!first && issued && !hasRefreshToken(issued)) return inconclusive(noneIssued, cite(issued))
    if (!first || later.length === 0)
      return inconclusive('it did not refresh twice', cite(...refreshes))
    const presented = refreshes.map((grant) => grant.detail['presented'])
    // A refused attempt rotates nothing, so what it presented may be presented again.
    const reused = refreshes.some(
      (grant, index) =>
        grant.detail['outcome'] === 'issued' &&
        presented.indexOf(grant.detail['presented'], index + 1) > index,
    )
    if (!reused) return pass('a new one each time', cite(...refreshes))
    return violation(
      'a refresh token was presented again after it had been rotated',
      { expected: 'the refresh token of the last response', actual: presented.join(', ') },
      cite(...refreshes),
    )
  }
}

export function refreshesOf(t: Transcript): Recorded<ProviderRecord>[] {
  return t.provider('grant').filter((grant) => grant.detail['grantType'] === 'refresh_token')
}

export const tokenScenarios = [
  expired,
  refreshRefused,
  restarted,
  storedToken,
  anonymous,
  similar,
  numeric,
  revoked,
  ...storedFailing,
]
