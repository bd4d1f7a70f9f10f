import { tokenAccesses } from '../../../oauth-client/view.ts'
import { ends, exchangesCode, retriesOperation } from '../handoff.ts'
import { callbackWith } from '../../../oauth-client/arrival.ts'
import { afterServedRetry } from '../../../oauth-client/judges.ts'
import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
  show,
} from '../../../../harness/engine/index.ts'
import {
  asksForAuthorization,
  check,
  echoes,
  echoesCallId,
  postsJson,
  singleResult,
  usesCallbackUrl,
  validMessages,
  type Judge,
} from '../checks.ts'
import { callOf, citeMessages } from '../view.ts'
import { scenario } from './define.ts'

export const authorizeAndComplete = scenario({
  id: 'authorize-and-complete',
  title: 'the user approves and the call completes',
  async drive({ tool, user, observe }) {
    const call = tool.invoke({ as: user })
    await call.awaitAck()
    await call.asked()
    await user.approve(call)
    await call.ended()
    await observe()
  },
  checks: [
    check('rap-oauth/tool/acknowledge-with-200', 'acknowledges with 200', (t) => {
      const { ack, messages, request } = callOf(t)
      if (ack?.type !== 'response') {
        if (!request) return inconclusive('nothing was invoked')
        if (messages.length === 0)
          return inconclusive('the invocation was not answered', cite(request))
        return violation(
          'the invocation arrived, as its messages show, but was never answered',
          { expected: 'HTTP 200', actual: ack?.message ?? 'no answer' },
          [...cite(request, ack), ...citeMessages(messages[0])],
        )
      }
      if (ack.status === 401 || ack.status === 403) {
        return inconclusive(
          `it answered ${ack.status}: does it need target.headers?`,
          cite(request, ack),
        )
      }
      if (ack.status !== 200) {
        const actual = `HTTP ${ack.status}`
        return violation(
          'the invocation was not acknowledged',
          { expected: 'HTTP 200', actual },
          cite(request, ack),
        )
      }
      if (messages.length === 0)
        return inconclusive('it answered 200 but nothing came of it', cite(ack))
      return pass('HTTP 200', cite(request, ack))
    }),
    check('rap-oauth/tool/send-oauth-message', 'asks for authorization', asksForAuthorization()),
    check(
      'rap-oauth/tool/oauth-message-valid',
      'sends a valid oauth message',
      validMessages('oauth'),
    ),
    check(
      'rap-oauth/tool/result-message-valid',
      'sends a valid tool_result',
      validMessages('tool_result'),
    ),
    check('rap-oauth/tool/callback-is-json-post', 'posts its messages as JSON', postsJson()),
    check(
      'rap-oauth/tool/callback-url-verbatim',
      'uses the callback URL exactly as given',
      usesCallbackUrl(),
    ),
    check('rap-oauth/tool/echo-group-id', 'echoes group_id', echoes('group_id')),
    check('rap-oauth/tool/echo-id', 'echoes id', echoes('id')),
    check('rap-oauth/tool/echo-call-id', 'echoes a call_id that is a string', echoesCallId()),
    check('rap-oauth/tool/auth-url-complete', 'gives the full authorization URL', (t) => {
      const call = callOf(t)
      const [oauth] = call.oauth
      if (!oauth) return inconclusive('no oauth message arrived')
      const url = oauth.value['auth_url']
      if (typeof url !== 'string' || !URL.canParse(url)) {
        const difference = { expected: 'an absolute URL', actual: show(url) }
        return violation('auth_url is no absolute URL', difference, citeMessages(oauth))
      }
      const [request] = call.authorizationRequests
      if (request)
        return pass('it leads to the authorization endpoint', [
          ...citeMessages(oauth),
          ...cite(request),
        ])
      const visited = t.steps('visited', call.name)[0]
      if (!visited) return inconclusive('the URL was not visited')
      return violation(
        "auth_url does not lead to the provider's authorization endpoint",
        { expected: 'an authorization request at the provider', actual: show(visited.detail) },
        [...citeMessages(oauth), ...cite(visited)],
      )
    }),
    check('rap-oauth/tool/auth-url-https', 'uses HTTPS', (t) => {
      const [oauth] = callOf(t).oauth
      if (!oauth) return inconclusive('no oauth message arrived')
      const url = String(oauth.value['auth_url'])
      if (/^https:/i.test(url)) return pass('https', citeMessages(oauth))
      return violation(
        'auth_url must use HTTPS',
        { expected: 'https://…', actual: url },
        citeMessages(oauth),
      )
    }),
    check(
      'oauth-client/authorization-request-valid',
      'sends a valid authorization request',
      (t) => {
        const [request] = callOf(t).authorizationRequests
        if (!request) return inconclusive('no authorization request reached the provider')
        const { valid, error, clientId, redirectUri, responseType } = request.detail
        if (valid === true)
          return pass(`client ${String(clientId)}, ${String(responseType)}`, cite(request))
        return violation(
          'the provider refuses the authorization request',
          {
            expected: 'response_type=code, a registered client_id and its registered redirect_uri',
            actual: `${String(error)}: client_id ${show(clientId)}, redirect_uri ${show(redirectUri)}, response_type ${show(responseType)}`,
          },
          cite(request),
        )
      },
    ),
    check('oauth-client/request-scopes', 'asks for the scopes that it needs', (t, { declared }) => {
      const call = callOf(t)
      const [request] = call.authorizationRequests
      if (!request) return inconclusive('no authorization request reached the provider')
      const asked = request.detail['scopes'] as string[]
      const missing = declared.scopes?.filter((scope) => !asked.includes(scope)) ?? []
      if (asked.length === 0 || missing.length > 0) {
        const expected = declared.scopes?.join(' ') ?? 'at least one scope'
        const actual = asked.join(' ') || 'no scope parameter'
        return violation(
          'scopes are missing in the authorization request',
          { expected, actual },
          cite(request),
        )
      }
      return pass(asked.join(' '), cite(request))
    }),
    check('oauth-client/minimum-scopes', 'asks for no scope beyond', (t, { declared }) => {
      const [request] = callOf(t).authorizationRequests
      if (!request) return inconclusive('no authorization request reached the provider')
      const asked = request.detail['scopes'] as string[]
      if (asked.length === 0) return inconclusive('no scope was requested', cite(request))
      // Scopes that serve the flow itself rather than the operation (OpenID Connect Core §11, §3.1.2.1).
      const allowed = [...(declared.scopes ?? []), 'openid', 'offline_access']
      if (!declared.scopes) {
        return {
          ...pass('', []),
          outcome: 'not-applicable',
          message: 'operation.scopes is not declared',
        }
      }
      const excess = asked.filter((scope) => !allowed.includes(scope))
      if (excess.length === 0) return pass(asked.join(' '), cite(request))
      return violation(
        'more is requested than the operation needs',
        { expected: declared.scopes.join(' '), actual: asked.join(' ') },
        cite(request),
      )
    }),
    check('oauth-client/redirect-to-own-endpoint', 'redirects to its own endpoint', (t) => {
      const [request] = callOf(t).authorizationRequests
      const redirectUri = request?.detail['redirectUri']
      if (typeof redirectUri !== 'string')
        return inconclusive('no redirect_uri reached the provider')
      const blocked = t.steps('visited').find(({ detail }) => detail['ended'] === 'blocked')
      const led = blocked && String(blocked.detail['url']).startsWith(redirectUri)
      // A provider that refuses the redirect URI never sends the browser there.
      if (led || isForeign(redirectUri, t)) {
        return violation(
          'redirect_uri is not at an origin of the tool',
          {
            expected: 'an origin of the tool (or one listed in target.origins)',
            actual: redirectUri,
          },
          cite(request, blocked),
        )
      }
      const arrived = t.requests('browser').find(({ url }) => url.startsWith(redirectUri))
      if (arrived) return pass(redirectUri, cite(request, arrived))
      return inconclusive('the redirect did not come back to the tool', cite(request))
    }),
    check('oauth-client/pkce-s256', 'uses PKCE with S256', (t) => {
      const call = callOf(t)
      const [request] = call.authorizationRequests
      if (!request) return inconclusive('no authorization request reached the provider')
      const { codeChallenge, codeChallengeMethod } = request.detail
      const grant = call.grants[0]
      const shaped = typeof codeChallenge === 'string' && /^[\w-]{43}$/.test(codeChallenge)
      if (!shaped || codeChallengeMethod !== 'S256') {
        return violation(
          'the authorization request has no S256 code challenge',
          {
            expected: 'code_challenge (43 characters) and code_challenge_method=S256',
            actual: `${show(codeChallenge)}, method ${show(codeChallengeMethod)}`,
          },
          cite(request),
        )
      }
      if (!grant)
        return inconclusive('no token request came, so the verifier was not seen', cite(request))
      const verifier = grant.detail['verifier']
      if (verifier === 'matched') return pass('challenge and verifier match', cite(request, grant))
      return violation(
        'the code verifier does not belong to the challenge',
        { expected: 'the verifier of this flow', actual: String(verifier) },
        cite(request, grant),
      )
    }),
    check('oauth-client/handle-callback', 'answers the callback', (t) => {
      const request = callbackWith(t, 'call-1', 'code')
      if (!request) return inconclusive('no redirect with a code led to the tool')
      const answer = t.answer(request)
      const reached = cite(request, answer)
      if (answer?.type === 'response' && answer.status < 400)
        return pass(`HTTP ${answer.status}`, reached)
      if (answer?.type !== 'response' && (!answer || answer.code === 'timeout')) {
        const why = `no page came (${answer?.message ?? 'no answer'}), for which RAP sets no limit`
        return inconclusive(`${why}: let the run wait longer (timing.maxWait, --max-wait)`, reached)
      }
      const actual = answer.type === 'response' ? `HTTP ${answer.status}` : answer.message
      return violation(
        'the browser that came back with the code got no proper page',
        { expected: 'a page or a redirect', actual },
        reached,
      )
    }),
    check('oauth-client/exchange-code', 'exchanges the code', exchangesCode()),
    check('oauth-client/code-used-once', 'presents the code once', codePresentedOnce()),
    check('oauth-client/retry-operation', 'retries the operation', retriesOperation()),
    check('oauth-client/token-in-header', 'sends the token in the header', (t) => {
      const accesses = tokenAccesses(callOf(t))
      if (accesses.length === 0) return inconclusive('no token reached the protected API')
      const wrong = accesses.find((access) => access.detail['credential'] !== 'header')
      if (!wrong) return pass(`${accesses.length} requests`, cite(...accesses))
      return violation(
        'an access token travels outside the Authorization header',
        {
          expected: 'Authorization: Bearer …',
          actual: `in the ${String(wrong.detail['credential'])}`,
        },
        cite(wrong),
      )
    }),
    check('oauth-client/complete-call', 'sends the result of the retry', resultAfterRetry()),
    check('rap-oauth/tool/single-result', 'sends one result', singleResult()),
  ],
})

