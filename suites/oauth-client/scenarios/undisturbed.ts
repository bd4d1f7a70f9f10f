/** What the scenario shows in which nothing is disturbed: a valid request, an exchange, the operation, its end. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Check,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { callbackWith } from '../arrival.ts'
import type { Handoff } from '../handoff.ts'
import type { ClientDeclared } from '../declarations.ts'
import { afterServedRetry, check, judgesOf, type Judge } from '../judges.ts'
import { ownOrigins } from '../own-origins.ts'
import { asksForNoMore } from './scopes.ts'
import { inHeaders } from './token-headers.ts'
import {
  citeEvents,
  codeGrants,
  mayHaveTimedOut,
  presentedAgain,
  problemOf,
  tokenAccesses,
} from '../view.ts'

/** What is wrong with a verifier, and what it has to be (RFC 7636 §4.1, §4.5), by what the provider has found. */
const wrongVerifiers: Readonly<Record<string, readonly [message: string, expected: string]>> = {
  absent: ['the token request has no code verifier', 'the verifier of this flow'],
  malformed: [
    'the code verifier is none: too short, too long, or of other characters',
    '43 to 128 characters: letters, digits and -._~',
  ],
  mismatched: ['the code verifier does not belong to the challenge', 'the verifier of this flow'],
}

export function undisturbedChecks(handoff: Handoff): readonly Check<ClientDeclared>[] {
  const { callOf } = handoff
  const { ends, exchangesCode, retriesOperation } = judgesOf(handoff)

  const codePresentedOnce: Judge = (t) => {
    const grants = codeGrants(callOf(t))
    if (grants.length === 0) return inconclusive('no code was presented')
    if (!presentedAgain(grants)) return pass(`${grants.length} token requests`, cite(...grants))
    const difference = { expected: 'one token request', actual: `${grants.length}` }
    return violation('the same code was presented more than once', difference, cite(...grants))
  }

  const endsAfterRetry: Judge = (t, context) => {
    const judgement = ends('call-1', afterServedRetry, 'the retried operation')(t, context)
    if (judgement.outcome !== 'pass') return judgement
    const { ended, accesses } = callOf(t)
    const [end] = ended
    const [first] = tokenAccesses(callOf(t))
    if (end && first && end.event.t < first.t) {
      return violation(
        'the call ended before the operation was retried',
        { expected: 'the result of the retried operation', actual: 'a result from before it' },
        [...citeEvents(end), ...cite(...accesses)],
      )
    }
    return judgement
  }

  return [
    check(
      'oauth-client/authorization-request-valid',
      'sends a valid authorization request',
      (t) => {
        const [request] = callOf(t).authorizationRequests
        if (!request) return inconclusive('no authorization request reached the provider')
        const { valid, clientId, redirectUri, responseType } = request.detail
        if (valid === true)
          return pass(`client ${String(clientId)}, ${String(responseType)}`, cite(request))
        return violation(
          'the provider refuses the authorization request',
          {
            expected: 'response_type=code, a registered client_id and its registered redirect_uri',
            actual: `${problemOf(request)}: client_id ${show(clientId)}, redirect_uri ${show(redirectUri)}, response_type ${show(responseType)}`,
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
      if (needsNone(declared) && asked.length === 0) return pass(noScope, cite(request))
      const missing = declared.scopes?.filter((scope) => !asked.includes(scope)) ?? []
      if (asked.length === 0 || missing.length > 0) {
        const expected =
          declared.scopes?.join(' ') ?? 'at least one scope, unless an empty list is declared'
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
      if (needsNone(declared) && asked.length === 0) return pass(noScope, cite(request))
      return asksForNoMore([request], declared)
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
          'redirect_uri is not at an origin of the client',
          {
            expected: 'an origin of the implementation (or one listed in target.origins)',
            actual: redirectUri,
          },
          cite(request, blocked),
        )
      }
      const arrived = t.requests('browser').find(({ url }) => url.startsWith(redirectUri))
      if (arrived) return pass(redirectUri, cite(request, arrived))
      return inconclusive('the redirect did not come back to the client', cite(request))
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
      const [message, expected] = wrongVerifiers[String(verifier)] ?? wrongVerifiers['mismatched']!
      return violation(message, { expected, actual: String(verifier) }, cite(request, grant))
    }),
    check('oauth-client/handle-callback', 'answers the callback', (t, { declared }) => {
      const request = callbackWith(t, 'call-1', 'code')
      if (!request) return inconclusive('no redirect with a code led to the client')
      const answer = t.answer(request)
      const reached = cite(request, answer)
      if (answer?.type === 'response' && answer.status < 400)
        return pass(`HTTP ${answer.status}`, reached)
      if (answer?.type !== 'response' && (!answer || answer.code === 'timeout')) {
        const why = `no page came (${answer?.message ?? 'no answer'}), for which no limit is set`
        return inconclusive(`${why}: let the run wait longer (timing.maxWait, --max-wait)`, reached)
      }
      if (mayHaveTimedOut(callOf(t), answer, declared.pendingTimeoutMs))
        return inconclusive('the declared pendingTimeout may have been over before', reached)
      const actual = answer.type === 'response' ? `HTTP ${answer.status}` : answer.message
      return violation(
        'the browser that came back with the code got an error instead of a page',
        { expected: 'a page or a redirect', actual },
        reached,
      )
    }),
    check('oauth-client/exchange-code', 'exchanges the code', exchangesCode()),
    check('oauth-client/code-used-once', 'presents the code once', codePresentedOnce),
    check('oauth-client/retry-operation', 'retries the operation', retriesOperation()),
    check('oauth-client/token-in-header', 'sends the token in the header', (t) =>
      inHeaders(tokenAccesses(callOf(t))),
    ),
    check('oauth-client/complete-call', 'ends with the result of the retry', endsAfterRetry),
  ]
}

const noScope = 'no scope is needed, and none is asked for'

/** The provider may have no scopes, or one that it assumes (RFC 6749 §3.3). */
function needsNone({ scopes }: ClientDeclared): boolean {
  return scopes?.length === 0
}

/** Whether a URL is at none of the client's origins, as far as the recording names them. */
function isForeign(url: string, t: Transcript): boolean {
  const origins = ownOrigins(t)
  return origins !== undefined && (!URL.canParse(url) || !origins.includes(new URL(url).origin))
}
