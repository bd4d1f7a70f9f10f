/**
 * What each defect of the reference client must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../../tests/proof/role.ts'
import { urlElicitationClient } from '../profile.ts'

/** Where a defect ends nearly every flow, what can still be judged is the shorter list. */
const allBut = (...proven: readonly string[]): readonly string[] =>
  judgedBut(urlElicitationClient, proven)

export const expected: Readonly<Record<string, Expectation>> = {
  // A server does not ask a client in a mode that it has not declared.
  'mode-misnamed': {
    turns: ['mcp-url-elicitation/client/declare-mode'],
    unproven: allBut('mcp-url-elicitation/client/declare-mode'),
  },
  'mode-missing-in-retries': {
    turns: ['mcp-url-elicitation/client/declare-mode'],
    unproven: [
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/echo-state',
      'mcp-url-elicitation/client/new-id',
    ],
  },
  // What lacks the envelope is no request of the revision, so it retries nothing.
  'envelope-missing-in-retries': {
    turns: ['mcp-url-elicitation/client/declare-mode'],
    unproven: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/answer-keys',
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/decline-and-cancel',
      'mcp-url-elicitation/client/echo-state',
      'mcp-url-elicitation/client/new-id',
      'mcp-url-elicitation/client/refuse-unsafe-url',
      'mcp-url-elicitation/client/state-only-in-retry',
    ],
  },
  'undeclared-form-declined': { turns: ['mcp-url-elicitation/client/refuse-undeclared'] },
  // A client that has ended during a run passes nothing.
  'undeclared-form-is-fatal': {
    turns: ['mcp-url-elicitation/client/refuse-undeclared'],
    unproven: allBut(),
  },
  'undeclared-form-unanswered': { turns: ['mcp-url-elicitation/client/refuse-undeclared'] },
  'url-without-mode-opened': { turns: ['mcp-url-elicitation/client/form-without-mode'] },
  'url-without-mode-opened-late': { turns: ['mcp-url-elicitation/client/form-without-mode'] },
  'long-url-cut': { turns: ['mcp-url-elicitation/client/show-full-url'] },
  'query-hidden': { turns: ['mcp-url-elicitation/client/show-full-url'] },
  // Two questions cannot be told apart.
  'url-hidden': {
    turns: ['mcp-url-elicitation/client/show-full-url', 'mcp-url-elicitation/client/show-host'],
    unproven: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/answer-keys',

      'mcp-url-elicitation/client/decline-and-cancel',
    ],
    varies: ['mcp-url-elicitation/client/consent-before-opening'],
  },
  'user-shown-as-host': { turns: ['mcp-url-elicitation/client/show-host'] },
  'server-unnamed': { turns: ['mcp-url-elicitation/client/show-server'] },
  'first-server-named': { turns: ['mcp-url-elicitation/client/show-server'] },
  'message-hidden': { turns: ['mcp-url-elicitation/client/show-message'] },
  'servers-listed-only': { turns: ['mcp-url-elicitation/client/show-server'] },
  'url-behind-a-hyperlink': {
    turns: ['mcp-url-elicitation/client/show-full-url', 'mcp-url-elicitation/client/show-host'],
    unproven: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/answer-keys',
      'mcp-url-elicitation/client/decline-and-cancel',
    ],
    varies: ['mcp-url-elicitation/client/consent-before-opening'],
  },
  'punycode-at-the-start-only': { turns: ['mcp-url-elicitation/client/warn-suspicious-url'] },
  'punycode-in-small-letters-only': { turns: ['mcp-url-elicitation/client/warn-suspicious-url'] },
  'punycode-decoded': { turns: ['mcp-url-elicitation/client/warn-suspicious-url'] },
  'https-called-secure': { turns: ['mcp-url-elicitation/client/warn-suspicious-url'] },
  'opened-through-a-shell': {
    turns: ['mcp-url-elicitation/client/open-exact-url'],
    unproven: ['mcp-url-elicitation/client/consent-before-opening'],
  },
  'unsafe-required-url-opened': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'unsafe-modern-url-opened': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'last-state-kept': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'first-state-kept': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'punycode-unnoticed': { turns: ['mcp-url-elicitation/client/warn-suspicious-url'] },
  'opened-at-once': { turns: ['mcp-url-elicitation/client/consent-before-opening'] },
  'consent-remembered': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/handle-required-error',
      'mcp-url-elicitation/client/refuse-unsafe-url',
    ],
    // Of two calls that wait for their own completion nobody is asked about the second one.
    unproven: [
      'mcp-url-elicitation/client/ignore-unknown-complete',
      'mcp-url-elicitation/client/show-full-url',
    ],
  },
  // Where the machine is slow, prompts of other scenarios wait for as long.
  'silence-stands-for-consent': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
    ],
    // Whether the time is over depends on the machine.
    varies: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/ignore-unknown-complete',
    ],
  },
  'consent-remembered-by-url': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
    ],
  },
  'first-prompt-shown-again': {
    turns: [
      'mcp-url-elicitation/client/show-full-url',
      'mcp-url-elicitation/client/handle-required-error',
    ],
    unproven: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/answer-keys',
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/decline-and-cancel',
      'mcp-url-elicitation/client/echo-state',
      'mcp-url-elicitation/client/ignore-unknown-complete',
      'mcp-url-elicitation/client/new-id',
      'mcp-url-elicitation/client/show-host',
      'mcp-url-elicitation/client/warn-suspicious-url',
    ],
  },
  'end-of-input-accepts': { turns: ['mcp-url-elicitation/client/consent-before-opening'] },
  'later-urls-accepted-unasked': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/handle-required-error',
    ],
    unproven: [
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/ignore-unknown-complete',
      'mcp-url-elicitation/client/show-full-url',
    ],
  },
  'preview-fetched': { turns: ['mcp-url-elicitation/client/no-prefetch'] },
  'icon-fetched': { turns: ['mcp-url-elicitation/client/no-prefetch'] },
  'asked-by-head-before-opening': { turns: ['mcp-url-elicitation/client/no-prefetch'] },
  'page-fetched-beside-browser': { turns: ['mcp-url-elicitation/client/no-prefetch'] },
  'required-url-opened-anyway': {
    turns: [
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/refuse-unsafe-url',
    ],
  },
  'fragment-left-out': {
    turns: ['mcp-url-elicitation/client/open-exact-url'],
    unproven: ['mcp-url-elicitation/client/consent-before-opening'],
  },
  'empty-parameters-left-out': {
    turns: ['mcp-url-elicitation/client/open-exact-url'],
    unproven: ['mcp-url-elicitation/client/consent-before-opening'],
  },
  'decoded-url-opened': {
    turns: ['mcp-url-elicitation/client/open-exact-url'],
    unproven: ['mcp-url-elicitation/client/consent-before-opening'],
  },
  'any-scheme-opened': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'unsafe-urls-accepted': { turns: ['mcp-url-elicitation/client/accept-after-consent'] },
  'listed-schemes-refused': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'schemes-compared-by-prefix': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'first-url-looked-at': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'web-page-anywhere-in-it': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'mail-and-telephone-opened': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  'anything-opened': { turns: ['mcp-url-elicitation/client/refuse-unsafe-url'] },
  // What the user says comes too late to be heard.
  'accepted-at-once': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/decline-and-cancel',
    ],
    unproven: ['mcp-url-elicitation/client/ignore-unknown-complete'],
  },
  // The gate does not get through, and nobody who is not asked can say anything.
  'nobody-asked': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/handle-required-error',
    ],
    unproven: allBut('mcp-url-elicitation/client/accept-without-content'),
    varies: ['mcp-url-elicitation/client/no-prefetch'],
  },
  'latest-question-answered': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/decline-and-cancel',
    ],
  },
  'one-consent-for-all': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/decline-and-cancel',
    ],
  },
  'consent-for-other-servers': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
    ],
  },
  'completion-stands-for-consent': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
    ],
  },
  'any-completion-dismisses': { turns: ['mcp-url-elicitation/client/ignore-unknown-complete'] },
  // A client that has ended during a run passes nothing.
  'unknown-completion-is-fatal': {
    turns: ['mcp-url-elicitation/client/ignore-unknown-complete'],
    unproven: allBut(),
  },
  'second-completion-reopens': { turns: ['mcp-url-elicitation/client/ignore-unknown-complete'] },
  'content-sent': { turns: ['mcp-url-elicitation/client/accept-without-content'] },
  'decline-answered-with-cancel': { turns: ['mcp-url-elicitation/client/decline-and-cancel'] },
  'cancel-answered-with-decline': { turns: ['mcp-url-elicitation/client/decline-and-cancel'] },
  // Nothing else of the error can be seen.
  'required-error-shown-only': {
    turns: ['mcp-url-elicitation/client/handle-required-error'],
    unproven: [
      'mcp-url-elicitation/client/consent-before-opening',
      'mcp-url-elicitation/client/ignore-unknown-complete',
      'mcp-url-elicitation/client/id-used-once',
      'mcp-url-elicitation/client/manual-retry',
      'mcp-url-elicitation/client/no-prefetch',
      'mcp-url-elicitation/client/open-exact-url',
      'mcp-url-elicitation/client/show-full-url',
      'mcp-url-elicitation/client/show-server',
    ],
  },
  'completions-of-any-server': { turns: ['mcp-url-elicitation/client/ignore-unknown-complete'] },
  'latest-state-for-all-calls': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'third-url-unasked': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
    ],
  },
  'consent-kept-over-restarts': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
    ],
  },
  'required-error-for-ever': {
    turns: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/handle-required-error',
    ],
  },
  'declined-required-error-for-ever': {
    turns: ['mcp-url-elicitation/client/handle-required-error'],
  },
  'first-required-only': {
    turns: ['mcp-url-elicitation/client/handle-required-error'],
    unproven: ['mcp-url-elicitation/client/consent-before-opening'],
  },
  'calls-in-turn': {
    turns: ['mcp-url-elicitation/client/manual-retry'],
    unproven: [
      'mcp-url-elicitation/client/accept-after-consent',
      'mcp-url-elicitation/client/consent-before-opening',
    ],
  },
  'required-call-without-arguments': {
    turns: ['mcp-url-elicitation/client/handle-required-error'],
  },
  'required-call-sent-again': { turns: ['mcp-url-elicitation/client/id-used-once'] },
  'any-completion-retries': { turns: ['mcp-url-elicitation/client/ignore-unknown-complete'] },
  'completion-ids-begin-alike': { turns: ['mcp-url-elicitation/client/ignore-unknown-complete'] },
  'completion-ids-in-any-case': { turns: ['mcp-url-elicitation/client/ignore-unknown-complete'] },
  'state-normalised': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'state-composed': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'empty-state-left-out': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'state-trimmed': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'state-cut': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'state-parsed': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'state-of-the-call-before': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'state-invented': { turns: ['mcp-url-elicitation/client/echo-state'] },
  'state-kept': { turns: ['mcp-url-elicitation/client/state-only-in-retry'] },
  'arguments-left-out': { turns: ['mcp-url-elicitation/client/repeat-request'] },
  'id-reused': { turns: ['mcp-url-elicitation/client/new-id'] },
  // Which of two requests an answer is for cannot be told.
  'keys-rewritten': {
    turns: ['mcp-url-elicitation/client/answer-keys'],
    unproven: ['mcp-url-elicitation/client/accept-after-consent'],
  },
}
