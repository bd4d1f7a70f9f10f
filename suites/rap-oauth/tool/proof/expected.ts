/**
 * What each defect of the reference tool must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import { rapTool } from '../profile.ts'
import { judgedBut } from '../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../tests/proof/role.ts'

/** What can be judged although nobody ever gets to the provider. */
const withoutVisit = [
  'rap-oauth/tool/callback-is-json-post',
  'rap-oauth/tool/callback-url-verbatim',
  'rap-oauth/tool/detect-before-attempt',
  'rap-oauth/tool/manifest-valid',
  'rap-oauth/tool/no-internals-in-errors',
  'rap-oauth/tool/requires-auth-annotation',
] as const

/** What takes a token to be judged. */
const withToken = [
  'oauth-client/accept-valid-token-response',
  'rap-oauth/tool/acknowledge-immediately',
  'oauth-client/encrypt-at-rest',
  'oauth-client/forged-callback-keeps-call',
  'rap-oauth/tool/isolate-concurrent-calls',
  'oauth-client/never-permanently-pending',
  'oauth-client/no-client-secret-in-output',
  'oauth-client/no-secret-in-auth-url',
  'oauth-client/no-secrets-in-logs',
  'oauth-client/no-secrets-in-output',
  'oauth-client/no-secrets-in-results',
  'oauth-client/reauthorize-when-token-invalid',
  'oauth-client/refresh-expired-token',
  'oauth-client/retry-operation',
  'oauth-client/reuse-stored-token',
  'oauth-client/complete-call',
  'oauth-client/end-when-retry-fails',
  'rap-oauth/tool/report-failed-operation',
  'oauth-client/store-durably',
  'oauth-client/token-bound-to-user',
  'oauth-client/token-in-header',
  'oauth-client/use-rotated-refresh-token',
] as const

/** What takes a code that was exchanged. */
const withExchange = [
  ...withToken,
  'oauth-client/no-secret-in-request-url',
  'oauth-client/no-token-of-error',
  'oauth-client/token-is-text',
  'oauth-client/token-type-known',
  'oauth-client/verify-api-certificate',
  'rap-oauth/tool/cancel-in-thread',
  'rap-oauth/tool/identity-from-invocation',
  'rap-oauth/tool/single-result',
] as const

/** The code of an attacker's flow can be redeemed in that of a victim, who is then served with it. */
const unboundCode = [
  'oauth-client/code-bound-to-flow',
  'oauth-client/pkce-s256',
  'oauth-client/token-bound-to-user',
] as const

/** A flow that failed, and is not told as one. */
const failedFlows = [
  'oauth-client/report-authorization-error',
  'oauth-client/report-denial',
  'oauth-client/report-exchange-error',
  'oauth-client/report-invalid-code',
  'rap-oauth/tool/error-prefix',
] as const

/** The redirect URI of this tool changes from call to call: only such a provider serves it. */
const looseRedirects = { provider: { redirectMatching: 'ignore-query' } }

/** An operation that changes something, with an argument that shows at the API. */
const creation = {
  operation: {
    name: 'create_item',
    arguments: { title: 'Äpfel und Birnen' },
    scopes: ['items:write'],
  },
}

/** Where a defect ends nearly every flow, what is left is the shorter list. */
const allBut = (...proven: readonly string[]): string[] => judgedBut(rapTool, proven)

