/**
 * What each defect of the reference agent must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../tests/proof/role.ts'
import { adkAgent } from '../profile.ts'

/** Where a defect ends nearly every flow, what can still be judged is the shorter list. */
const allBut = (...proven: readonly string[]): readonly string[] => judgedBut(adkAgent, proven)

/** What is asked of a second request in a session in which one waits. */
const secondRequests = [
  'adk-credential/agent/several-requests-distinct',
  'adk-credential/agent/state-from-own-record',
  'oauth-client/retry-operation',
]

export const expected: Readonly<Record<string, Expectation>> = {
  'second-request-swallowed': {
    turns: ['adk-credential/agent/several-requests-distinct'],
    unproven: ['adk-credential/agent/credential-of-its-key', 'oauth-client/validate-state'],
  },
  'state-beside-differs': { turns: ['adk-credential/agent/request-carries-auth-config'] },
  'any-pending-state-taken': {
    turns: [
      'adk-credential/agent/pending-survives-restart',
      'adk-credential/agent/state-from-own-record',
      'oauth-client/state-single-use',
      'oauth-client/token-bound-to-user',
    ],
  },
  'state-by-its-beginning': {
    turns: ['oauth-client/ignore-forged-callback', 'oauth-client/validate-state'],
  },
  'state-case-ignored': {
    turns: ['oauth-client/ignore-forged-callback', 'oauth-client/validate-state'],
  },
  'failure-made-up': {
    turns: [
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
    ],
  },
  'failure-called-success': {
    turns: [
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
    ],
  },
  'code-before-error': { turns: ['adk-credential/agent/no-exchange-after-error'] },
  'exchange-repeated': { turns: ['oauth-client/code-used-once'] },
  'users-in-lower-case': { turns: ['oauth-client/token-bound-to-user'] },
  'users-cut-at-the-end': { turns: ['oauth-client/token-bound-to-user'] },
  'users-as-file-names': { turns: ['oauth-client/token-bound-to-user'] },
  'users-before-the-at': { turns: ['oauth-client/token-bound-to-user'] },
  'credentials-of-session-ids': { turns: ['oauth-client/token-bound-to-user'] },
  'results-misnamed': { turns: ['adk-credential/agent/call-replayed'] },
  'second-tool-of-key-forgotten': { turns: ['adk-credential/agent/call-replayed'] },
  'sessions-of-anyone': { turns: ['oauth-client/token-bound-to-user'] },
  'refused-token-repeated': { turns: ['adk-credential/agent/refused-token-not-repeated'] },
  'credentials-kept-by-tool': { turns: ['adk-credential/agent/credential-shared-by-key'] },
  'never-asks': {
    turns: ['adk-credential/agent/request-before-result'],
    unproven: allBut(
      'adk-credential/agent/flow-bound-to-user',
      'adk-credential/agent/request-before-result',
    ),
  },
  'raw-credential-missing': { turns: ['adk-credential/agent/request-carries-auth-config'] },
  'paused-call-misnamed': { turns: ['adk-credential/agent/request-names-paused-call'] },
  'later-requests-not-long-running': { turns: ['adk-credential/agent/request-long-running'] },
  'later-calls-misnamed': { turns: ['adk-credential/agent/request-names-paused-call'] },
  'later-requests-without-scheme': { turns: ['adk-credential/agent/request-carries-auth-config'] },
  'not-long-running': { turns: ['adk-credential/agent/request-long-running'] },
  'goes-on-without-answer': { turns: ['adk-credential/agent/invocation-paused'] },
  'deaf-while-pending': {
    turns: ['adk-credential/agent/conversation-continues'],
    unproven: secondRequests,
  },
  'talk-ends-request': {
    turns: [
      'adk-credential/agent/conversation-continues',
      'adk-credential/agent/several-requests-distinct',
    ],
    unproven: ['oauth-client/retry-operation'],
  },
  'deaf-in-stream': {
    turns: ['adk-credential/agent/conversation-continues'],
    unproven: secondRequests,
    configuration: { api: { streaming: true } },
  },
  'open-results-repeated': { turns: ['adk-credential/agent/other-tools-unaffected'] },
  'token-of-arguments-preferred': {
    turns: ['adk-credential/agent/credential-not-from-arguments'],
  },
  'token-from-arguments': { turns: ['adk-credential/agent/credential-not-from-arguments'] },
  'response-type-token': {
    turns: ['oauth-client/authorization-request-valid'],
    unproven: allBut(
      'adk-credential/agent/flow-bound-to-user',
      'adk-credential/agent/request-before-result',
      'adk-credential/agent/request-carries-auth-config',
      'adk-credential/agent/request-long-running',
      'adk-credential/agent/request-names-paused-call',
      'oauth-client/authorization-request-valid',
      'oauth-client/minimum-scopes',
      'oauth-client/request-scopes',
    ),
  },
  'scopes-missing': {
    turns: ['oauth-client/request-scopes'],
    unproven: ['oauth-client/minimum-scopes'],
  },
  'more-scopes-than-needed': { turns: ['oauth-client/minimum-scopes'] },
  'more-scopes-later': { turns: ['oauth-client/minimum-scopes'] },
  'requests-of-newest-session': {
    turns: ['adk-credential/agent/several-requests-distinct'],
  },
  'state-compared-once': { turns: ['oauth-client/validate-state'] },
  'no-pkce': { turns: ['oauth-client/pkce-s256'] },
  'pkce-plain': { turns: ['oauth-client/no-client-secret-in-output', 'oauth-client/pkce-s256'] },
  'verifier-constant': { turns: ['oauth-client/pkce-s256'] },
  'state-constant': {
    turns: [
      'adk-credential/agent/state-from-own-record',
      'adk-credential/agent/several-requests-distinct',
      'oauth-client/state-single-use',
      'oauth-client/state-unpredictable',
    ],
    unproven: ['adk-credential/agent/call-replayed', 'oauth-client/code-bound-to-flow'],
  },
  'random-alike-in-every-process': {
    turns: ['oauth-client/pkce-s256', 'oauth-client/state-unpredictable'],
    // Another process begins alike.
    comparedWith: ['restart-between-calls'],
  },
  'client-secret-in-auth-url': {
    turns: ['oauth-client/no-client-secret-in-output', 'oauth-client/no-secret-in-auth-url'],
  },
  'client-secret-in-auth-config': { turns: ['oauth-client/no-client-secret-in-output'] },
  'any-answer-taken': {
    turns: [
      'adk-credential/agent/answer-id-matches',
      'adk-credential/agent/call-replayed',
      'adk-credential/agent/several-requests-distinct',
    ],
    unproven: ['oauth-client/retry-operation'],
  },
  'request-found-by-state': {
    turns: [
      'adk-credential/agent/state-from-own-record',
      'adk-credential/agent/answer-id-matches',
      'oauth-client/code-bound-to-flow',
      'oauth-client/pkce-s256',
    ],
  },
  'state-ignored': {
    turns: [
      'adk-credential/agent/state-from-own-record',
      'oauth-client/ignore-forged-callback',
      'oauth-client/state-single-use',
      'oauth-client/validate-state',
    ],
  },
  'state-of-errors-ignored': { turns: ['oauth-client/validate-state'] },
  'state-from-answer': { turns: ['adk-credential/agent/state-from-own-record'] },
  'issuer-not-compared': { turns: ['oauth-client/validate-issuer'] },
  'endpoints-from-answer': { turns: ['adk-credential/agent/endpoints-from-configuration'] },
  'bare-code-accepted': { turns: ['adk-credential/agent/bare-code-refused'] },
  'callback-anywhere': { turns: ['adk-credential/agent/callback-location-checked'] },
  'callback-location-by-beginning': {
    turns: ['adk-credential/agent/callback-location-checked'],
  },
  'callback-origin-ignored': { turns: ['adk-credential/agent/callback-location-checked'] },
  'states-forgotten-at-restart': { turns: ['oauth-client/validate-state'] },
  'state-of-session-taken': { turns: ['adk-credential/agent/state-from-own-record'] },
  'malformed-answers-crash': { turns: ['adk-credential/agent/malformed-answer-survived'] },
  'answered-again-with-another-code': { turns: ['oauth-client/state-single-use'] },
  'requests-not-consumed': {
    turns: ['oauth-client/code-used-once', 'oauth-client/state-single-use'],
  },
  'requests-forgotten-at-restart': { turns: ['adk-credential/agent/pending-survives-restart'] },
  'repeated-answer-runs-tool': {
    turns: ['adk-credential/agent/replay-runs-no-tool', 'oauth-client/state-single-use'],
  },
  'empty-callback-is-success': {
    turns: ['oauth-client/ignore-forged-callback', 'oauth-client/report-authorization-error'],
  },
  'newest-request-only': {
    turns: ['adk-credential/agent/call-replayed', 'adk-credential/agent/several-requests-distinct'],
    unproven: ['oauth-client/retry-operation'],
  },
  'plain-callback-refused': { turns: ['oauth-client/exchange-code'] },
  'callback-half-decoded': { turns: ['oauth-client/exchange-code'] },
  'flow-of-anybody': {
    turns: ['adk-credential/agent/flow-bound-to-user'],
    // What is asked of answers that bring a callback does not apply.
    unproven: [
      'adk-credential/agent/bare-code-refused',
      'adk-credential/agent/callback-location-checked',
      'adk-credential/agent/endpoints-from-configuration',
      'adk-credential/agent/no-exchange-after-error',
      'adk-credential/agent/state-from-own-record',
      'oauth-client/exchange-code',
      'oauth-client/state-single-use',
    ],
    configuration: { api: { consent: { begin: '/consent/begin', complete: '/consent/complete' } } },
  },
  'nothing-granted-refused': {
    turns: ['oauth-client/report-denial'],
    // What is asked of answers that bring a callback does not apply; of what the agent cannot be told nothing is asked.
    unproven: [
      'adk-credential/agent/bare-code-refused',
      'adk-credential/agent/callback-location-checked',
      'adk-credential/agent/endpoints-from-configuration',
      'adk-credential/agent/no-exchange-after-error',
      'adk-credential/agent/state-from-own-record',
      'oauth-client/exchange-code',
      'oauth-client/state-single-use',
      'oauth-client/never-permanently-pending',
      'oauth-client/report-authorization-error',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
      'oauth-client/validate-state',
    ],
    configuration: { api: { consent: { begin: '/consent/begin', complete: '/consent/complete' } } },
  },
  'denial-is-pending': { turns: ['oauth-client/report-denial'] },
  'denial-remembered': { turns: ['adk-credential/agent/denial-not-remembered'] },
  'authorization-errors-ignored': { turns: ['oauth-client/report-authorization-error'] },
  'result-under-new-id': {
    turns: [
      'adk-credential/agent/conversation-continues',
      'adk-credential/agent/call-replayed',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
      'oauth-client/never-permanently-pending',
    ],
    unproven: allBut(
      'adk-credential/agent/flow-bound-to-user',
      'adk-credential/agent/call-replayed',
      'adk-credential/agent/request-before-result',
      'adk-credential/agent/request-carries-auth-config',
      'adk-credential/agent/request-long-running',
      'adk-credential/agent/request-names-paused-call',
      'adk-credential/agent/secrets-not-to-model',
      'oauth-client/authorization-request-valid',
      'oauth-client/complete-call',
      'oauth-client/encrypt-at-rest',
      'oauth-client/end-when-retry-fails',
      'oauth-client/minimum-scopes',
      'oauth-client/never-permanently-pending',
      'oauth-client/no-client-secret-in-output',
      'oauth-client/no-secret-in-auth-url',
      'oauth-client/no-secret-in-request-url',
      'oauth-client/no-secrets-in-logs',
      'oauth-client/no-secrets-in-results',
      'oauth-client/request-scopes',
      'oauth-client/token-in-header',
    ),
  },
  'arguments-lost': { turns: ['oauth-client/retry-operation'] },
  'arguments-of-newest-call': { turns: ['oauth-client/retry-operation'] },
  'arguments-forgotten-at-restart': { turns: ['adk-credential/agent/pending-survives-restart'] },
  'model-told-pending': { turns: ['adk-credential/agent/model-gets-result'] },
  'exchange-failure-crashes': {
    turns: [
      'oauth-client/never-permanently-pending',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
    ],
  },
  'odd-token-answers-crash': { turns: ['oauth-client/never-permanently-pending'] },
  'strict-token-answers': { turns: ['oauth-client/accept-valid-token-response'] },
  'token-type-ignored': { turns: ['oauth-client/token-type-known'] },
  'redirects-followed': { turns: ['oauth-client/no-credentials-elsewhere'] },
  'code-not-encoded': { turns: ['oauth-client/exchange-code'] },
  'redirect-uri-differs': {
    turns: ['oauth-client/exchange-code'],
    unproven: allBut(
      'adk-credential/agent/flow-bound-to-user',
      'adk-credential/agent/answer-id-matches',
      'adk-credential/agent/bare-code-refused',
      'adk-credential/agent/callback-location-checked',
      'adk-credential/agent/conversation-continues',
      'adk-credential/agent/credential-not-from-arguments',
      'adk-credential/agent/endpoints-from-configuration',
      'adk-credential/agent/invocation-paused',
      'adk-credential/agent/malformed-answer-survived',
      'adk-credential/agent/no-exchange-after-error',
      'adk-credential/agent/other-tools-unaffected',
      'adk-credential/agent/request-before-result',
      'adk-credential/agent/request-carries-auth-config',
      'adk-credential/agent/request-long-running',
      'adk-credential/agent/request-names-paused-call',
      'adk-credential/agent/several-requests-distinct',
      'adk-credential/agent/state-from-own-record',
      'oauth-client/authorization-request-valid',
      'oauth-client/code-bound-to-flow',
      'oauth-client/code-used-once',
      'oauth-client/exchange-code',
      'oauth-client/ignore-forged-callback',
      'oauth-client/minimum-scopes',
      'oauth-client/pkce-s256',
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
      'oauth-client/request-scopes',
      'oauth-client/state-single-use',
      'oauth-client/state-unpredictable',
      'oauth-client/validate-issuer',
      'oauth-client/validate-state',
    ),
  },
  'code-redeemed-twice': {
    turns: ['oauth-client/code-used-once'],
    unproven: [
      'adk-credential/agent/credential-of-its-key',
      'adk-credential/agent/credential-shared-by-key',
      'adk-credential/agent/replay-runs-no-tool',
      'oauth-client/complete-call',
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
      'oauth-client/token-bound-to-user',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'result-made-up': {
    turns: ['oauth-client/reauthorize-when-token-invalid', 'oauth-client/retry-operation'],
    unproven: [
      'oauth-client/no-token-elsewhere',
      'adk-credential/agent/credential-of-its-key',
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'oauth-client/verify-api-certificate',
      'adk-credential/agent/refused-token-not-repeated',
      'adk-credential/agent/credential-shared-by-key',
      'adk-credential/agent/replay-runs-no-tool',
      'oauth-client/accept-valid-token-response',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
      'oauth-client/never-permanently-pending',
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
      'oauth-client/token-bound-to-user',
      'oauth-client/token-in-header',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'retry-failure-crashes': {
    turns: ['oauth-client/end-when-retry-fails', 'oauth-client/never-permanently-pending'],
    unproven: ['oauth-client/verify-api-certificate'],
  },
  'first-token-for-ever': {
    turns: ['oauth-client/complete-call'],
    unproven: ['adk-credential/agent/credential-of-its-key', 'oauth-client/reuse-stored-token'],
  },
  'second-consent-crashes': {
    turns: [
      'adk-credential/agent/call-replayed',
      'adk-credential/agent/several-requests-distinct',
      'oauth-client/complete-call',
    ],
    unproven: [
      'adk-credential/agent/credential-of-its-key',
      'oauth-client/retry-operation',
      'oauth-client/reuse-stored-token',
    ],
  },
  'token-in-query': { turns: ['oauth-client/token-in-header'] },
  'owners-cut-short': { turns: ['oauth-client/token-bound-to-user'] },
  'token-of-newest-user': {
    turns: ['adk-credential/agent/credential-of-its-key', 'oauth-client/token-bound-to-user'],
  },
  'credentials-kept-by-user': {
    turns: ['adk-credential/agent/credential-of-its-key'],
    // No later flow of its own begins.
    unproven: ['oauth-client/validate-state'],
  },
  'credential-of-newest-key': { turns: ['adk-credential/agent/credential-of-its-key'] },
  'credentials-not-kept': {
    turns: [
      'adk-credential/agent/credential-shared-by-key',
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
    ],
    unproven: [
      'oauth-client/verify-provider-certificate',
      'oauth-client/no-credentials-elsewhere',
      'adk-credential/agent/credential-of-its-key',
      'oauth-client/verify-api-certificate',
      'adk-credential/agent/refused-token-not-repeated',
      'adk-credential/agent/leeway',
      'oauth-client/never-permanently-pending',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'credentials-forgotten-at-restart': {
    turns: ['oauth-client/store-durably'],
    unproven: ['oauth-client/use-rotated-refresh-token'],
  },
  'first-credential-after-restart': { turns: ['oauth-client/token-bound-to-user'] },
  'credentials-in-the-clear': { turns: ['oauth-client/encrypt-at-rest'] },
  'refresh-not-used': {
    turns: [
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
    ],
    unproven: [
      'oauth-client/verify-provider-certificate',
      'oauth-client/no-credentials-elsewhere',
      'adk-credential/agent/leeway',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'no-leeway': { turns: ['adk-credential/agent/leeway'] },
  'refresh-token-forgotten-unless-replaced': { turns: ['oauth-client/refresh-expired-token'] },
  'api-redirect-followed': { turns: ['oauth-client/no-token-elsewhere'] },
  'rotated-refresh-token-ignored': {
    turns: ['oauth-client/store-durably', 'oauth-client/use-rotated-refresh-token'],
  },
  'refresh-token-in-query': {
    turns: [
      'oauth-client/no-secret-in-request-url',
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/refresh-expired-token',
    ],
    unproven: ['oauth-client/complete-call', 'oauth-client/reuse-stored-token'],
  },
  'refreshes-at-once': {
    turns: ['oauth-client/reuse-stored-token', 'oauth-client/use-rotated-refresh-token'],
  },
  'refused-token-is-the-end': {
    turns: [
      'adk-credential/agent/leeway',
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/refresh-expired-token',
    ],
    unproven: [
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/complete-call',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'token-in-result': {
    turns: [
      'adk-credential/agent/secrets-not-to-model',
      'oauth-client/no-secrets-in-output',
      'oauth-client/no-secrets-in-results',
    ],
  },
  'token-to-model': { turns: ['adk-credential/agent/secrets-not-to-model'] },
  'token-in-session-state': {
    turns: [
      'adk-credential/agent/state-without-tokens',
      'oauth-client/no-secrets-in-output',
      'oauth-client/no-secrets-in-results',
    ],
  },
  'token-logged': { turns: ['oauth-client/no-secrets-in-logs'] },
}
