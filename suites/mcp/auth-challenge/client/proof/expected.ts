/**
 * What each defect of the reference client must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../../tests/proof/role.ts'
import { authChallengeClient } from '../profile.ts'

const id = (name: string): string =>
  name.includes('/') ? name : `mcp-auth-challenge/client/${name}`
const ids = (...names: readonly string[]): readonly string[] => names.map(id)

/** Where the gate does not work, what can still be judged is the shorter list. */
const allBut = (...proven: readonly string[]): readonly string[] =>
  judgedBut(authChallengeClient, ids(...proven))

export const expected: Readonly<Record<string, Expectation>> = {
  'results-ignored': { turns: ids('follow-chain'), unproven: allBut('show-content') },
  'second-challenge-only': { turns: ids('follow-chain'), unproven: allBut('show-content') },
  'first-challenge-only': {
    turns: ids('follow-chain', 'oauth-client/request-scopes'),
    unproven: ids('tokens-to-own-issuer'),
  },
  'first-result-only': {
    turns: ids('follow-chain', 'oauth-client/request-scopes'),
    unproven: ids('tokens-to-own-issuer'),
  },
  'modern-results-unread': {
    turns: ids('follow-chain'),
    unproven: ids('retry-with-token', 'validate-response-issuer'),
  },
  'well-known-always': { turns: ids('follow-chain') },
  'needs-named-metadata': { turns: ids('find-unnamed-metadata') },
  'well-known-with-path-alone': { turns: ids('find-unnamed-metadata') },
  'well-known-at-root-first': { turns: ids('find-unnamed-metadata') },
  'string-unread': { turns: ids('accept-string') },
  'first-string-only': { turns: ids('accept-list') },
  'challenge-found-by-pattern': { turns: ids('accept-list') },
  'one-challenge-a-string': { turns: ids('accept-list') },
  'scheme-in-one-case': { turns: ids('follow-chain') },
  'parameters-in-one-case': { turns: ids('follow-chain') },
  'needs-scope': { turns: ids('follow-chain'), unproven: ids('scopes-of-metadata') },
  'error-flag-ignored': { turns: ids('require-error-flag') },
  'content-swallowed': { turns: ids('show-content') },
  'metadata-of-any-certificate': { turns: ids('oauth-client/verify-provider-certificate') },
  'issuer-path-dropped': { turns: ids('follow-chain') },
  'issuer-path-behind-alone': { turns: ids('follow-chain') },
  'oauth-metadata-alone': { turns: ids('follow-chain') },
  'openid-metadata-alone': { turns: ids('follow-chain') },
  'resource-checked-where-present': { turns: ids('validate-resource') },
  'resource-unchecked': { turns: ids('validate-resource') },
  'resource-checked-once': { turns: ids('validate-resource') },
  'resource-checked-by-origin': { turns: ids('validate-resource') },
  'resource-compared-the-other-way': { turns: ids('validate-resource') },
  'resource-compared-as-text': { turns: ids('validate-resource') },
  'metadata-issuer-checked-where-present': { turns: ids('validate-metadata-issuer') },
  'pkce-support-unverified-by-openid': { turns: ids('verify-pkce-support') },
  'pkce-support-unverified': { turns: ids('verify-pkce-support') },
  'pkce-support-by-presence': { turns: ids('verify-pkce-support') },
  'metadata-issuer-unchecked': { turns: ids('validate-metadata-issuer') },
  'metadata-issuer-by-origin': { turns: ids('validate-metadata-issuer') },
  'resource-of-any-scheme': { turns: ids('validate-resource') },
  'resource-in-any-case': { turns: ids('validate-resource') },
  'endpoint-begins-like-https': { turns: ids('refuse-unsafe-url') },
  'endpoint-holds-https': { turns: ids('refuse-unsafe-url') },
  'token-follows-redirects': { turns: ids('token-to-own-origin') },
  'state-by-its-beginning': {
    turns: ids(
      'oauth-client/validate-state',
      'oauth-client/ignore-forged-callback',
      'oauth-client/forged-callback-keeps-call',
    ),
  },
  'issuer-in-any-case': { turns: ids('validate-response-issuer') },
  'any-endpoint-opened': { turns: ids('refuse-unsafe-url') },
  'redeems-anywhere': { turns: ids('no-ssrf') },
  'http-fetched': { turns: ids('no-ssrf') },
  'redirects-followed': { turns: ids('no-ssrf') },
  'stuck-after-failure': {
    turns: ids('survive-bad-metadata'),
    unproven: [
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'oauth-client/validate-state',
      'mcp-auth-challenge/client/validate-resource',
    ],
  },
  'retry-forgotten': {
    turns: ids('retry-with-token'),
    unproven: allBut(
      'show-content',
      'resource-parameter',
      'oauth-client/authorization-request-valid',
      'oauth-client/encrypt-at-rest',
      'oauth-client/handle-callback',
      'oauth-client/minimum-scopes',
      'oauth-client/no-client-secret-in-output',
      'oauth-client/no-secret-in-auth-url',
      'oauth-client/no-secret-in-request-url',
      'oauth-client/no-secrets-in-logs',
      'oauth-client/no-secrets-in-output',
      'oauth-client/no-secrets-in-results',
      'oauth-client/pkce-s256',
      'oauth-client/state-unpredictable',
    ),
  },
  'retried-once-more': { turns: ids('retry-with-token') },
  'arguments-forgotten': { turns: ids('retry-with-token') },
  'one-call-waits': { turns: ids('retry-with-token') },
  'arguments-as-texts': { turns: ids('retry-with-token') },
  'token-forgotten': {
    turns: ids('token-in-later-calls'),
    unproven: ids('oauth-client/request-scopes'),
  },
  'token-for-calls-only': { turns: ids('token-in-later-calls') },
  'token-for-requests-only': { turns: ids('token-in-later-calls') },
  'repeats-with-undefined': { turns: ids('no-retry-without-token') },
  'polls-meanwhile': { turns: ids('no-retry-without-token', 'denied') },
  'retried-after-failure': {
    turns: [...ids('no-retry-without-token'), 'mcp-auth-challenge/client/denied'],
  },
  'retried-after-failed-exchange': {
    turns: ids('no-retry-without-token'),
    comparedWith: ['exchange-token-error-invalid-grant'],
  },
  'never-gives-up': { turns: ids('bounded') },
  'denial-asked-again': {
    turns: ids('denied'),
    unproven: [
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'oauth-client/validate-state',
      'mcp-auth-challenge/client/validate-resource',
    ],
  },
  'denial-untold': { turns: ids('denied') },
  'resource-omitted': { turns: ids('resource-parameter') },
  'resource-omitted-at-exchange': { turns: ids('resource-parameter') },
  'resource-omitted-at-refresh': { turns: ids('resource-parameter') },
  'refreshes-at-any-issuer': { turns: ids('tokens-to-own-issuer') },
  'resource-of-first-server': {
    turns: ids('resource-parameter'),
    comparedWith: ['two-servers'],
  },
  'scope-ignored': {
    turns: ids('oauth-client/request-scopes', 'scopes-of-metadata'),
    unproven: ids('oauth-client/minimum-scopes'),
  },
  'scopes-of-metadata-ignored': { turns: ids('scopes-of-metadata') },
  'every-scope-requested': {
    turns: ids('oauth-client/minimum-scopes'),
    unproven: ids('oauth-client/request-scopes'),
  },
  'scope-remembered': { turns: ids('oauth-client/request-scopes') },
  'refreshes-for-scope': { turns: ids('follow-chain', 'oauth-client/request-scopes') },
  'client-misnamed': {
    turns: ids('oauth-client/authorization-request-valid'),
    unproven: allBut(
      'show-content',
      'oauth-client/minimum-scopes',
      'oauth-client/state-unpredictable',
    ),
  },
  'state-constant': { turns: ids('oauth-client/state-unpredictable') },
  'state-short': { turns: ids('oauth-client/state-unpredictable') },
  'verifier-constant': { turns: ids('oauth-client/pkce-s256') },
  'pkce-omitted': { turns: ids('oauth-client/pkce-s256') },
  'pkce-omitted-later': { turns: ids('oauth-client/pkce-s256') },
  'null-token-used': { turns: ids('oauth-client/token-is-text') },
  'state-unchecked': {
    turns: ids(
      'denied',
      'oauth-client/validate-state',
      'oauth-client/ignore-forged-callback',
      // The code is used up, and nobody waits for the genuine redirect any more.
      'oauth-client/forged-callback-keeps-call',
    ),
    unproven: ids('validate-resource'),
  },
  'state-unchecked-later': { turns: ids('oauth-client/validate-state') },
  'used-state-taken-again': { turns: ids('oauth-client/state-single-use') },
  'denial-with-any-state': { turns: ids('oauth-client/validate-state') },
  'state-begins-alike': {
    turns: ids(
      'oauth-client/validate-state',
      'oauth-client/ignore-forged-callback',
      'oauth-client/forged-callback-keeps-call',
    ),
  },
  'state-in-any-case': {
    turns: ids(
      'oauth-client/validate-state',
      'oauth-client/ignore-forged-callback',
      'oauth-client/forged-callback-keeps-call',
    ),
  },
  'forged-callback-ends-flow': {
    turns: ids('oauth-client/forged-callback-keeps-call'),
  },
  'issuer-unchecked': { turns: ids('oauth-client/validate-issuer', 'validate-response-issuer') },
  'issuer-checked-where-promised': { turns: ids('validate-response-issuer') },
  'issuer-unchecked-in-errors': { turns: ids('validate-response-issuer') },
  'issuer-compared-as-url': { turns: ids('validate-response-issuer') },
  'callback-fails': { turns: ids('oauth-client/handle-callback') },
  'token-type-ignored': { turns: ids('oauth-client/token-type-known') },
  'token-redirect-followed': { turns: ids('oauth-client/no-credentials-elsewhere') },
  'code-not-exchanged': {
    turns: ids('oauth-client/exchange-code'),
    unproven: allBut(
      'show-content',
      'oauth-client/minimum-scopes',
      'oauth-client/authorization-request-valid',
      'oauth-client/handle-callback',
      'oauth-client/state-unpredictable',
    ),
  },
  'code-redeemed-twice': { turns: ids('oauth-client/code-used-once') },
  'token-for-every-server': { turns: ids('token-to-own-origin') },
  'token-by-host': { turns: ids('token-to-own-origin') },
  'metadata-by-host': { turns: ids('resource-parameter'), comparedWith: ['two-servers-one-host'] },
  'token-by-issuer': { turns: ids('token-to-own-origin') },
  'token-in-query-as-well': { turns: ids('token-not-in-url') },
  'token-for-metadata': { turns: ids('token-to-own-origin', 'tokens-to-own-issuer') },
  'token-shown': { turns: ids('oauth-client/no-secrets-in-results') },
  'token-logged': { turns: ids('oauth-client/no-secrets-in-logs') },
  'verifier-logged': { turns: ids('oauth-client/no-client-secret-in-output') },
  'code-sent-to-server': { turns: ids('oauth-client/no-secrets-in-output') },
  'secret-in-authorization-url': { turns: ids('oauth-client/no-secret-in-auth-url') },
  'code-in-request-url': { turns: ids('oauth-client/no-secret-in-request-url') },
  'tokens-kept-in-clear': { turns: ids('oauth-client/encrypt-at-rest') },
}
