/**
 * What each defect of the reference runtime must do to the verdicts, no more and no less. Declared, not recorded:
 * where a line has to change, a check or a defect has changed its meaning.
 */

import { rapRuntime } from '../profile.ts'
import { judgedBut } from '../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../tests/proof/role.ts'

/** Where a defect ends nearly every flow, what is left is the shorter list. */
const allBut = (...proven: readonly string[]): string[] => judgedBut(rapRuntime, proven)

export const expected: Readonly<Record<string, Expectation>> = {
  'toolset-configured-by-hand': { turns: ['rap-oauth/runtime/fetch-toolset'] },
  'invocation-as-plain-text': { turns: ['rap-oauth/runtime/invocation-is-json-post'] },
  'invocation-by-put': { turns: ['rap-oauth/runtime/invocation-is-json-post'] },
  'thread-ancestors-as-text': { turns: ['rap-oauth/runtime/invocation-valid'] },
  'user-id-as-number': { turns: ['rap-oauth/runtime/invocation-valid'] },
  'one-user-id-for-all': { turns: ['rap-oauth/runtime/user-id-of-own-user'] },
  'user-id-of-the-last-speaker': { turns: ['rap-oauth/runtime/user-id-of-own-user'] },
  'operation-with-prefix': { turns: ['rap-oauth/runtime/invocation-faithful'] },
  'arguments-enriched': { turns: ['rap-oauth/runtime/invocation-faithful'] },
  'ids-count-from-one': { turns: ['rap-oauth/runtime/unique-call-id'] },
  'callback-url-relative': {
    turns: ['rap-oauth/runtime/usable-callback-url'],
    unproven: allBut(
      'rap-oauth/runtime/fetch-toolset',
      'rap-oauth/runtime/invocation-is-json-post',
      'rap-oauth/runtime/invocation-valid',
      'rap-oauth/runtime/unique-call-id',
    ),
  },
  'callback-url-not-found': {
    turns: [
      'rap-oauth/runtime/accept-extra-fields',
      'rap-oauth/runtime/accept-valid-callback',
      'rap-oauth/runtime/deliver-result',
      'rap-oauth/runtime/inform-model',
      'rap-oauth/runtime/oauth-needs-user',
      'rap-oauth/runtime/surface-auth-url',
      'rap-oauth/runtime/survive-malformed-callback',
      'rap-oauth/runtime/usable-callback-url',
    ],
    unproven: allBut(
      'rap-oauth/runtime/fetch-toolset',
      'rap-oauth/runtime/invocation-is-json-post',
      'rap-oauth/runtime/invocation-valid',
      'rap-oauth/runtime/unique-call-id',
    ),
  },
  'invocation-retried-on-4xx': { turns: ['rap-oauth/runtime/no-retry-on-4xx'] },
  'invocation-retried-on-429': { turns: ['rap-oauth/runtime/no-retry-on-4xx'] },
  'invocation-resent-when-late': { turns: ['rap-oauth/runtime/no-invocation-retry'] },
  'retry-delay-shrinks': { turns: ['rap-oauth/runtime/retry-with-backoff'] },
  'undeliverable-not-reported': { turns: ['rap-oauth/runtime/report-undeliverable'] },
  'failed-invocation-forgotten': {
    turns: [
      'rap-oauth/runtime/report-undeliverable',
      'rap-oauth/runtime/retry-on-failure',
      'rap-oauth/runtime/retry-with-backoff',
    ],
  },
  'callbacks-not-validated': {
    turns: [
      'rap-oauth/runtime/content-supersedes-text',
      'rap-oauth/runtime/no-surface-without-call',
      'rap-oauth/runtime/survive-malformed-callback',
      'rap-oauth/runtime/validate-callbacks',
    ],
  },
  'unknown-types-as-results': {
    turns: ['rap-oauth/runtime/survive-malformed-callback', 'rap-oauth/runtime/validate-callbacks'],
  },
  'unknown-fields-refused': {
    turns: ['rap-oauth/runtime/accept-extra-fields'],
    unproven: ['rap-oauth/runtime/deliver-result-once', 'rap-oauth/runtime/result-for-right-call'],
  },
  'ids-not-compared': {
    turns: [
      'rap-oauth/runtime/discard-unmatched-result',
      'rap-oauth/runtime/no-surface-without-call',
      'rap-oauth/runtime/survive-malformed-callback',
    ],
  },
  'group-id-not-compared': {
    turns: [
      'rap-oauth/runtime/discard-unmatched-result',
      'rap-oauth/runtime/no-surface-without-call',
      'rap-oauth/runtime/survive-malformed-callback',
    ],
  },
  'late-callbacks-taken': {
    turns: [
      'rap-oauth/runtime/idempotent-duplicates',
      'rap-oauth/runtime/discard-result-after-cancel',
      'rap-oauth/runtime/discard-unmatched-result',
      'rap-oauth/runtime/no-surface-without-call',
    ],
  },
  'oauth-taken-after-the-end': { turns: ['rap-oauth/runtime/no-surface-without-call'] },
  'ended-calls-forgotten-by-a-restart': {
    turns: [
      'rap-oauth/runtime/discard-result-after-cancel',

      'rap-oauth/runtime/idempotent-duplicates',
      'rap-oauth/runtime/no-surface-without-call',
    ],
  },
  'duplicate-results-injected': { turns: ['rap-oauth/runtime/idempotent-duplicates'] },
  'callback-before-acknowledgement-refused': { turns: ['rap-oauth/runtime/surface-auth-url'] },
  'callbacks-answered-by-redirect': { turns: ['rap-oauth/runtime/accept-valid-callback'] },
  'refusals-are-server-errors': { turns: ['rap-oauth/runtime/reject-invalid-callback'] },
  'callback-url-blocked-after-a-refusal': {
    turns: ['rap-oauth/runtime/surface-auth-url', 'rap-oauth/runtime/survive-malformed-callback'],
    unproven: [
      'rap-oauth/runtime/discard-unmatched-result',
      'rap-oauth/runtime/validate-callbacks',
    ],
  },
  'auth-url-not-shown': {
    turns: ['rap-oauth/runtime/oauth-needs-user', 'rap-oauth/runtime/surface-auth-url'],
    unproven: allBut(
      'rap-oauth/runtime/accept-extra-fields',
      'rap-oauth/runtime/content-supersedes-text',
      'rap-oauth/runtime/user-id-of-own-user',
      'rap-oauth/runtime/inform-model',
      'rap-oauth/runtime/usable-while-pending',
      'rap-oauth/runtime/accept-valid-callback',
      'rap-oauth/runtime/display-as-not-for-model',
      'rap-oauth/runtime/fetch-toolset',
      'rap-oauth/runtime/invocation-is-json-post',
      'rap-oauth/runtime/invocation-valid',
      'rap-oauth/runtime/no-retry-on-4xx',
      'rap-oauth/runtime/report-undeliverable',
      'rap-oauth/runtime/retry-on-failure',
      'rap-oauth/runtime/retry-with-backoff',
      'rap-oauth/runtime/unique-call-id',
      'rap-oauth/runtime/usable-callback-url',
      'rap-oauth/runtime/validate-callbacks',
    ),
  },
  'auth-url-decoded': { turns: ['rap-oauth/runtime/surface-auth-url'] },
  'auth-url-query-rebuilt': { turns: ['rap-oauth/runtime/surface-auth-url'] },
  'auth-url-cut-at-ampersand': {
    turns: ['rap-oauth/runtime/oauth-needs-user', 'rap-oauth/runtime/surface-auth-url'],
    unproven: allBut(
      'rap-oauth/runtime/accept-extra-fields',
      'rap-oauth/runtime/content-supersedes-text',
      'rap-oauth/runtime/user-id-of-own-user',
      'rap-oauth/runtime/inform-model',
      'rap-oauth/runtime/usable-while-pending',
      'rap-oauth/runtime/accept-valid-callback',
      'rap-oauth/runtime/display-as-not-for-model',
      'rap-oauth/runtime/fetch-toolset',
      'rap-oauth/runtime/invocation-is-json-post',
      'rap-oauth/runtime/invocation-valid',
      'rap-oauth/runtime/no-retry-on-4xx',
      'rap-oauth/runtime/report-undeliverable',
      'rap-oauth/runtime/retry-on-failure',
      'rap-oauth/runtime/retry-with-backoff',
      'rap-oauth/runtime/unique-call-id',
      'rap-oauth/runtime/usable-callback-url',
      'rap-oauth/runtime/validate-callbacks',
    ),
  },
  'auth-url-without-fragment': { turns: ['rap-oauth/runtime/surface-auth-url'] },
  'auth-url-cut-at-2048': { turns: ['rap-oauth/runtime/surface-auth-url'] },
  'first-auth-url-only': { turns: ['rap-oauth/runtime/surface-auth-url'] },
  'every-oauth-shown-again': { turns: ['rap-oauth/runtime/idempotent-duplicates'] },
  'auth-url-to-the-call-before': {
    turns: ['rap-oauth/runtime/surface-auth-url', 'rap-oauth/runtime/surface-to-own-user'],
  },
  'any-auth-url-shown': { turns: ['rap-oauth/runtime/no-unsafe-auth-url'] },
  'http-auth-url-shown': { turns: ['rap-oauth/runtime/no-unsafe-auth-url'] },
  'script-urls-refused-only': { turns: ['rap-oauth/runtime/no-unsafe-auth-url'] },
  'auth-url-with-userinfo-shown': { turns: ['rap-oauth/runtime/no-unsafe-auth-url'] },
  'auth-url-kept': { turns: ['rap-oauth/runtime/discard-auth-url'] },
  'auth-url-kept-after-an-error': { turns: ['rap-oauth/runtime/discard-auth-url'] },
  'auth-url-in-log': { turns: ['rap-oauth/runtime/discard-auth-url'] },
  'callback-body-in-log': { turns: ['rap-oauth/runtime/discard-auth-url'] },
  'auth-url-kept-in-history': { turns: ['rap-oauth/runtime/discard-auth-url'] },
  'oauth-as-result': {
    turns: [
      'rap-oauth/runtime/discard-auth-url',
      'rap-oauth/runtime/deliver-result',
      'rap-oauth/runtime/documented-timeout',
      'rap-oauth/runtime/inform-model',
      'rap-oauth/runtime/keep-call-pending',
      'rap-oauth/runtime/oauth-needs-user',
      'rap-oauth/runtime/surface-auth-url',
      'rap-oauth/runtime/survive-malformed-callback',
    ],
    unproven: [
      'rap-oauth/runtime/notify-every-server',
      'rap-oauth/runtime/notification-not-retried',
      'rap-oauth/runtime/deliver-result-once',
      'rap-oauth/runtime/discard-result-after-cancel',
      'rap-oauth/runtime/discard-unmatched-result',
      'rap-oauth/runtime/idempotent-duplicates',
      'rap-oauth/runtime/invocation-faithful',
      'rap-oauth/runtime/isolate-conversations',
      'rap-oauth/runtime/no-invocation-retry',
      'rap-oauth/runtime/no-surface-without-call',
      'rap-oauth/runtime/no-unsafe-auth-url',
      'rap-oauth/runtime/notify-cancellation',
      'rap-oauth/runtime/pending-survives-restart',
      'rap-oauth/runtime/process-group-serially',
      'rap-oauth/runtime/reject-invalid-callback',
      'rap-oauth/runtime/result-for-right-call',
      'rap-oauth/runtime/surface-to-own-user',
    ],
  },
  'pending-call-answered-with-error': {
    turns: ['rap-oauth/runtime/inform-model', 'rap-oauth/runtime/keep-call-pending'],
  },
  'pending-call-answered-empty': {
    turns: ['rap-oauth/runtime/inform-model', 'rap-oauth/runtime/keep-call-pending'],
  },
  'invoked-again-after-oauth': { turns: ['rap-oauth/runtime/no-invocation-retry'] },
  'invoked-again-after-repeated-oauth': { turns: ['rap-oauth/runtime/no-invocation-retry'] },
  'invoked-again-after-a-user-message': { turns: ['rap-oauth/runtime/no-invocation-retry'] },
  'invoked-again-after-an-error': { turns: ['rap-oauth/runtime/no-invocation-retry'] },
  'invoked-again-after-a-while': { turns: ['rap-oauth/runtime/no-invocation-retry'] },
  'model-not-informed': { turns: ['rap-oauth/runtime/inform-model'] },
  'model-told-of-running-only': { turns: ['rap-oauth/runtime/inform-model'] },
  'conversation-blocked': {
    turns: ['rap-oauth/runtime/inform-model', 'rap-oauth/runtime/usable-while-pending'],
    unproven: ['rap-oauth/runtime/process-group-serially'],
  },
  'pending-call-dropped-at-restart': {
    turns: ['rap-oauth/runtime/pending-survives-restart'],
    unproven: ['rap-oauth/runtime/deliver-result-once', 'rap-oauth/runtime/result-for-right-call'],
  },
  'timeout-not-applied': {
    turns: ['rap-oauth/runtime/documented-timeout'],
    unproven: [
      'rap-oauth/runtime/no-surface-without-call',
      'rap-oauth/runtime/discard-auth-url',
      'rap-oauth/runtime/discard-unmatched-result',
    ],
  },
  'timeout-too-early': { turns: ['rap-oauth/runtime/documented-timeout'] },
  'timeout-reported-as-success': { turns: ['rap-oauth/runtime/documented-timeout'] },
  'cancellation-not-notified': {
    turns: ['rap-oauth/runtime/notify-cancellation'],
    unproven: [
      'rap-oauth/runtime/notify-every-server',
      'rap-oauth/runtime/notification-not-retried',
    ],
  },
  'pending-call-cancelled-by-a-message': { turns: ['rap-oauth/runtime/keep-call-pending'] },
  'cancellation-notified-to-one': { turns: ['rap-oauth/runtime/notify-every-server'] },
  'cancellation-notified-again': { turns: ['rap-oauth/runtime/notification-not-retried'] },
  'cancellation-of-the-thread-alone': {
    turns: ['rap-oauth/runtime/notify-cancellation'],
    unproven: [
      'rap-oauth/runtime/notify-every-server',
      'rap-oauth/runtime/notification-not-retried',
    ],
  },
  'results-not-injected': {
    turns: [
      'rap-oauth/runtime/accept-extra-fields',
      'rap-oauth/runtime/content-supersedes-text',
      'rap-oauth/runtime/deliver-result',
      'rap-oauth/runtime/display-as-not-for-model',
      'rap-oauth/runtime/documented-timeout',
      'rap-oauth/runtime/pending-survives-restart',
      'rap-oauth/runtime/survive-malformed-callback',
    ],
    unproven: allBut(
      'rap-oauth/runtime/accept-valid-callback',
      'rap-oauth/runtime/fetch-toolset',
      'rap-oauth/runtime/invocation-is-json-post',
      'rap-oauth/runtime/invocation-valid',
      'rap-oauth/runtime/unique-call-id',
      'rap-oauth/runtime/usable-callback-url',
    ),
  },
  'late-results-not-injected': {
    turns: [
      'rap-oauth/runtime/deliver-result',
      'rap-oauth/runtime/documented-timeout',
      'rap-oauth/runtime/pending-survives-restart',
      'rap-oauth/runtime/survive-malformed-callback',
    ],
    unproven: allBut(
      'rap-oauth/runtime/accept-extra-fields',
      'rap-oauth/runtime/content-supersedes-text',
      'rap-oauth/runtime/user-id-of-own-user',
      'rap-oauth/runtime/inform-model',
      'rap-oauth/runtime/usable-while-pending',
      'rap-oauth/runtime/accept-valid-callback',
      'rap-oauth/runtime/display-as-not-for-model',
      'rap-oauth/runtime/fetch-toolset',
      'rap-oauth/runtime/invocation-is-json-post',
      'rap-oauth/runtime/invocation-valid',
      'rap-oauth/runtime/no-retry-on-4xx',
      'rap-oauth/runtime/report-undeliverable',
      'rap-oauth/runtime/retry-on-failure',
      'rap-oauth/runtime/retry-with-backoff',
      'rap-oauth/runtime/unique-call-id',
      'rap-oauth/runtime/usable-callback-url',
      'rap-oauth/runtime/validate-callbacks',
    ),
  },
  'error-results-not-injected': {
    turns: ['rap-oauth/runtime/deliver-result'],
    unproven: ['rap-oauth/runtime/deliver-result-once', 'rap-oauth/runtime/result-for-right-call'],
  },
  'content-not-read': {
    turns: [
      'rap-oauth/runtime/content-supersedes-text',
      'rap-oauth/runtime/deliver-result',
      'rap-oauth/runtime/display-as-not-for-model',
    ],
    unproven: ['rap-oauth/runtime/deliver-result-once', 'rap-oauth/runtime/result-for-right-call'],
  },
  'first-item-only': {
    turns: [
      'rap-oauth/runtime/deliver-result',
      'rap-oauth/runtime/display-as-not-for-model',
      'rap-oauth/runtime/content-supersedes-text',
    ],
    unproven: ['rap-oauth/runtime/deliver-result-once', 'rap-oauth/runtime/result-for-right-call'],
  },
  'result-cut-at-four-bytes': {
    turns: ['rap-oauth/runtime/deliver-result'],
    unproven: ['rap-oauth/runtime/deliver-result-once', 'rap-oauth/runtime/result-for-right-call'],
  },
  'text-over-content': { turns: ['rap-oauth/runtime/content-supersedes-text'] },
  'display-as-for-the-model': { turns: ['rap-oauth/runtime/display-as-not-for-model'] },
  'results-injected-twice': {
    turns: ['rap-oauth/runtime/deliver-result-once', 'rap-oauth/runtime/idempotent-duplicates'],
  },
  'results-under-another-id': {
    turns: ['rap-oauth/runtime/result-for-right-call'],
  },
  'memory-shared-by-all-users': { turns: ['rap-oauth/runtime/isolate-conversations'] },
  'messages-not-queued': { turns: ['rap-oauth/runtime/process-group-serially'] },
}
