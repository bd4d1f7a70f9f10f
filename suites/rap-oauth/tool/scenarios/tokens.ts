import {
  cite,
  inconclusive,
  pass,
  violation,
  type Evidence,
  type Recorded,
  type ProviderRecord,
  type Transcript,
} from '../../../../harness/index.ts'
import { textOf } from '../../messages.ts'
import {
  asksForAuthorization,
  check,
  sendsResult,
  afterIssuedToken,
  type Judge,
} from '../checks.ts'
import type { Declared } from '../configuration.ts'
import {
  callOf,
  citeMessages,
  isAfter,
  isError,
  issuedGrant,
  served,
  tokenAccesses,
  type CallView,
} from '../view.ts'
import { scenario } from './define.ts'

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
    const stranger = tool.invoke({ as: newUser('stranger') })
    await stranger.awaitMessage()
  },
  checks: [
    check('rap-oauth/tool/reuse-stored-token', 'needs no new authorization', reusesToken()),
    check(
      'rap-oauth/tool/token-bound-to-user',
      "never uses a user's token for another",
      notServedByOthers('call-3'),
    ),
  ],
})

const anonymous = scenario({
  id: 'callers-without-user-id',
  title: 'a caller whose user_id is null authorizes, then one without user_id calls',
  control: 'authorize-and-complete',
  async drive({ tool, user }) {
    const first = tool.invoke({ userId: null })
    await first.awaitAnswer()
    if (first.hasMessage('oauth')) {
      await user.approve(first)
      await first.awaitResult()
    }
    const second = tool.invoke({ userId: undefined })
    await second.awaitAnswer()
  },
  checks: [
    check(
      'rap-oauth/tool/token-bound-to-user',
      'shares no token between callers that it cannot tell apart',
      (t, context) => {
        const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
        const refused = [first, second].map(refusalOf)
        const [message] = second.messages
        const served = message?.type === 'tool_result' && !isError(message)
        if (refused[0] && !served) return pass('it serves no caller without a user_id', refused[0])
        if (refused[1]) return pass('it refuses a caller without a user_id', refused[1])
        return notServedByOthers('call-2')(t, context)
      },
    ),
  ],
})

const restarted = scenario({
  id: 'restart-between-calls',
  title: 'the tool restarts between two calls of one user',
  control: 'stored-token',
  ownInstance: true,
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

const noRefreshTokens = ({ refreshTokens }: Declared): string | undefined =>
  refreshTokens ? undefined : 'declares.refreshTokens is false'

/** Short enough to end within an observation window, on the clock of the tool too. */
const shortLife = 1

const expired = scenario({
  id: 'access-token-expired',
  title: 'the access token expires between the calls of one user, twice',
  control: 'stored-token',
  notApplicable: noRefreshTokens,
  async drive({ tool, user, observe, aside }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first, { access_token_lifetimes: [shortLife, shortLife, 3600] })
    await first.awaitResult()
    for (let expiry = 0; expiry < 2; expiry += 1) {
      await aside(user.expire(flow, shortLife))
      await tool.invoke({ as: user }).awaitMessage()
    }
    await observe()
  },
  checks: [
    check('rap-oauth/tool/refresh-expired-token', 'refreshes it without asking the user', (t) => {
      const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
      if (!issuedGrant(first)) return inconclusive('no token was issued')
      const [message] = second.messages
      if (!message) return inconclusive('the call after the expiry got no message')
      const refresh = refreshesOf(t).find((grant) => grant.detail['outcome'] === 'issued')
      if (message.type === 'tool_result' && refresh)
        return pass('refreshed', [...cite(refresh), ...citeMessages(message)])
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
      (t) => {
        const refreshes = refreshesOf(t)
        const [first, ...later] = refreshes
        if (!first || later.length === 0)
          return inconclusive('it did not refresh twice', cite(...refreshes))
        const presented = refreshes.map((grant) => grant.detail['presented'])
        if (new Set(presented).size === presented.length)
          return pass('a new one each time', cite(...refreshes))
        return violation(
          'a refresh token was presented again after it had been rotated',
          { expected: 'the refresh token of the last response', actual: presented.join(', ') },
          cite(...refreshes),
        )
      },
    ),
  ],
})

const refreshRefused = scenario({
  id: 'refresh-refused',
  title: 'the access token expires and the refresh is refused',
  control: 'stored-token',
  notApplicable: noRefreshTokens,
  async drive({ tool, user, aside }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first, { access_token_lifetimes: [shortLife, 3600] })
    await first.awaitResult()
    user.setFaults(flow, ['refresh-error-invalid_grant'])
    await aside(user.expire(flow, shortLife))
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
  if (ack?.type === 'response' && ack.status >= 400) return cite(call.request, ack)
  const [result] = results
  return oauth.length === 0 && result && isError(result) ? citeMessages(result) : undefined
}

/** A second call of the user who authorized in the first is served without an oauth message. */
function reusesToken(): Judge {
  return (t) => {
    const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
    if (!tokenAccesses(first).some(served))
      return inconclusive('the first call was not served with a token')
    const [message] = second.messages
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

/** A call of somebody else is not served with the token of the first call. */
function notServedByOthers(name: string): Judge {
  return (t) => {
    const [first, other] = [callOf(t, 'call-1'), callOf(t, name)]
    if (!issuedGrant(first)) return inconclusive('no token was issued that could be shared')
    const [message] = other.messages
    if (!message) return inconclusive('the other caller got no message')
    const used = tokenAccesses(first).find((access) => isAfter(access, other.request))
    const evidence = [...cite(issuedGrant(first), other.request, used), ...citeMessages(message)]
    const result = message.type === 'tool_result' && !isError(message)
    if (!used && !result)
      return pass('the other caller is asked to authorize, or refused', evidence)
    return violation(
      'a caller was served with the token of somebody else',
      {
        expected: 'an oauth message',
        actual: used
          ? `${String(used.detail['route'])} with the token of another user`
          : textOf(message.value),
      },
      evidence,
    )
  }
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

function refreshesOf(t: Transcript): Recorded<ProviderRecord>[] {
  return t.provider('grant').filter((grant) => grant.detail['grantType'] === 'refresh_token')
}

export const tokenScenarios = [expired, refreshRefused, restarted, storedToken, anonymous, revoked]
