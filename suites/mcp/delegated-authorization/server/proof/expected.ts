/**
 * What each defect of the reference server must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import type { Expectation } from '../../../../../tests/proof/role.ts'

export const expected: Readonly<Record<string, Expectation>> = {
  'asks-everybody': { turns: ['mcp-delegated-authorization/server/gate-capability'] },
  'capability-of-any-session': { turns: ['mcp-delegated-authorization/server/gate-capability'] },
  'capability-of-an-earlier-session': {
    turns: ['mcp-delegated-authorization/server/gate-capability'],
  },
  'errors-of-its-own-hang': { turns: ['mcp-delegated-authorization/server/survive-unsupported'] },
  'hangs-without-capability': { turns: ['mcp-delegated-authorization/server/degrade'] },
  'request-without-message': { turns: ['mcp-delegated-authorization/server/request-valid'] },
  'options-as-text': {
    turns: [
      'mcp-delegated-authorization/server/check-callback-base',
      'mcp-delegated-authorization/server/request-valid',
    ],
  },
  'connect-page': { turns: ['mcp-delegated-authorization/server/url-complete'] },
  'option-not-registered': { turns: ['mcp-delegated-authorization/server/options-registered'] },
  'errors-of-clients-ignored': {
    turns: ['mcp-delegated-authorization/server/survive-unsupported'],
  },
  'knows-one-error': { turns: ['mcp-delegated-authorization/server/survive-unsupported'] },
  'deaf-after-error': { turns: ['mcp-delegated-authorization/server/survive-unsupported'] },
  'client-secret-in-url': {
    turns: [
      'mcp-delegated-authorization/server/secrets-off-wire',
      'oauth-client/no-secret-in-auth-url',
    ],
  },
  'verifier-in-request': { turns: ['mcp-delegated-authorization/server/secrets-off-wire'] },
  'pkce-missing': { turns: ['oauth-client/pkce-s256'] },
  'state-counted': { turns: ['oauth-client/state-unpredictable'] },
  'state-of-the-session': {
    turns: ['oauth-client/state-single-use', 'oauth-client/state-unpredictable'],
    // The state of the other flow is the right one.
    unproven: ['oauth-client/code-bound-to-flow'],
  },
  'flow-kept-for-the-session': {
    turns: ['oauth-client/state-single-use', 'oauth-client/state-unpredictable'],
    unproven: ['oauth-client/code-bound-to-flow', 'oauth-client/complete-call'],
    comparedWith: ['grant-revoked'],
  },
  'more-scopes-than-needed': { turns: ['oauth-client/minimum-scopes'] },
  'declined-call-hangs': { turns: ['mcp-delegated-authorization/server/declined-no-exchange'] },
  'denied-call-hangs': { turns: ['oauth-client/report-denial'] },
  'asks-until-granted': {
    turns: [
      'mcp-delegated-authorization/server/declined-no-exchange',
      'oauth-client/report-denial',
    ],
  },
  'errors-of-the-provider-hang': { turns: ['oauth-client/report-authorization-error'] },
  'refusals-as-empty-lists': {
    turns: [
      'mcp-delegated-authorization/server/declined-no-exchange',
      'mcp-delegated-authorization/server/survive-unsupported',
      'oauth-client/report-denial',
    ],
  },
  'mismatched-callback-hangs': { turns: ['oauth-client/never-permanently-pending'] },
  'wrong-issuer-hangs': { turns: ['oauth-client/never-permanently-pending'] },
  'unreadable-callback-hangs': { turns: ['oauth-client/never-permanently-pending'] },
  'callback-elsewhere-hangs': { turns: ['oauth-client/never-permanently-pending'] },
  'callback-in-any-case': {
    turns: ['mcp-delegated-authorization/server/refuse-unregistered'],
    unproven: ['mcp-delegated-authorization/server/check-callback-base'],
  },
  'callback-by-host-and-path': {
    turns: ['mcp-delegated-authorization/server/refuse-unregistered'],
    unproven: ['mcp-delegated-authorization/server/check-callback-base'],
  },
  'one-flow-per-session': { turns: ['oauth-client/complete-call'] },
  'callback-anywhere': {
    turns: ['mcp-delegated-authorization/server/refuse-unregistered'],
    unproven: ['mcp-delegated-authorization/server/check-callback-base'],
  },
  'callback-of-the-same-origin': {
    turns: ['mcp-delegated-authorization/server/refuse-unregistered'],
    unproven: ['mcp-delegated-authorization/server/check-callback-base'],
  },
  'callback-that-begins-alike': {
    turns: ['mcp-delegated-authorization/server/refuse-unregistered'],
    unproven: ['mcp-delegated-authorization/server/check-callback-base'],
  },
  'localhost-for-loopback': {
    turns: ['mcp-delegated-authorization/server/refuse-unregistered'],
    unproven: ['mcp-delegated-authorization/server/check-callback-base'],
  },
  'callback-anywhere-without-options': {
    turns: ['mcp-delegated-authorization/server/check-callback-base'],
  },
  'own-redirect-uri-repeated': { turns: ['mcp-delegated-authorization/server/redeem-selected'] },
  'flows-by-state': {
    turns: ['mcp-delegated-authorization/server/bind-session', 'oauth-client/token-bound-to-user'],
  },
  'callback-goes-by-state': {
    turns: [
      'mcp-delegated-authorization/server/bind-session',
      'oauth-client/code-bound-to-flow',
      'oauth-client/pkce-s256',
      'oauth-client/token-bound-to-user',
    ],
  },
  'state-ignored': {
    turns: [
      'oauth-client/ignore-forged-callback',
      'oauth-client/state-single-use',
      'oauth-client/validate-state',
    ],
  },
  'state-ignored-after-denial': { turns: ['oauth-client/validate-state'] },
  'state-ignored-at-options': {
    turns: ['oauth-client/ignore-forged-callback', 'oauth-client/validate-state'],
  },
  'state-compared-when-present': {
    turns: ['oauth-client/ignore-forged-callback', 'oauth-client/validate-state'],
  },
  'state-with-more': {
    turns: ['oauth-client/ignore-forged-callback', 'oauth-client/validate-state'],
  },
  'state-in-any-case': {
    turns: ['oauth-client/ignore-forged-callback', 'oauth-client/validate-state'],
  },
  'code-before-error': { turns: ['oauth-client/report-denial'] },
  'issuer-not-compared': { turns: ['oauth-client/validate-issuer'] },
  'issuer-compared-once': { turns: ['oauth-client/validate-issuer'] },
  'redirects-followed': {
    turns: ['oauth-client/no-credentials-elsewhere'],
    unproven: ['oauth-client/never-permanently-pending'],
  },
  'second-consent-fails': {
    turns: ['oauth-client/complete-call'],
    unproven: ['oauth-client/reuse-stored-token'],
  },
  'refresh-token-forgotten-unless-replaced': { turns: ['oauth-client/refresh-expired-token'] },
  'api-redirect-followed': { turns: ['oauth-client/no-token-elsewhere'] },
  'bearer-tried-at-the-api': { turns: ['mcp-delegated-authorization/server/no-passthrough'] },
  'subjects-in-any-case': { turns: ['oauth-client/token-bound-to-user'] },
  'subjects-cut-at-the-end': { turns: ['oauth-client/token-bound-to-user'] },
  'credentials-not-kept': {
    turns: [
      'oauth-client/refresh-expired-token',
      'oauth-client/reuse-stored-token',
      'oauth-client/store-durably',
    ],
    unproven: [
      'oauth-client/no-credentials-elsewhere',
      'oauth-client/never-permanently-pending',
      'oauth-client/use-rotated-refresh-token',
    ],
  },
  'credentials-in-the-clear': { turns: ['oauth-client/encrypt-at-rest'] },
  'refused-token-is-the-end': {
    turns: ['oauth-client/reauthorize-when-token-invalid'],
    unproven: ['oauth-client/complete-call', 'oauth-client/reuse-stored-token'],
  },
  'token-in-result': {
    turns: [
      'mcp-delegated-authorization/server/tokens-off-wire',
      'oauth-client/no-secrets-in-results',
    ],
  },
  'client-secret-in-failures': {
    turns: [
      'mcp-delegated-authorization/server/secrets-off-wire',
      'oauth-client/no-client-secret-in-output',
    ],
  },
  'token-in-notification': {
    turns: [
      'mcp-delegated-authorization/server/tokens-off-wire',
      'oauth-client/no-secrets-in-output',
    ],
  },
  'callback-logged': { turns: ['oauth-client/no-secrets-in-logs'] },
  'served-without-token': { turns: ['mcp-delegated-authorization/server/demand-tokens'] },
  'session-stands-for-token': { turns: ['mcp-delegated-authorization/server/demand-tokens'] },
  'session-is-identity': { turns: ['mcp-delegated-authorization/server/not-by-session-alone'] },
  'audience-ignored': { turns: ['mcp-delegated-authorization/server/validate-tokens'] },
  'token-not-verified': {
    turns: ['mcp-delegated-authorization/server/validate-tokens'],
    configuration: { provider: { tokenFormat: 'jwt' } },
  },
  'introspection-kept-for-ever': { turns: ['mcp-delegated-authorization/server/validate-tokens'] },
}
