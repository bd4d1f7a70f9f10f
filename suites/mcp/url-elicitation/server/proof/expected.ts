/**
 * What each defect of the reference server must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../../tests/proof/role.ts'
import { urlElicitationServer } from '../profile.ts'

/** Where a defect ends nearly every flow, what can still be judged is the shorter list. */
const allBut = (...proven: readonly string[]): readonly string[] =>
  judgedBut(urlElicitationServer, proven)

/** What can be judged of those that never ask by a usable link. */
const withoutLink = [
  'mcp-url-elicitation/server/clean-url',
  'mcp-url-elicitation/server/credentials-off-wire',
  'mcp-url-elicitation/server/error-valid',
  'mcp-url-elicitation/server/https',
  'mcp-url-elicitation/server/no-links-in-forms',
  'mcp-url-elicitation/server/no-passthrough',
  'mcp-url-elicitation/server/no-secrets-by-form',
  'mcp-url-elicitation/server/request-valid',
  'mcp-url-elicitation/server/state-bound',
  'mcp-url-elicitation/server/state-integrity',
  'mcp-url-elicitation/server/stdout-only-messages',
  'oauth-client/encrypt-at-rest',
  'oauth-client/no-client-secret-in-output',
  'oauth-client/no-foreign-resources-on-callback-page',
  'oauth-client/no-secret-in-auth-url',
  'oauth-client/no-secret-in-request-url',
  'oauth-client/no-secrets-in-logs',
  'oauth-client/no-secrets-in-output',
  'oauth-client/no-secrets-in-results',
]

/** What takes a request for input that can be read, on revision 2026-07-28. */
const withInput = [
  'mcp-url-elicitation/server/accept-is-not-done',
  'mcp-url-elicitation/server/ask-again',
  'mcp-url-elicitation/server/end-after-refusal',
  'mcp-url-elicitation/server/gate-mode',
  'mcp-url-elicitation/server/removed-features',
  'mcp-url-elicitation/server/state-bound',
  'mcp-url-elicitation/server/state-for-its-request',
  'mcp-url-elicitation/server/state-integrity',
]

/** What takes a token to be judged. */
const withToken = [
  'oauth-client/no-token-elsewhere',
  'mcp-url-elicitation/server/accept-is-not-done',
  'mcp-url-elicitation/server/complete-after',
  'mcp-url-elicitation/server/complete-id',
  'mcp-url-elicitation/server/complete-to-initiator',
  'mcp-url-elicitation/server/error-only-when-needed',
  'mcp-url-elicitation/server/no-passthrough',
  'mcp-url-elicitation/server/not-by-session-alone',
  'mcp-url-elicitation/server/removed-features',
  'mcp-url-elicitation/server/state-bound',
  'mcp-url-elicitation/server/state-for-its-request',
  'mcp-url-elicitation/server/state-integrity',
  'oauth-client/accept-valid-token-response',
  'oauth-client/complete-call',
  'oauth-client/end-when-retry-fails',
  'oauth-client/forged-callback-keeps-call',
  'oauth-client/never-permanently-pending',
  'oauth-client/no-token-of-error',
  'oauth-client/reauthorize-when-token-invalid',
  'oauth-client/refresh-expired-token',
  'oauth-client/retry-operation',
  'oauth-client/reuse-stored-token',
  'oauth-client/store-durably',
  'oauth-client/token-bound-to-user',
  'oauth-client/token-in-header',
  'oauth-client/token-is-text',
  'oauth-client/token-type-known',
  'oauth-client/use-rotated-refresh-token',
]