/** Whether a URL is at none of the tool's origins, as far as the recording names them. */
function isForeign(url: string, t: Transcript): boolean {
  const origins = t.steps('deployment').at(-1)?.detail['origins']
  return Array.isArray(origins) && (!URL.canParse(url) || !origins.includes(new URL(url).origin))
}

function codePresentedOnce(): Judge {
  return (t) => {
    const grants = callOf(t).grants.filter(
      (grant) => grant.detail['grantType'] === 'authorization_code',
    )
    if (grants.length === 0) return inconclusive('no code was presented')
    if (grants.length === 1) return pass('one token request', cite(...grants))
    const difference = { expected: 'one token request', actual: `${grants.length}` }
    return violation('the same code was presented more than once', difference, cite(...grants))
  }
}

function resultAfterRetry(): Judge {
  const arrives = ends('call-1', afterServedRetry, 'the retried operation')
  return (t, context) => {
    const judgement = arrives(t, context)
    if (judgement.outcome !== 'pass') return judgement
    const { results, accesses } = callOf(t)
    const [result] = results
    const [first] = tokenAccesses(callOf(t))
    if (result && first && result.event.t < first.t) {
      return violation(
        'the tool_result was sent before the operation was retried',
        { expected: 'the result of the retried operation', actual: 'a result from before it' },
        [...citeMessages(result), ...cite(...accesses)],
      )
    }
    return judgement
  }
}
