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

export const expected: Readonly<Record<string, Expectation>> = {
  'url-mode-undeclared': {
    turns: ['mcp-url-elicitation/server/gate-mode'],
  },
  'url-mode-to-form-clients': {
    turns: ['mcp-url-elicitation/server/gate-mode'],
  },
  'required-error-undeclared': {
    turns: ['mcp-url-elicitation/server/gate-mode'],
  },
  'request-without-mode': {
    turns: ['mcp-url-elicitation/server/request-valid'],
    unproven: allBut(
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
    ),
  },
  'request-without-message': {
    turns: ['mcp-url-elicitation/server/request-valid'],
  },
  'request-without-id': {
    turns: ['mcp-url-elicitation/server/complete-id', 'mcp-url-elicitation/server/request-valid'],
  },
  'request-with-relative-url': {
    turns: ['mcp-url-elicitation/server/request-valid'],
    unproven: allBut(
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
    unproven: [
      'mcp-url-elicitation/server/ask-again',
      'mcp-url-elicitation/server/end-after-refusal',
      'mcp-url-elicitation/server/removed-features',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ],
  },
  'input-required-empty': {
    turns: ['mcp-url-elicitation/server/input-required-valid'],
    unproven: [
      'mcp-url-elicitation/server/ask-again',
      'mcp-url-elicitation/server/end-after-refusal',
      'mcp-url-elicitation/server/removed-features',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ],
  },
  'required-error-in-2026': {
    turns: ['mcp-url-elicitation/server/removed-features'],
    unproven: [
      'mcp-url-elicitation/server/end-after-refusal',
      'mcp-url-elicitation/server/input-required-valid',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ],
  },
  'required-error-empty': {
    turns: ['mcp-url-elicitation/server/error-valid'],
    unproven: allBut(
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
    ),
  },
  'required-error-of-form-mode': {
    turns: ['mcp-url-elicitation/server/error-valid', 'mcp-url-elicitation/server/gate-mode'],
    unproven: allBut(
      'mcp-url-elicitation/server/clean-url',
      'mcp-url-elicitation/server/credentials-off-wire',
      'mcp-url-elicitation/server/error-valid',
      'mcp-url-elicitation/server/gate-mode',
      'mcp-url-elicitation/server/https',
      'mcp-url-elicitation/server/no-links-in-forms',
      'mcp-url-elicitation/server/no-passthrough',
      'mcp-url-elicitation/server/no-secrets-by-form',
      'mcp-url-elicitation/server/request-valid',
      'mcp-url-elicitation/server/state-bound',
      'mcp-url-elicitation/server/state-integrity',
    ),
  },
  'required-error-without-ids': {
    turns: ['mcp-url-elicitation/server/error-valid', 'mcp-url-elicitation/server/request-valid'],
    unproven: ['mcp-url-elicitation/server/handle-refusal'],
  },
  'required-error-though-authorized': {
    turns: ['mcp-url-elicitation/server/error-only-when-needed'],
    unproven: [
      'mcp-url-elicitation/server/complete-id',
      'mcp-url-elicitation/server/complete-to-initiator',
      'mcp-url-elicitation/server/not-by-session-alone',
    ],
  },
  'password-by-form': {
    turns: [
      'mcp-url-elicitation/server/gate-mode',
      'mcp-url-elicitation/server/no-secrets-by-form',
    ],
  },
  'link-by-form': {
    turns: ['mcp-url-elicitation/server/gate-mode', 'mcp-url-elicitation/server/no-links-in-forms'],
  },
  'accept-taken-for-done': {
    turns: ['mcp-url-elicitation/server/complete-after'],
    unproven: allBut(
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
    ),
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
  'complete-to-the-newest-session': {
    turns: [
      'mcp-url-elicitation/server/complete-id',
      'mcp-url-elicitation/server/complete-to-initiator',
    ],
  },
  'complete-without-id': {
    turns: ['mcp-url-elicitation/server/complete-id'],
  },
  'complete-with-another-id': {
    turns: ['mcp-url-elicitation/server/complete-id'],
  },
  'denial-is-an-empty-list': {
    turns: ['mcp-url-elicitation/server/accept-is-not-done'],
  },
  'waiting-is-an-empty-list': {
    turns: ['mcp-url-elicitation/server/accept-is-not-done'],
  },
  'missing-input-refused': {
    turns: ['mcp-url-elicitation/server/ask-again'],
  },
  'link-without-tls': {
    turns: ['mcp-url-elicitation/server/https'],
    unproven: allBut(
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
    ),
  },
  'served-without-token': {
    turns: ['mcp-url-elicitation/server/not-for-itself'],
  },
  'session-is-identity': {
    turns: ['mcp-url-elicitation/server/not-by-session-alone'],
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
  'user-in-url': {
    turns: ['mcp-url-elicitation/server/clean-url'],
  },
  'client-token-in-url': {
    turns: ['mcp-url-elicitation/server/clean-url'],
  },
  'client-secret-in-url': {
    turns: [
      'mcp-url-elicitation/server/clean-url',
      'mcp-url-elicitation/server/credentials-off-wire',
    ],
  },
  'request-state-unsigned': {
    turns: ['mcp-url-elicitation/server/state-bound', 'mcp-url-elicitation/server/state-integrity'],
  },
  'request-state-of-any-user': {
    turns: ['mcp-url-elicitation/server/state-bound'],
  },
  'request-state-altered-accepted': {
    turns: ['mcp-url-elicitation/server/state-bound', 'mcp-url-elicitation/server/state-integrity'],
  },
  'token-in-result': {
    turns: ['mcp-url-elicitation/server/credentials-off-wire'],
  },
  'token-in-meta': {
    turns: ['mcp-url-elicitation/server/credentials-off-wire'],
  },
  'token-in-complete': {
    turns: ['mcp-url-elicitation/server/credentials-off-wire'],
  },
  'client-secret-in-message': {
    turns: ['mcp-url-elicitation/server/credentials-off-wire'],
  },
  'verifier-in-result': {
    turns: ['mcp-url-elicitation/server/credentials-off-wire'],
  },
  'error-quotes-callback': {
    turns: ['mcp-url-elicitation/server/credentials-off-wire'],
  },
}