export const expected: Readonly<Record<string, Expectation>> = {
  'url-mode-undeclared': {
    turns: ['mcp-url-elicitation/server/gate-mode'],
  },
  'url-mode-of-the-latest-client': { turns: ['mcp-url-elicitation/server/gate-mode'] },
  'url-mode-of-any-client-before': { turns: ['mcp-url-elicitation/server/gate-mode'] },
  'url-mode-of-any-request-before-in-2026': { turns: ['mcp-url-elicitation/server/gate-mode'] },
  'url-mode-undeclared-in-2026': {
    turns: ['mcp-url-elicitation/server/gate-mode'],
  },
  'url-mode-to-form-clients': {
    turns: ['mcp-url-elicitation/server/gate-mode'],
  },
  'required-error-undeclared': {
    turns: ['mcp-url-elicitation/server/gate-mode'],
    unproven: ['mcp-url-elicitation/server/bind-requests'],
    varies: [
      'mcp-url-elicitation/server/state-for-its-request',
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
    ],
  },
  'form-undeclared-in-2026': { turns: ['mcp-url-elicitation/server/gate-mode'] },
  'roots-undeclared-in-2026': { turns: ['mcp-url-elicitation/server/gate-mode'] },
  'request-without-mode': {
    turns: ['mcp-url-elicitation/server/request-valid'],
    unproven: allBut(
      ...withoutLink,
      'mcp-url-elicitation/server/state-for-its-request',
      'mcp-url-elicitation/server/ask-again',
    ),
  },
  'request-without-message': {
    turns: ['mcp-url-elicitation/server/request-valid'],
  },
  'request-without-id': {
    turns: ['mcp-url-elicitation/server/complete-id', 'mcp-url-elicitation/server/request-valid'],
  },
  'request-url-with-a-blank': { turns: ['mcp-url-elicitation/server/request-valid'] },
  'request-with-relative-url': {
    turns: ['mcp-url-elicitation/server/request-valid'],
    unproven: allBut(
      ...withoutLink,
      'mcp-url-elicitation/server/state-for-its-request',
      'mcp-url-elicitation/server/ask-again',
    ),
  },
  'elicitation-id-constant': {
    turns: ['mcp-url-elicitation/server/complete-id', 'mcp-url-elicitation/server/request-valid'],
  },
  'input-request-without-message': {
    turns: ['mcp-url-elicitation/server/request-valid'],
  },
  'input-request-of-unknown-method': {
    turns: ['mcp-url-elicitation/server/input-required-valid'],
    unproven: withInput,
  },
  'input-required-unsaid': {
    turns: ['mcp-url-elicitation/server/input-required-valid'],
    unproven: withInput,
  },
  'input-required-empty': {
    turns: ['mcp-url-elicitation/server/input-required-valid'],
    unproven: withInput,
  },
  'required-error-in-2026': {
    turns: ['mcp-url-elicitation/server/removed-features'],
    unproven: [
      'mcp-url-elicitation/server/state-for-its-request',
      'mcp-url-elicitation/server/end-after-refusal',
      'mcp-url-elicitation/server/input-required-valid',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ],
  },
  'required-error-empty': {
    turns: ['mcp-url-elicitation/server/error-valid'],
    unproven: allBut(
      ...withoutLink,
      'mcp-url-elicitation/server/ask-again',
      'mcp-url-elicitation/server/state-for-its-request',
    ),
  },
  'required-error-of-form-mode': {
    turns: ['mcp-url-elicitation/server/error-valid', 'mcp-url-elicitation/server/gate-mode'],
    unproven: allBut(
      ...withoutLink,
      'mcp-url-elicitation/server/gate-mode',
      'mcp-url-elicitation/server/state-for-its-request',
      'mcp-url-elicitation/server/ask-again',
    ),
  },
  'required-error-without-ids': {
    turns: ['mcp-url-elicitation/server/error-valid', 'mcp-url-elicitation/server/request-valid'],
    unproven: [
      'mcp-url-elicitation/server/declined-link-dead',

      'mcp-url-elicitation/server/handle-refusal',
    ],
  },
  'required-error-though-authorized': {
    turns: ['oauth-client/store-durably', 'mcp-url-elicitation/server/error-only-when-needed'],
    unproven: [
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/complete-call',
      'oauth-client/never-permanently-pending',
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/state-single-use',
      'oauth-client/token-bound-to-user',
      'oauth-client/use-rotated-refresh-token',
      'oauth-client/validate-state',
      'mcp-url-elicitation/server/complete-id',
      'mcp-url-elicitation/server/complete-to-initiator',
      'mcp-url-elicitation/server/not-by-session-alone',
      'mcp-url-elicitation/server/bind-requests',
      'mcp-url-elicitation/server/complete-after',
      'mcp-url-elicitation/server/not-for-itself',
      'mcp-url-elicitation/server/validate-tokens',
    ],
    varies: [
      'mcp-url-elicitation/server/state-for-its-request',
      'oauth-client/forged-callback-keeps-call',
    ],
  },
  'asked-whenever-the-api-fails': {
    turns: ['mcp-url-elicitation/server/error-only-when-needed'],
  },
  'form-undeclared': { turns: ['mcp-url-elicitation/server/gate-mode'] },
  'password-by-form': {
    turns: [
      'mcp-url-elicitation/server/gate-mode',
      'mcp-url-elicitation/server/no-secrets-by-form',
    ],
  },
  'token-by-form': {
    turns: [
      'mcp-url-elicitation/server/gate-mode',
      'mcp-url-elicitation/server/no-secrets-by-form',
    ],
  },
  'link-by-form': {
    turns: ['mcp-url-elicitation/server/gate-mode', 'mcp-url-elicitation/server/no-links-in-forms'],
  },
  'accept-taken-for-done': {
    turns: [
      'mcp-url-elicitation/server/accept-is-not-done',
      'mcp-url-elicitation/server/complete-after',
    ],
    unproven: allBut(
      'mcp-url-elicitation/server/ask-again',
      'mcp-url-elicitation/server/state-for-its-request',
      'mcp-url-elicitation/server/stdout-only-messages',
      'mcp-url-elicitation/server/accept-is-not-done',
      'mcp-url-elicitation/server/clean-url',
      'mcp-url-elicitation/server/complete-after',
      'mcp-url-elicitation/server/credentials-off-wire',
      'mcp-url-elicitation/server/error-valid',
      'mcp-url-elicitation/server/https',
      'mcp-url-elicitation/server/no-links-in-forms',
      'mcp-url-elicitation/server/no-passthrough',
      'mcp-url-elicitation/server/no-secrets-by-form',
      'mcp-url-elicitation/server/request-valid',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
      // On 2026-07-28 the link works until the retry, so that tokens are issued all the same.
      'oauth-client/encrypt-at-rest',
      'oauth-client/no-client-secret-in-output',
      'oauth-client/no-foreign-resources-on-callback-page',
      'oauth-client/no-secret-in-auth-url',
      'oauth-client/no-secret-in-request-url',
      'oauth-client/no-secrets-in-logs',
      'oauth-client/no-secrets-in-output',
      'oauth-client/no-secrets-in-results',
    ),
  },
  'declined-link-works': { turns: ['mcp-url-elicitation/server/declined-link-dead'] },
  'cancelled-link-works': { turns: ['mcp-url-elicitation/server/declined-link-dead'] },
  'failed-link-works': { turns: ['mcp-url-elicitation/server/declined-link-dead'] },
  'declined-flow-goes-on': { turns: ['mcp-url-elicitation/server/declined-link-dead'] },
  'pending-requests-of-the-user': { turns: ['mcp-url-elicitation/server/bind-requests'] },
  'pending-requests-shared': { turns: ['mcp-url-elicitation/server/bind-requests'] },
  'session-open-to-other-users': { turns: ['mcp-url-elicitation/server/bind-requests'] },
  'complete-at-opening': {
    turns: [
      'mcp-url-elicitation/server/complete-after',
      'oauth-client/exchange-code',
      'oauth-client/handle-callback',
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
    ],
    unproven: [
      'oauth-client/no-token-elsewhere',
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'mcp-url-elicitation/server/accept-is-not-done',
      'mcp-url-elicitation/server/complete-id',
      'mcp-url-elicitation/server/complete-to-initiator',
      'mcp-url-elicitation/server/error-only-when-needed',
      'mcp-url-elicitation/server/no-passthrough',
      'mcp-url-elicitation/server/not-by-session-alone',
      'mcp-url-elicitation/server/removed-features',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-for-its-request',
      'mcp-url-elicitation/server/state-integrity',
      'oauth-client/accept-valid-token-response',
      'oauth-client/code-used-once',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/never-permanently-pending',
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/pkce-s256',
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/refresh-expired-token',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
      'oauth-client/retry-operation',
      'oauth-client/reuse-stored-token',
      'oauth-client/state-single-use',
      'oauth-client/store-durably',
      'oauth-client/token-bound-to-user',
      'oauth-client/token-in-header',
      'oauth-client/use-rotated-refresh-token',
    ],
    varies: ['mcp-url-elicitation/server/bind-requests'],
  },
  'complete-of-nothing-too': { turns: ['mcp-url-elicitation/server/complete-id'] },
  'audience-ignored': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'audience-of-the-api-taken': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'audience-compared-by-prefix': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'token-not-verified': {
    turns: ['mcp-url-elicitation/server/validate-tokens'],
    configuration: { provider: { tokenFormat: 'jwt' } },
  },
  'introspection-kept-for-ever': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'session-stands-for-token': { turns: ['mcp-url-elicitation/server/not-for-itself'] },
  'no-token-asked-of-listeners': { turns: ['mcp-url-elicitation/server/not-for-itself'] },
  'token-read-unverified-in-sessions': {
    turns: ['mcp-url-elicitation/server/validate-tokens'],
    configuration: { provider: { tokenFormat: 'jwt' } },
  },
  'token-issuer-not-compared': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'token-of-any-issuer': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'public-key-as-secret': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'key-of-the-header': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'certificate-of-the-header': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'keys-where-the-header-says': { turns: ['mcp-url-elicitation/server/validate-tokens'] },
  'request-state-of-any-call': { turns: ['mcp-url-elicitation/server/state-for-its-request'] },
  'denied-state-reusable': {
    turns: ['mcp-url-elicitation/server/declined-link-dead', 'oauth-client/state-single-use'],
  },
  'banner-on-stdout': {
    turns: ['mcp-url-elicitation/server/stdout-only-messages'],
    // Nobody has a token there, or logs in, and every user has a process of their own.
    unproven: [
      'oauth-client/no-credentials-elsewhere',
      'mcp-url-elicitation/server/bind-requests',
      'mcp-url-elicitation/server/no-passthrough',
      'mcp-url-elicitation/server/not-by-session-alone',
      'mcp-url-elicitation/server/not-for-itself',
      'mcp-url-elicitation/server/not-preauthenticated',
      'mcp-url-elicitation/server/same-user',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/validate-tokens',
      'oauth-client/complete-call',
      'oauth-client/escape-pages',
      'oauth-client/never-permanently-pending',
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/refresh-expired-token',
      'oauth-client/retry-operation',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
      'oauth-client/token-bound-to-user',
      'oauth-client/use-rotated-refresh-token',
      'mcp-url-elicitation/server/error-only-when-needed',
    ],
    configuration: {
      target: { transport: 'stdio', authorization: false, env: { TRANSPORT: 'stdio' } },
    },
  },
  'decline-ignored': {
    turns: [
      'mcp-url-elicitation/server/end-after-refusal',
      'mcp-url-elicitation/server/handle-refusal',
    ],
  },
  'cancel-ignored': {
    turns: [
      'mcp-url-elicitation/server/end-after-refusal',
      'mcp-url-elicitation/server/handle-refusal',
    ],
  },
  'refused-call-hangs': {
    turns: ['mcp-url-elicitation/server/handle-refusal'],
  },
  'asked-until-accepted': {
    turns: ['mcp-url-elicitation/server/handle-refusal'],
  },
  'client-error-ignored': {
    turns: ['mcp-url-elicitation/server/handle-refusal'],
  },
  'complete-at-acceptance': {
    turns: ['mcp-url-elicitation/server/complete-after'],
  },
  'complete-to-all-sessions': {
    turns: [
      'mcp-url-elicitation/server/complete-id',
      'mcp-url-elicitation/server/complete-to-initiator',
    ],
  },
  'complete-to-every-client-of-the-user': {
    turns: ['mcp-url-elicitation/server/complete-to-initiator'],
  },
  'complete-to-the-newest-client-of-the-user': {
    turns: ['mcp-url-elicitation/server/complete-to-initiator'],
  },
  'complete-to-all-who-wait': { turns: ['mcp-url-elicitation/server/complete-after'] },
  'complete-without-id': {
    turns: ['mcp-url-elicitation/server/complete-id'],
  },
  'complete-with-another-id': {
    turns: ['mcp-url-elicitation/server/complete-id'],
  },
  'denial-is-an-empty-list': {
    turns: ['mcp-url-elicitation/server/accept-is-not-done', 'oauth-client/report-denial'],
  },
  'waiting-is-an-empty-list': {
    turns: ['mcp-url-elicitation/server/accept-is-not-done'],
  },
  'agreed-is-an-empty-list': {
    turns: ['mcp-url-elicitation/server/accept-is-not-done'],
    unproven: [
      'oauth-client/no-token-elsewhere',
      'mcp-url-elicitation/server/bind-requests',
      'mcp-url-elicitation/server/declined-link-dead',
      'oauth-client/no-token-of-error',
      'oauth-client/token-is-text',
      'oauth-client/token-type-known',
      'oauth-client/verify-provider-certificate',
      'mcp-url-elicitation/server/complete-after',
      'mcp-url-elicitation/server/complete-id',
      'mcp-url-elicitation/server/complete-to-initiator',
      'mcp-url-elicitation/server/end-after-refusal',
      'mcp-url-elicitation/server/error-only-when-needed',
      'mcp-url-elicitation/server/gate-mode',
      'mcp-url-elicitation/server/handle-refusal',
      'mcp-url-elicitation/server/input-required-valid',
      'mcp-url-elicitation/server/not-by-session-alone',
      'mcp-url-elicitation/server/not-for-itself',
      'mcp-url-elicitation/server/not-preauthenticated',
      'mcp-url-elicitation/server/removed-features',
      'mcp-url-elicitation/server/same-user',
      'mcp-url-elicitation/server/validate-tokens',
      'oauth-client/accept-valid-token-response',
      'oauth-client/authorization-request-valid',
      'oauth-client/code-bound-to-flow',
      'oauth-client/code-used-once',
      'oauth-client/complete-call',
      'oauth-client/end-when-retry-fails',
      'oauth-client/escape-pages',
      'oauth-client/exchange-code',
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/handle-callback',
      'oauth-client/ignore-forged-callback',
      'oauth-client/minimum-scopes',
      'oauth-client/never-permanently-pending',
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/pkce-s256',
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/redirect-to-own-endpoint',
      'oauth-client/refresh-expired-token',
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
      'oauth-client/request-scopes',
      'oauth-client/retry-operation',
      'oauth-client/reuse-stored-token',
      'oauth-client/stable-redirect-uri',
      'oauth-client/state-single-use',
      'oauth-client/state-unpredictable',
      'oauth-client/store-durably',
      'oauth-client/token-bound-to-user',
      'oauth-client/token-in-header',
      'oauth-client/use-rotated-refresh-token',
      'oauth-client/validate-issuer',
      'oauth-client/validate-state',
    ],
  },
  'states-come-again': { turns: ['oauth-client/state-unpredictable'] },
  'missing-input-refused': {
    turns: ['mcp-url-elicitation/server/ask-again'],
  },
  'link-without-tls': {
    turns: ['mcp-url-elicitation/server/https'],
    unproven: allBut(
      ...withoutLink,
      'mcp-url-elicitation/server/state-for-its-request',
      'mcp-url-elicitation/server/ask-again',
    ),
  },
  'served-without-token': {
    turns: ['mcp-url-elicitation/server/not-for-itself'],
  },
  'session-is-identity': {
    turns: [
      'oauth-client/token-bound-to-user',
      'mcp-url-elicitation/server/bind-requests',
      'mcp-url-elicitation/server/not-by-session-alone',
    ],
  },
  'session-is-identity-in-an-older-revision': {
    turns: [
      'oauth-client/token-bound-to-user',
      'mcp-url-elicitation/server/bind-requests',
      'mcp-url-elicitation/server/not-by-session-alone',
    ],
  },
  'client-token-upstream': {
    turns: ['mcp-url-elicitation/server/no-passthrough'],
  },
  'stranger-accepted': {
    turns: [
      'mcp-url-elicitation/server/not-preauthenticated',
      'mcp-url-elicitation/server/same-user',
    ],
  },
  'stranger-accepted-the-second-time': {
    turns: [
      'mcp-url-elicitation/server/not-preauthenticated',
      'mcp-url-elicitation/server/same-user',
    ],
  },
  'flow-cookie-strict': {
    turns: [
      'oauth-client/exchange-code',
      'oauth-client/handle-callback',
      'oauth-client/report-authorization-error',
      'oauth-client/report-denial',
    ],
    unproven: [
      ...withToken,
      'oauth-client/code-used-once',
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/pkce-s256',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
      'oauth-client/state-single-use',
      'oauth-client/verify-provider-certificate',
    ],
  },
  'flow-of-any-browser': { turns: ['mcp-url-elicitation/server/same-user'] },
  'login-cookie-is-the-user': { turns: ['mcp-url-elicitation/server/same-user'] },
  'login-of-any-browser': { turns: ['mcp-url-elicitation/server/same-user'] },
  'login-not-asked': {
    turns: [
      'mcp-url-elicitation/server/not-preauthenticated',
      'mcp-url-elicitation/server/same-user',
    ],
  },
  'link-logs-in': {
    turns: [
      'mcp-url-elicitation/server/clean-url',
      'mcp-url-elicitation/server/not-preauthenticated',
      'mcp-url-elicitation/server/same-user',
    ],
  },
  'account-encoded-in-url': { turns: ['mcp-url-elicitation/server/clean-url'] },
  'user-in-url': {
    turns: ['mcp-url-elicitation/server/clean-url'],
  },
  'client-token-in-url': {
    turns: [
      'oauth-client/no-secrets-in-output',
      'oauth-client/no-secret-in-auth-url',
      'mcp-url-elicitation/server/clean-url',
    ],
  },
  'client-secret-in-url': {
    turns: [
      'oauth-client/no-client-secret-in-output',
      'oauth-client/no-secret-in-auth-url',
      'mcp-url-elicitation/server/clean-url',
      'mcp-url-elicitation/server/credentials-off-wire',
    ],
  },
  'request-state-unsigned': {
    turns: [
      'oauth-client/token-bound-to-user',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ],
  },
  'request-state-plain-json': {
    turns: [
      'oauth-client/token-bound-to-user',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ],
  },
  'request-state-of-any-user': {
    turns: ['oauth-client/token-bound-to-user', 'mcp-url-elicitation/server/state-bound'],
  },
  'request-state-altered-accepted': {
    turns: [
      'oauth-client/token-bound-to-user',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ],
  },
  'request-state-signed-where-it-says-so': {
    turns: ['oauth-client/token-bound-to-user', 'mcp-url-elicitation/server/state-integrity'],
  },
  'token-in-result': {
    turns: [
      'oauth-client/no-secrets-in-results',
      'mcp-url-elicitation/server/credentials-off-wire',
    ],
  },
  'token-in-meta': {
    turns: [
      'oauth-client/no-secrets-in-results',
      'mcp-url-elicitation/server/credentials-off-wire',
    ],
  },
  'token-in-complete': {
    turns: ['mcp-url-elicitation/server/credentials-off-wire'],
  },
  'client-secret-in-message': {
    turns: [
      'oauth-client/no-secret-in-auth-url',
      'mcp-url-elicitation/server/credentials-off-wire',
    ],
  },
  'verifier-in-result': {
    turns: [
      'oauth-client/no-client-secret-in-output',
      'mcp-url-elicitation/server/credentials-off-wire',
    ],
  },
  'error-quotes-callback': {
    turns: [
      'oauth-client/no-secrets-in-results',
      'mcp-url-elicitation/server/credentials-off-wire',
    ],
  },
  'pkce-plain': {
    turns: ['oauth-client/no-client-secret-in-output', 'oauth-client/pkce-s256'],
  },
  'more-scopes-than-needed': {
    turns: ['oauth-client/minimum-scopes'],
  },
  'state-counted': {
    turns: ['oauth-client/state-unpredictable'],
    comparedWith: ['refresh-then-restart'],
  },
  'client-secret-in-request': {
    turns: ['oauth-client/no-client-secret-in-output'],
  },
  'issuer-not-compared': {
    turns: ['oauth-client/validate-issuer'],
  },
  'state-reusable': {
    turns: [
      'mcp-url-elicitation/server/declined-link-dead',
      'oauth-client/code-used-once',
      'oauth-client/state-single-use',
    ],
  },
  'state-compared-when-present': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
    ],
  },
  'state-with-more': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
    ],
  },
  'state-in-any-case': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
    ],
  },
  'issuer-missing-accepted': {
    turns: ['oauth-client/validate-issuer'],
  },
  'state-ignored': {
    turns: [
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/state-single-use',
      'oauth-client/validate-state',
    ],
  },
  'code-redeemed-twice': {
    turns: ['oauth-client/code-used-once'],
    unproven: [
      'mcp-url-elicitation/server/accept-is-not-done',
      'mcp-url-elicitation/server/error-only-when-needed',
      'mcp-url-elicitation/server/no-passthrough',
      'mcp-url-elicitation/server/not-by-session-alone',
      'mcp-url-elicitation/server/removed-features',
      'oauth-client/complete-call',
      'oauth-client/never-permanently-pending',
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'exchange-without-redirect-uri': {
    turns: ['oauth-client/exchange-code'],
    unproven: [...withToken, 'oauth-client/no-credentials-elsewhere'],
  },
  'exchange-in-query': {
    turns: ['oauth-client/exchange-code', 'oauth-client/no-secret-in-request-url'],
    unproven: [...withToken, 'oauth-client/no-credentials-elsewhere'],
  },
  'tokens-in-the-clear': {
    turns: ['oauth-client/encrypt-at-rest'],
  },
  'tokens-forgotten-at-restart': {
    turns: ['oauth-client/store-durably'],
    unproven: ['oauth-client/use-rotated-refresh-token'],
  },
  'expiry-ignored': {
    turns: [
      'oauth-client/reauthorize-when-token-invalid',
      'oauth-client/refresh-expired-token',
      'oauth-client/store-durably',
    ],
    unproven: [
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/complete-call',
      'oauth-client/reuse-stored-token',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'refresh-not-used': {
    turns: [
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
    ],
    unproven: ['oauth-client/no-credentials-elsewhere', 'oauth-client/use-rotated-refresh-token'],
  },
  'refresh-token-forgotten-unless-replaced': { turns: ['oauth-client/refresh-expired-token'] },
  'api-redirect-followed': { turns: ['oauth-client/no-token-elsewhere'] },
  'rotated-refresh-token-ignored': {
    turns: ['oauth-client/store-durably', 'oauth-client/use-rotated-refresh-token'],
  },
  'revoked-access-not-renewed': {
    turns: ['oauth-client/reauthorize-when-token-invalid'],
    unproven: ['oauth-client/complete-call', 'oauth-client/reuse-stored-token'],
  },
  'token-in-log': {
    turns: ['oauth-client/no-secrets-in-logs'],
  },
  'callback-in-log': {
    turns: ['oauth-client/no-secrets-in-logs'],
  },
  'token-in-page': {
    turns: ['oauth-client/no-secrets-in-output'],
  },
  'verifier-constant': {
    turns: ['oauth-client/code-bound-to-flow', 'oauth-client/pkce-s256'],
  },
  'pkce-missing': {
    turns: ['oauth-client/code-bound-to-flow', 'oauth-client/pkce-s256'],
  },
  'font-from-elsewhere': { turns: ['oauth-client/no-foreign-resources-on-callback-page'] },
  'denial-page-unescaped': {
    turns: ['oauth-client/escape-pages'],
  },
  'link-page-unescaped': { turns: ['oauth-client/escape-pages'] },
  'issuer-page-unescaped': { turns: ['oauth-client/escape-pages'] },
  'error-uri-page-unescaped': { turns: ['oauth-client/escape-pages'] },
  'login-page-unescaped': { turns: ['oauth-client/escape-pages'] },
  'token-error-page-unescaped': {
    turns: [
      'oauth-client/escape-pages',
      'oauth-client/no-client-secret-in-output',
      'oauth-client/no-secrets-in-output',
    ],
    // There the description repeats what was sent.
    comparedWith: ['exchange-token-error-echoes-code', 'exchange-token-error-echoes-client-secret'],
  },
  'denial-ignored': {
    turns: ['oauth-client/report-authorization-error', 'oauth-client/report-denial'],
  },
  'owners-cut-short': { turns: ['oauth-client/token-bound-to-user'] },
  'owners-in-any-case': { turns: ['oauth-client/token-bound-to-user'] },
  'exchange-failure-hangs': {
    turns: [
      'oauth-client/never-permanently-pending',
      'oauth-client/report-authorization-error',
      'oauth-client/report-exchange-error',
      'oauth-client/report-invalid-code',
    ],
  },
}