export const expected: Readonly<Record<string, Expectation>> = {
  'toolset-names-twice': {
    turns: ['rap-oauth/tool/manifest-valid'],
    unproven: ['rap-oauth/tool/requires-auth-annotation'],
  },
  'toolset-name-with-space': {
    turns: ['rap-oauth/tool/manifest-valid'],
    unproven: ['rap-oauth/tool/requires-auth-annotation'],
  },
  'toolset-name-with-semicolon': {
    turns: ['rap-oauth/tool/manifest-valid'],
    unproven: ['rap-oauth/tool/requires-auth-annotation'],
  },
  'toolset-annotation-as-text': {
    turns: ['rap-oauth/tool/manifest-valid'],
    unproven: ['rap-oauth/tool/requires-auth-annotation'],
  },
  'toolset-schema-of-no-type': {
    turns: ['rap-oauth/tool/manifest-valid'],
    unproven: ['rap-oauth/tool/requires-auth-annotation'],
  },
  'toolset-without-requires-auth': { turns: ['rap-oauth/tool/requires-auth-annotation'] },
  'acknowledged-with-202': {
    turns: ['rap-oauth/tool/acknowledge-bad-invocation', 'rap-oauth/tool/acknowledge-with-200'],
  },
  'stored-token-acknowledged-202': { turns: ['rap-oauth/tool/acknowledge-with-200'] },
  'acknowledged-after-the-work': { turns: ['rap-oauth/tool/acknowledge-immediately'] },
  'thread-ancestors-refused': {
    turns: ['rap-oauth/tool/acknowledge-with-200'],
    unproven: [
      'rap-oauth/tool/acknowledge-immediately',
      'rap-oauth/tool/isolate-concurrent-calls',
      'rap-oauth/tool/single-result',
    ],
  },
  'callback-url-used-once': {
    turns: ['rap-oauth/tool/acknowledge-with-200'],
    unproven: ['rap-oauth/tool/isolate-concurrent-calls', 'rap-oauth/tool/single-result'],
  },
  'bad-invocation-dropped': {
    turns: ['rap-oauth/tool/never-drop-invocation'],
    unproven: ['rap-oauth/tool/report-bad-arguments', 'rap-oauth/tool/validate-operation'],
  },
  'call-without-user-id-dropped': {
    turns: ['rap-oauth/tool/never-drop-invocation'],
    unproven: ['oauth-client/token-bound-to-user'],
  },
  'user-beyond-ascii-dropped': {
    turns: ['rap-oauth/tool/never-drop-invocation'],
    unproven: [
      'oauth-client/complete-call',
      'oauth-client/retry-operation',
      'oauth-client/token-bound-to-user',
      'rap-oauth/tool/echo-call-id',
      'rap-oauth/tool/echo-group-id',
      'rap-oauth/tool/echo-id',
    ],
  },
  'bad-arguments-dropped-after-consent': {
    turns: ['rap-oauth/tool/never-drop-invocation'],
    unproven: ['rap-oauth/tool/report-bad-arguments'],
    configuration: creation,
  },
  'arguments-not-validated': {
    turns: ['rap-oauth/tool/report-bad-arguments'],
    configuration: creation,
  },
  'denial-ends-the-thread': { turns: ['rap-oauth/tool/isolate-concurrent-calls'] },
  'unknown-operation-lists': { turns: ['rap-oauth/tool/validate-operation'] },
  'operation-by-its-beginning': { turns: ['rap-oauth/tool/validate-operation'] },
  'bad-invocation-refused': {
    turns: ['rap-oauth/tool/acknowledge-bad-invocation'],
    configuration: creation,
  },
  'ends-on-malformed-json': { turns: ['rap-oauth/tool/survive-malformed-invocation'] },
  'stuck-after-malformed-json': { turns: ['rap-oauth/tool/survive-malformed-invocation'] },
  'asks-in-a-result': {
    turns: ['rap-oauth/tool/send-oauth-message'],
    unproven: allBut(
      'rap-oauth/tool/callback-is-json-post',
      'rap-oauth/tool/callback-url-verbatim',
      'rap-oauth/tool/manifest-valid',
      'rap-oauth/tool/no-internals-in-errors',
      'rap-oauth/tool/requires-auth-annotation',
      'rap-oauth/tool/result-message-valid',
    ),
  },
  'auth-url-misnamed': {
    turns: [
      'rap-oauth/tool/auth-url-complete',
      'rap-oauth/tool/auth-url-https',
      'rap-oauth/tool/oauth-message-valid',
    ],
    unproven: allBut(...withoutVisit),
  },
  'result-content-not-a-list': { turns: ['rap-oauth/tool/result-message-valid'] },
  'result-displayed-as-text': { turns: ['rap-oauth/tool/result-message-valid'] },
  'subscription-as-text': { turns: ['rap-oauth/tool/result-message-valid'] },
  'two-hundred-thousand-lists': {
    turns: ['rap-oauth/tool/oauth-message-valid', 'rap-oauth/tool/result-message-valid'],
  },
  'result-without-text': {
    turns: [
      'rap-oauth/tool/report-failed-operation',
      'rap-oauth/tool/error-prefix',
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
      'rap-oauth/tool/result-message-valid',
    ],
    unproven: ['rap-oauth/tool/error-in-text'],
  },
  'error-without-prefix': { turns: ['rap-oauth/tool/error-prefix'] },
  'failing-api-without-prefix': { turns: ['rap-oauth/tool/error-prefix'] },
  'stack-trace-in-error': { turns: ['rap-oauth/tool/no-internals-in-errors'] },
  'group-id-dropped': {
    turns: ['rap-oauth/tool/echo-group-id', 'rap-oauth/tool/result-message-valid'],
  },
  'group-id-trimmed': { turns: ['rap-oauth/tool/echo-group-id'] },
  'id-normalised': { turns: ['rap-oauth/tool/echo-id'] },
  'group-id-in-ascii': { turns: ['rap-oauth/tool/echo-group-id'] },
  'id-dropped': {
    turns: ['rap-oauth/tool/echo-id', 'rap-oauth/tool/result-message-valid'],
    unproven: [
      'rap-oauth/tool/isolate-concurrent-calls',
      'rap-oauth/tool/single-result',
      'rap-oauth/tool/acknowledge-immediately',
    ],
  },
  'id-made-anew': {
    turns: ['rap-oauth/tool/echo-id', 'rap-oauth/tool/echo-call-id'],
    comparedWith: ['two-calls-of-one-turn'],
    unproven: [
      'rap-oauth/tool/isolate-concurrent-calls',
      'rap-oauth/tool/single-result',
      'rap-oauth/tool/acknowledge-immediately',
    ],
  },
  'ids-cut-at-255': {
    turns: [
      'rap-oauth/tool/echo-call-id',
      'rap-oauth/tool/echo-group-id',
      'rap-oauth/tool/echo-id',
    ],
  },
  'call-id-dropped': { turns: ['rap-oauth/tool/echo-call-id'] },
  'call-id-dropped-in-results': { turns: ['rap-oauth/tool/echo-call-id'] },
  'call-id-dropped-when-empty': { turns: ['rap-oauth/tool/echo-call-id'] },
  'call-id-dropped-when-zero': { turns: ['rap-oauth/tool/echo-call-id'] },
  'call-id-invented': { turns: ['rap-oauth/tool/echo-call-id'] },
  'call-id-as-text-null': { turns: ['rap-oauth/tool/echo-call-id'] },
  'group-of-the-last-call': {
    turns: ['rap-oauth/tool/echo-group-id', 'rap-oauth/tool/isolate-concurrent-calls'],
  },
  'group-of-the-call-before': {
    turns: ['rap-oauth/tool/echo-group-id', 'rap-oauth/tool/isolate-concurrent-calls'],
  },
  'ids-of-the-last-call': {
    turns: [
      'rap-oauth/tool/echo-call-id',
      'rap-oauth/tool/echo-id',
      'rap-oauth/tool/isolate-concurrent-calls',
      'rap-oauth/tool/single-result',
    ],
  },
  'calls-kept-by-id': {
    turns: ['rap-oauth/tool/isolate-concurrent-calls', 'oauth-client/token-bound-to-user'],
  },
  // The other call of the turn gets its own end as well, by the timeout.
  'calls-kept-by-thread-and-user': {
    turns: ['rap-oauth/tool/isolate-concurrent-calls', 'rap-oauth/tool/single-result'],
  },
  // On the URL of another call it is a message without the ids of that call.
  'url-of-the-last-call': {
    turns: [
      'oauth-client/report-denial',
      'oauth-client/token-bound-to-user',
      'rap-oauth/tool/echo-call-id',
      'rap-oauth/tool/echo-group-id',
      'rap-oauth/tool/echo-id',
      'rap-oauth/tool/isolate-concurrent-calls',
    ],
    unproven: ['oauth-client/reuse-stored-token', 'rap-oauth/tool/single-result'],
  },
  'callback-without-content-type': { turns: ['rap-oauth/tool/callback-is-json-post'] },
  'callback-as-plain-text': { turns: ['rap-oauth/tool/callback-is-json-post'] },
  'callback-by-put': { turns: ['rap-oauth/tool/callback-is-json-post'] },
  'callback-url-normalised': { turns: ['rap-oauth/tool/callback-url-verbatim'] },
  'callback-url-decoded': { turns: ['rap-oauth/tool/callback-url-verbatim'] },
  'callback-url-without-query': { turns: ['rap-oauth/tool/callback-url-verbatim'] },
  'callback-never-retried': {
    turns: ['rap-oauth/tool/retry-callback-delivery'],
    unproven: ['rap-oauth/tool/back-off-callback-delivery', 'rap-oauth/tool/single-result'],
  },
  'callback-not-retried-on-503': {
    turns: ['rap-oauth/tool/retry-callback-delivery'],
    unproven: ['rap-oauth/tool/back-off-callback-delivery', 'rap-oauth/tool/single-result'],
  },
  'callback-not-retried-when-cut': {
    turns: ['rap-oauth/tool/retry-callback-delivery'],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'error-not-redelivered': {
    turns: ['rap-oauth/tool/retry-callback-delivery'],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'callback-retried-on-410': { turns: ['rap-oauth/tool/no-callback-retry-on-4xx'] },
  'result-sent-twice': {
    turns: ['rap-oauth/tool/no-callback-retry-on-4xx', 'rap-oauth/tool/single-result'],
  },
  'failure-sent-twice': { turns: ['rap-oauth/tool/single-result'] },
  'pending-timer-not-stopped-by-errors': { turns: ['rap-oauth/tool/single-result'] },
  'retried-twice-at-once': { turns: ['rap-oauth/tool/single-result'] },
  'asks-again-after-failure': { turns: ['rap-oauth/tool/single-result'] },
  'denial-remembered': { turns: ['rap-oauth/tool/send-oauth-message'] },
  'empty-error-text': {
    turns: [
      'rap-oauth/tool/report-failed-operation',
      'rap-oauth/tool/error-prefix',
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
    ],
    unproven: ['rap-oauth/tool/error-in-text'],
  },
  'error-is-an-object': {
    turns: [
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
    ],
  },
  'unknown-error-is-no-answer': { turns: ['oauth-client/report-authorization-error'] },
  'tries-before-asking': { turns: ['rap-oauth/tool/detect-before-attempt'] },
  'auth-url-of-the-completed-call': {
    turns: [
      'oauth-client/complete-call',
      'oauth-client/report-authorization-error',
      'oauth-client/state-unpredictable',
    ],
    unproven: ['oauth-client/reuse-stored-token'],
  },
  'auth-url-relative': {
    turns: ['rap-oauth/tool/auth-url-complete', 'rap-oauth/tool/auth-url-https'],
    unproven: allBut(...withoutVisit, 'rap-oauth/tool/oauth-message-valid'),
  },
  'auth-url-elsewhere': {
    turns: ['rap-oauth/tool/auth-url-complete'],
    unproven: allBut(...withoutVisit, 'rap-oauth/tool/oauth-message-valid'),
  },
  'auth-url-cut': {
    turns: [
      'oauth-client/state-unpredictable',
      'oauth-client/authorization-request-valid',
      'oauth-client/pkce-s256',
      'oauth-client/request-scopes',
    ],
    unproven: allBut(
      ...withoutVisit,
      'rap-oauth/tool/auth-url-complete',
      'rap-oauth/tool/oauth-message-valid',
    ),
  },
  'http-auth-url': {
    turns: ['rap-oauth/tool/auth-url-complete', 'rap-oauth/tool/auth-url-https'],
    unproven: allBut(...withoutVisit, 'rap-oauth/tool/oauth-message-valid'),
  },
  'http-auth-url-for-nobody': {
    turns: ['rap-oauth/tool/auth-url-https'],
    unproven: ['oauth-client/token-bound-to-user'],
  },
  'advertised-http-auth-url': { turns: ['rap-oauth/tool/auth-url-https'] },
  'wrong-client-id': {
    turns: ['oauth-client/authorization-request-valid'],
    unproven: allBut(
      ...withoutVisit,
      'rap-oauth/tool/auth-url-complete',
      'oauth-client/minimum-scopes',
      'rap-oauth/tool/oauth-message-valid',
      'oauth-client/request-scopes',
    ),
  },
  'implicit-grant': {
    turns: ['oauth-client/authorization-request-valid'],
    unproven: allBut(
      ...withoutVisit,
      'rap-oauth/tool/auth-url-complete',
      'oauth-client/minimum-scopes',
      'rap-oauth/tool/oauth-message-valid',
      'oauth-client/redirect-to-own-endpoint',
      'oauth-client/request-scopes',
    ),
  },
  'scope-missing': {
    turns: ['oauth-client/request-scopes'],
    unproven: ['oauth-client/minimum-scopes'],
  },
  'scope-of-another-operation': {
    turns: ['oauth-client/minimum-scopes', 'oauth-client/request-scopes'],
    unproven: [
      'rap-oauth/tool/report-failed-operation',
      'rap-oauth/tool/isolate-concurrent-calls',
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/complete-call',
      'oauth-client/store-durably',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'every-scope': { turns: ['oauth-client/minimum-scopes'] },
  'redirect-to-another-host': {
    turns: ['oauth-client/authorization-request-valid', 'oauth-client/redirect-to-own-endpoint'],
    unproven: allBut(
      ...withoutVisit,
      'rap-oauth/tool/auth-url-complete',
      'oauth-client/minimum-scopes',
      'rap-oauth/tool/oauth-message-valid',
      'oauth-client/request-scopes',
    ),
  },
  'redirect-uri-per-call': {
    turns: ['oauth-client/stable-redirect-uri'],
    configuration: looseRedirects,
  },
  'client-secret-in-auth-url': {
    turns: ['oauth-client/no-client-secret-in-output', 'oauth-client/no-secret-in-auth-url'],
  },
  'token-in-auth-url': {
    turns: ['oauth-client/no-secret-in-auth-url', 'oauth-client/no-secrets-in-output'],
  },
  // Calls of the same id in two threads have one state.
  'state-is-the-call-id': {
    turns: ['oauth-client/state-unpredictable', 'rap-oauth/tool/isolate-concurrent-calls'],
  },
  'state-is-a-hash-of-the-call-id': {
    turns: ['oauth-client/state-unpredictable', 'rap-oauth/tool/isolate-concurrent-calls'],
  },
  'state-is-a-short-hash-of-the-ids': { turns: ['oauth-client/state-unpredictable'] },
  'verifier-is-a-hash-of-the-state': { turns: ['oauth-client/pkce-s256'] },
  'state-is-readable-json': { turns: ['oauth-client/state-unpredictable'] },
  'state-counts': { turns: ['oauth-client/state-unpredictable'] },
  'state-is-an-object-id': { turns: ['oauth-client/state-unpredictable'] },
  'state-is-the-time': { turns: ['oauth-client/state-unpredictable'] },
  'random-alike-in-every-process': {
    turns: ['oauth-client/pkce-s256', 'oauth-client/state-unpredictable'],
    // Another process begins alike.
    comparedWith: ['restart-between-calls'],
  },
  // Plain, the verifier itself stands in the authorization URL.
  'pkce-plain': {
    turns: ['oauth-client/no-client-secret-in-output', 'oauth-client/pkce-s256'],
  },
  'no-pkce': { turns: unboundCode },
  'verifier-not-sent': {
    turns: ['oauth-client/exchange-code', 'oauth-client/pkce-s256'],
    unproven: [
      ...withExchange,
      'oauth-client/no-token-elsewhere',
      'oauth-client/verify-provider-certificate',
    ],
  },
  'verifier-reused': { turns: unboundCode },
  'state-ignored': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/stable-redirect-uri',
      'oauth-client/state-single-use',
      'oauth-client/validate-state',
    ],
    configuration: looseRedirects,
  },
  'state-compared-when-present': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/stable-redirect-uri',
      'oauth-client/validate-state',
    ],
    configuration: looseRedirects,
  },
  'state-ignored-in-errors': {
    turns: ['oauth-client/stable-redirect-uri', 'oauth-client/validate-state'],
    configuration: looseRedirects,
  },
  'state-compared-in-part': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
      'rap-oauth/tool/persist-pending-calls',
    ],
  },
  'state-with-more': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
      'rap-oauth/tool/persist-pending-calls',
    ],
  },
  'state-in-any-case': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
      'rap-oauth/tool/persist-pending-calls',
    ],
  },
  'wrong-state-ends-the-call': {
    turns: ['oauth-client/forged-callback-keeps-call', 'oauth-client/stable-redirect-uri'],
    configuration: looseRedirects,
    varies: ['rap-oauth/tool/isolate-concurrent-calls'],
  },
  'pending-entry-kept': {
    turns: [
      'oauth-client/code-used-once',
      'rap-oauth/tool/single-result',
      'oauth-client/state-single-use',
    ],
  },
  'callback-without-code-approves': { turns: ['oauth-client/ignore-forged-callback'] },
  'late-callback-accepted': { turns: ['rap-oauth/tool/single-result'] },
  'identity-from-the-callback': {
    turns: ['rap-oauth/tool/identity-from-invocation', 'oauth-client/token-bound-to-user'],
  },
  'issuer-compared-at-its-beginning': { turns: ['oauth-client/validate-issuer'] },
  'issuer-not-compared': { turns: ['oauth-client/validate-issuer'] },
  'callback-page-500': { turns: ['oauth-client/handle-callback'] },
  'callback-page-not-found': { turns: ['oauth-client/handle-callback'] },
  'font-from-elsewhere': { turns: ['oauth-client/no-foreign-resources-on-callback-page'] },
  'error-page-unescaped': { turns: ['oauth-client/escape-pages'] },
  'error-uri-linked': { turns: ['oauth-client/escape-pages'] },
  'description-in-an-attribute': { turns: ['oauth-client/escape-pages'] },
  'description-in-a-script': { turns: ['oauth-client/escape-pages'] },
  'state-page-unescaped': { turns: ['oauth-client/escape-pages'] },
  'code-not-exchanged': {
    turns: ['oauth-client/exchange-code'],
    unproven: [
      ...withExchange,
      'oauth-client/code-used-once',
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/no-token-elsewhere',
      'oauth-client/pkce-s256',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
      'oauth-client/state-single-use',
      'oauth-client/verify-provider-certificate',
    ],
  },
  'redirect-uri-differs-at-exchange': {
    turns: ['oauth-client/exchange-code'],
    unproven: [
      ...withExchange,
      'oauth-client/no-token-elsewhere',
      'oauth-client/verify-provider-certificate',
    ],
  },
  'code-decoded-twice': { turns: ['oauth-client/exchange-code'] },
  'code-sent-twice': { turns: ['oauth-client/code-used-once', 'oauth-client/pkce-s256'] },
  'expires-in-demanded': { turns: ['oauth-client/accept-valid-token-response'] },
  'token-type-case-sensitive': { turns: ['oauth-client/accept-valid-token-response'] },
  'token-type-of-two-spellings': { turns: ['oauth-client/accept-valid-token-response'] },
  'token-response-closed': { turns: ['oauth-client/accept-valid-token-response'] },
  'token-status-ignored': { turns: ['oauth-client/no-token-of-error'] },
  'any-token-taken': { turns: ['oauth-client/token-is-text'] },
  'token-type-ignored': { turns: ['oauth-client/token-type-known'] },
  'retry-left-to-the-agent': {
    turns: ['oauth-client/retry-operation', 'rap-oauth/tool/error-prefix'],
    comparedWith: ['stored-token-resource-error-500'],
    unproven: [
      'rap-oauth/tool/report-failed-operation',
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'oauth-client/accept-valid-token-response',
      'oauth-client/never-permanently-pending',
      'oauth-client/refresh-expired-token',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
      'oauth-client/token-in-header',
      'oauth-client/use-rotated-refresh-token',
      'oauth-client/no-token-elsewhere',
      'rap-oauth/tool/isolate-concurrent-calls',
    ],
  },
  'result-before-retry': {
    turns: [
      'oauth-client/complete-call',
      'rap-oauth/tool/single-result',
      'rap-oauth/tool/error-prefix',
    ],
    unproven: [
      'rap-oauth/tool/report-failed-operation',
      'oauth-client/never-permanently-pending',
      'oauth-client/end-when-retry-fails',
      'rap-oauth/tool/isolate-concurrent-calls',
    ],
    varies: [
      'oauth-client/retry-operation',
      'oauth-client/reuse-stored-token',
      'oauth-client/use-rotated-refresh-token',
      'oauth-client/verify-provider-certificate',
      'rap-oauth/tool/acknowledge-immediately',
      'oauth-client/refresh-expired-token',
    ],
  },
  'result-of-retry-lost': {
    turns: [
      'rap-oauth/tool/persist-pending-calls',
      'oauth-client/never-permanently-pending',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
    ],
    unproven: allBut(
      'oauth-client/no-foreign-resources-on-callback-page',
      'oauth-client/no-secret-in-request-url',
      'rap-oauth/tool/error-in-text',
      ...withoutVisit,
      'rap-oauth/tool/auth-url-complete',
      'oauth-client/authorization-request-valid',
      'oauth-client/encrypt-at-rest',
      'rap-oauth/tool/error-prefix',
      'oauth-client/handle-callback',
      'oauth-client/minimum-scopes',
      'oauth-client/no-client-secret-in-output',
      'oauth-client/no-secret-in-auth-url',
      'oauth-client/no-secrets-in-logs',
      'oauth-client/no-secrets-in-output',
      'oauth-client/no-secrets-in-results',
      'rap-oauth/tool/oauth-message-valid',
      'oauth-client/redirect-to-own-endpoint',
      'oauth-client/request-scopes',
      'oauth-client/token-in-header',
    ),
  },
  'cancelled-by-id-alone': { turns: ['rap-oauth/tool/cancel-in-thread'] },
  'cancelled-by-thread-alone': { turns: ['rap-oauth/tool/cancel-in-thread'] },
  'certificate-of-provider-not-checked': { turns: ['oauth-client/verify-provider-certificate'] },
  'name-in-certificate-not-checked': { turns: ['oauth-client/verify-provider-certificate'] },
  'refresh-redirect-followed': { turns: ['oauth-client/no-credentials-elsewhere'] },
  'certificate-not-checked-when-refreshing': {
    turns: ['oauth-client/verify-provider-certificate'],
  },
  'certificate-of-api-not-checked': { turns: ['oauth-client/verify-api-certificate'] },
  'token-in-query': { turns: ['oauth-client/token-in-header'] },
  'retry-without-token': {
    turns: ['oauth-client/retry-operation'],
    unproven: [
      'rap-oauth/tool/report-failed-operation',
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'oauth-client/verify-api-certificate',
      'oauth-client/accept-valid-token-response',
      'rap-oauth/tool/acknowledge-immediately',
      'rap-oauth/tool/isolate-concurrent-calls',
      'oauth-client/never-permanently-pending',
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
      'rap-oauth/tool/single-result',
      'oauth-client/store-durably',
      'oauth-client/token-in-header',
      'oauth-client/use-rotated-refresh-token',
      'oauth-client/no-token-elsewhere',
      'oauth-client/verify-provider-certificate',
    ],
  },
  'broken-after-granting': {
    turns: ['oauth-client/retry-operation'],
    unproven: [
      'rap-oauth/tool/report-failed-operation',
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'oauth-client/accept-valid-token-response',
      'rap-oauth/tool/isolate-concurrent-calls',
      'oauth-client/never-permanently-pending',
      'oauth-client/refresh-expired-token',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
      'oauth-client/token-in-header',
      'oauth-client/use-rotated-refresh-token',
      'oauth-client/no-token-elsewhere',
    ],
  },
  'denial-shown-only': {
    turns: ['oauth-client/report-denial'],
    unproven: [
      'rap-oauth/tool/retry-callback-delivery',
      'rap-oauth/tool/send-oauth-message',
      'rap-oauth/tool/single-result',
    ],
  },
  'first-denial-reported-only': { turns: ['oauth-client/report-denial'] },
  'denial-taken-for-silence': {
    turns: ['oauth-client/report-authorization-error', 'oauth-client/report-denial'],
  },
  'authorization-error-shown-only': {
    turns: ['oauth-client/report-authorization-error'],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'refused-code-swallowed': {
    turns: ['oauth-client/report-exchange-error', 'oauth-client/report-invalid-code'],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'exchange-error-swallowed': {
    turns: [
      'oauth-client/never-permanently-pending',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
    ],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'untrusted-response-swallowed': { turns: ['oauth-client/never-permanently-pending'] },
  'retry-error-swallowed': {
    turns: ['oauth-client/never-permanently-pending', 'oauth-client/end-when-retry-fails'],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'service-awaited-for-ever': {
    turns: ['oauth-client/never-permanently-pending', 'oauth-client/end-when-retry-fails'],
    unproven: [
      'oauth-client/verify-api-certificate',
      'oauth-client/never-permanently-pending',
      'rap-oauth/tool/single-result',
    ],
  },
  'refused-token-tried-for-ever': {
    turns: ['oauth-client/end-when-retry-fails'],
    unproven: [
      'oauth-client/reuse-stored-token',
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/complete-call',
      'rap-oauth/tool/single-result',
    ],
  },
  // ------------------------------------------------------------- restarts, and calls that meet
  'used-states-in-memory': {
    turns: ['rap-oauth/tool/single-result', 'oauth-client/state-single-use'],
  },
  'pending-calls-in-memory': { turns: ['rap-oauth/tool/persist-pending-calls'] },
  'verifiers-in-memory': { turns: ['rap-oauth/tool/persist-pending-calls'] },
  'rotated-tokens-in-memory': {
    turns: ['oauth-client/store-durably', 'oauth-client/use-rotated-refresh-token'],
  },
  'refreshed-by-each-call': {
    turns: ['oauth-client/reuse-stored-token', 'oauth-client/use-rotated-refresh-token'],
  },
  'state-reopened-after-failed-exchange': {
    turns: ['rap-oauth/tool/single-result', 'oauth-client/state-single-use'],
  },
  'user-in-the-redirect-uri': {
    turns: [
      'oauth-client/token-bound-to-user',
      'rap-oauth/tool/identity-from-invocation',
      'oauth-client/stable-redirect-uri',
    ],
    configuration: looseRedirects,
  },
  'issuer-missing-accepted': { turns: ['oauth-client/validate-issuer'] },
  'issuer-ignored-in-errors': { turns: ['oauth-client/validate-issuer'] },
  'state-ignored-in-later-flows': {
    turns: ['oauth-client/stable-redirect-uri', 'oauth-client/validate-state'],
    configuration: looseRedirects,
  },
  'state-of-earlier-flow-taken': { turns: ['oauth-client/state-single-use'] },
  'issuer-compared-once': { turns: ['oauth-client/validate-issuer'] },
  'later-errors-ignored': { turns: ['oauth-client/report-authorization-error'] },
  'user-ids-as-numbers': { turns: ['oauth-client/token-bound-to-user'] },
  'refresh-token-in-query': {
    turns: [
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/no-secret-in-request-url',
      'oauth-client/refresh-expired-token',
    ],
    unproven: ['oauth-client/complete-call', 'oauth-client/reuse-stored-token'],
  },
  'api-failure-made-up': {
    turns: ['rap-oauth/tool/report-failed-operation', 'rap-oauth/tool/error-prefix'],
    comparedWith: ['retry-never-answered'],
  },
  'failed-flow-made-up': { turns: failedFlows },
  'failed-flow-told-as-done': { turns: failedFlows },
  'provider-outage-swallowed': { turns: ['oauth-client/never-permanently-pending'] },
  'failed-refresh-swallowed': {
    turns: ['oauth-client/never-permanently-pending'],
    unproven: ['oauth-client/verify-provider-certificate'],
  },
  'failure-with-stored-token-swallowed': {
    turns: ['oauth-client/never-permanently-pending'],
    unproven: [
      'rap-oauth/tool/report-failed-operation',
      'oauth-client/verify-api-certificate',
      'rap-oauth/tool/single-result',
    ],
  },
  'pending-timer-not-stopped': { turns: ['rap-oauth/tool/single-result'] },
  'arguments-lost-in-the-retry': {
    turns: ['oauth-client/retry-operation'],
    configuration: creation,
  },
  'operation-repeated-after-consent': {
    turns: ['oauth-client/retry-operation'],
    configuration: creation,
  },
  'api-redirect-followed': { turns: ['oauth-client/no-token-elsewhere'] },
  'token-redirect-followed': { turns: ['oauth-client/no-credentials-elsewhere'] },
  'acknowledged-after-a-pushed-request': {
    turns: ['rap-oauth/tool/acknowledge-immediately', 'oauth-client/never-permanently-pending'],
    unproven: ['oauth-client/verify-api-certificate', 'oauth-client/verify-provider-certificate'],
  },
  'acknowledged-after-a-registration': {
    turns: ['rap-oauth/tool/acknowledge-immediately', 'oauth-client/never-permanently-pending'],
    unproven: ['oauth-client/verify-api-certificate', 'oauth-client/verify-provider-certificate'],
  },
  'flow-of-the-thread': {
    turns: [
      'oauth-client/token-bound-to-user',
      'rap-oauth/tool/isolate-concurrent-calls',
      'oauth-client/state-unpredictable',
    ],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'acknowledged-when-a-worker-is-free': { turns: ['rap-oauth/tool/acknowledge-immediately'] },
  'acknowledged-one-after-the-other': {
    turns: ['rap-oauth/tool/acknowledge-immediately'],
    unproven: ['oauth-client/code-bound-to-flow'],
  },
  'acknowledged-after-an-exchange': { turns: ['rap-oauth/tool/acknowledge-immediately'] },
  'acknowledged-after-the-refresh': { turns: ['rap-oauth/tool/acknowledge-immediately'] },
  'verifier-per-user': {
    turns: ['oauth-client/code-bound-to-flow', 'oauth-client/pkce-s256'],
  },
  'verifier-in-the-state-of-a-pushed-request': {
    turns: ['oauth-client/no-client-secret-in-output'],
  },
  'verifier-of-the-last-call': {
    turns: ['oauth-client/code-bound-to-flow', 'rap-oauth/tool/isolate-concurrent-calls'],
  },
  'verifier-in-the-state': { turns: ['oauth-client/no-client-secret-in-output'] },
  'callback-retried-on-conflict': { turns: ['rap-oauth/tool/no-callback-retry-on-4xx'] },
  'callback-retried-on-404-and-429': { turns: ['rap-oauth/tool/no-callback-retry-on-4xx'] },
  'oauth-message-retried-on-410': { turns: ['rap-oauth/tool/no-callback-retry-on-4xx'] },
  'callback-retried-without-backoff': { turns: ['rap-oauth/tool/back-off-callback-delivery'] },
  'error-in-content-only': { turns: ['rap-oauth/tool/error-in-text'] },
  'code-on-a-compressed-page': { turns: ['oauth-client/no-secrets-in-output'] },
  'code-in-a-reason-phrase': { turns: ['oauth-client/no-secrets-in-output'] },
  'abandoned-call-never-ends': {
    turns: ['rap-oauth/tool/persist-pending-calls', 'rap-oauth/tool/documented-timeout'],
    unproven: ['rap-oauth/tool/single-result'],
  },
  'timeout-later-than-declared': {
    turns: ['rap-oauth/tool/persist-pending-calls', 'rap-oauth/tool/documented-timeout'],
  },
  'second-authorization-lost': {
    turns: ['oauth-client/complete-call'],
    unproven: ['oauth-client/reuse-stored-token'],
  },
  'user-of-the-thread': { turns: ['oauth-client/token-bound-to-user'] },
  'user-ids-in-lower-case': { turns: ['oauth-client/token-bound-to-user'] },
  'user-ids-cut-at-128': { turns: ['oauth-client/token-bound-to-user'] },
  'user-ids-cut-at-255': { turns: ['oauth-client/token-bound-to-user'] },
  'user-ids-as-safe-file-names': { turns: ['oauth-client/token-bound-to-user'] },
  'user-ids-without-accents': { turns: ['oauth-client/token-bound-to-user'] },
  'user-ids-without-tags': { turns: ['oauth-client/token-bound-to-user'] },
  'user-ids-in-ascii': { turns: ['oauth-client/token-bound-to-user'] },
  'anonymous-callers-share': { turns: ['oauth-client/token-bound-to-user'] },
  'token-not-stored': {
    turns: [
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
    ],
    unproven: [
      'oauth-client/verify-api-certificate',
      'rap-oauth/tool/acknowledge-immediately',
      'oauth-client/never-permanently-pending',
      'oauth-client/use-rotated-refresh-token',
      'rap-oauth/tool/single-result',
      'oauth-client/verify-provider-certificate',
    ],
  },
  'second-token-not-stored': { turns: ['oauth-client/reuse-stored-token'] },
  'tokens-in-memory': {
    turns: ['oauth-client/store-durably'],
    unproven: ['oauth-client/use-rotated-refresh-token'],
  },
  'user-id-as-file-name': { turns: ['oauth-client/retry-operation'] },
  'tokens-in-plain-text': { turns: ['oauth-client/encrypt-at-rest'] },
  'tokens-compressed': { turns: ['oauth-client/encrypt-at-rest'] },
  'tokens-in-base64': { turns: ['oauth-client/encrypt-at-rest'] },
  'never-refreshes': {
    turns: [
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
    ],
    unproven: [
      'oauth-client/never-permanently-pending',
      'rap-oauth/tool/acknowledge-immediately',
      'oauth-client/use-rotated-refresh-token',
      'oauth-client/verify-provider-certificate',
    ],
  },
  'refreshed-token-not-stored': {
    turns: [
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'refresh-token-forgotten-unless-replaced': { turns: ['oauth-client/refresh-expired-token'] },
  'old-refresh-token-kept': {
    turns: ['oauth-client/store-durably', 'oauth-client/use-rotated-refresh-token'],
  },
  'dead-refresh-token-is-final': {
    turns: ['oauth-client/reauthorize-when-token-invalid'],
    unproven: ['oauth-client/complete-call', 'oauth-client/reuse-stored-token'],
  },
  'refused-token-is-final': {
    turns: ['oauth-client/reauthorize-when-token-invalid'],
    unproven: ['oauth-client/complete-call', 'oauth-client/reuse-stored-token'],
  },
  'token-in-result': { turns: ['oauth-client/no-secrets-in-results'] },
  'token-in-result-base64': { turns: ['oauth-client/no-secrets-in-results'] },
  'token-in-result-hex': { turns: ['oauth-client/no-secrets-in-results'] },
  'token-in-error': { turns: ['oauth-client/no-secrets-in-results'] },
  'refresh-token-in-result': { turns: ['oauth-client/no-secrets-in-results'] },
  'provider-error-in-result': {
    turns: ['oauth-client/no-client-secret-in-output', 'oauth-client/no-secrets-in-results'],
  },
  'service-answer-in-result': { turns: ['oauth-client/no-secrets-in-results'] },
  'code-in-page': { turns: ['oauth-client/no-secrets-in-output'] },
  'code-in-page-header': { turns: ['oauth-client/no-secrets-in-output'] },
  'token-in-callback-header': { turns: ['oauth-client/no-secrets-in-output'] },
  'refresh-token-for-the-api': { turns: ['oauth-client/no-secret-in-request-url'] },
  'client-secret-in-message': { turns: ['oauth-client/no-client-secret-in-output'] },
  'code-in-log': { turns: ['oauth-client/no-secrets-in-logs'] },
  'token-in-log': { turns: ['oauth-client/no-secrets-in-logs'] },
  'token-response-in-log': {
    turns: ['oauth-client/no-client-secret-in-output', 'oauth-client/no-secrets-in-logs'],
  },
  'client-secret-in-log': { turns: ['oauth-client/no-client-secret-in-output'] },
  'verifier-in-log': { turns: ['oauth-client/no-client-secret-in-output'] },
}
