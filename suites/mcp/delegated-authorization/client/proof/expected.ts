/**
 * What each defect of the reference client must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import type { Expectation } from '../../../../../tests/proof/role.ts'

export const expected: Readonly<Record<string, Expectation>> = {
  'declared-as-experimental': { turns: ['mcp-delegated-authorization/client/declare-capability'] },
  'domain-not-shown': { turns: ['mcp-delegated-authorization/client/show-domain'] },
  'user-shown-as-domain': { turns: ['mcp-delegated-authorization/client/show-domain'] },
  'address-shown-as-domain': { turns: ['mcp-delegated-authorization/client/show-domain'] },
  'domain-cut-short': { turns: ['mcp-delegated-authorization/client/show-domain'] },
  'redirect-shown-as-domain': { turns: ['mcp-delegated-authorization/client/show-domain'] },
  // Nobody can agree to the second request of a client.
  'consent-remembered': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
    unproven: [
      'mcp-delegated-authorization/client/callback-exact',
      'mcp-delegated-authorization/client/clear-state',
      'mcp-delegated-authorization/client/code-to-asker-only',
      'mcp-delegated-authorization/client/first-option',
      'mcp-delegated-authorization/client/no-substitution',
      'mcp-delegated-authorization/client/options-optional',
      'mcp-delegated-authorization/client/validate-callback',
    ],
  },
  'silence-stands-for-consent': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
    varies: ['mcp-delegated-authorization/client/consent-before-opening'],
  },
  'latest-question-answered': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
  },
  'one-consent-for-all': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
  },
  'consent-remembered-by-url': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
  },
  // Nobody is asked about the later request.
  'decline-turned-into-consent': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
    unproven: [
      'mcp-delegated-authorization/client/show-domain',
      'mcp-delegated-authorization/client/show-message',
    ],
  },
  'first-domain-shown': { turns: ['mcp-delegated-authorization/client/show-domain'] },
  'first-message-shown': { turns: ['mcp-delegated-authorization/client/show-message'] },
  'opens-again-after-a-stray': {
    turns: ['mcp-delegated-authorization/client/open-once'],
    comparedWith: ['stray-callbacks'],
  },
  'metadata-fetched-after-denial': {
    turns: ['mcp-delegated-authorization/client/no-own-request'],
    comparedWith: ['denied'],
  },
  'message-not-shown': { turns: ['mcp-delegated-authorization/client/show-message'] },
  // And once more when the user agrees.
  'opened-at-once': {
    turns: [
      'mcp-delegated-authorization/client/consent-before-opening',
      'mcp-delegated-authorization/client/open-once',
    ],
  },
  'opened-although-declined': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
  },
  'url-put-together-anew': { turns: ['mcp-delegated-authorization/client/open-complete-url'] },
  'opened-twice': { turns: ['mcp-delegated-authorization/client/open-once'] },
  'fixed-port-replaced': {
    turns: ['mcp-delegated-authorization/client/no-substitution'],
    // Whether it supports a named port is not seen.
    unproven: ['mcp-delegated-authorization/client/first-option'],
  },
  'opened-by-a-shell': { turns: ['mcp-delegated-authorization/client/open-complete-url'] },
  'title-fetched': { turns: ['mcp-delegated-authorization/client/no-own-request'] },
  'metadata-fetched-after-consent': {
    turns: ['mcp-delegated-authorization/client/no-own-request'],
  },
  'anything-opened': { turns: ['mcp-delegated-authorization/client/refuse-unsafe-url'] },
  'first-url-looked-at': { turns: ['mcp-delegated-authorization/client/refuse-unsafe-url'] },
  'web-page-anywhere-in-it': { turns: ['mcp-delegated-authorization/client/refuse-unsafe-url'] },
  'mail-and-telephone-opened': { turns: ['mcp-delegated-authorization/client/refuse-unsafe-url'] },
  'scripts-opened': { turns: ['mcp-delegated-authorization/client/refuse-unsafe-url'] },
  'schemes-compared-by-prefix': {
    turns: ['mcp-delegated-authorization/client/refuse-unsafe-url'],
  },
  'listed-schemes-refused': {
    turns: ['mcp-delegated-authorization/client/refuse-unsafe-url'],
  },
  'decline-as-error': { turns: ['mcp-delegated-authorization/client/decline-empty'] },
  'decline-with-empty-url': { turns: ['mcp-delegated-authorization/client/decline-empty'] },
  'only-code-and-state-returned': {
    turns: ['mcp-delegated-authorization/client/callback-exact'],
    unproven: ['mcp-delegated-authorization/client/callback-bytes'],
  },
  'blanks-lost': {
    turns: [
      'mcp-delegated-authorization/client/callback-exact',
      'mcp-delegated-authorization/client/provider-error-returned',
    ],
    unproven: ['mcp-delegated-authorization/client/callback-bytes'],
  },
  'callback-of-another-origin': {
    turns: [
      'mcp-delegated-authorization/client/callback-exact',
      'mcp-delegated-authorization/client/provider-error-returned',
    ],
    unproven: ['mcp-delegated-authorization/client/callback-bytes'],
  },
  'callback-put-together-anew': { turns: ['mcp-delegated-authorization/client/callback-bytes'] },
  'errors-swallowed': { turns: ['mcp-delegated-authorization/client/provider-error-returned'] },
  'any-path-taken': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'path-begins-alike': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'path-ends-alike': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'path-in-any-case': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'states-of-all-flows': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'code-anywhere-in-the-query': {
    turns: ['mcp-delegated-authorization/client/validate-callback'],
  },
  'any-state-taken': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'state-begins-alike': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'state-extended-taken': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'state-in-any-case': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'errors-of-any-state': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'callback-without-code-taken': {
    turns: ['mcp-delegated-authorization/client/validate-callback'],
  },
  'first-flow-validated': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'fixed-port-unvalidated': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'one-shot-any-path': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'one-shot-error-of-any-state': {
    turns: ['mcp-delegated-authorization/client/validate-callback'],
  },
  'one-shot-without-state': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  'one-shot-without-code': { turns: ['mcp-delegated-authorization/client/validate-callback'] },
  // The first request is never answered.
  'last-flow-answers': {
    turns: ['mcp-delegated-authorization/client/callback-exact'],
    unproven: ['mcp-delegated-authorization/client/code-to-asker-only'],
  },
  'first-flow-answers': {
    turns: [
      'mcp-delegated-authorization/client/callback-exact',
      'mcp-delegated-authorization/client/code-to-asker-only',
    ],
    // The genuine callback of the second one is not returned to it.
    unproven: ['mcp-delegated-authorization/client/validate-callback'],
  },
  'last-option': { turns: ['mcp-delegated-authorization/client/first-option'] },
  'templates-first': { turns: ['mcp-delegated-authorization/client/first-option'] },
  'own-option-first': { turns: ['mcp-delegated-authorization/client/first-option'] },
  'localhost-last': { turns: ['mcp-delegated-authorization/client/first-option'] },
  'localhost-replaced': { turns: ['mcp-delegated-authorization/client/no-substitution'] },
  'own-redirect-if-unsupported': { turns: ['mcp-delegated-authorization/client/no-substitution'] },
  'later-decline-is-consent': {
    turns: ['mcp-delegated-authorization/client/consent-before-opening'],
  },
  'path-unescaped': { turns: ['mcp-delegated-authorization/client/open-complete-url'] },
  'options-ignored': { turns: ['mcp-delegated-authorization/client/first-option'] },
  'own-redirect-without-options': {
    turns: ['mcp-delegated-authorization/client/no-substitution'],
  },
  'options-required': {
    turns: ['mcp-delegated-authorization/client/options-optional'],
    unproven: [
      'mcp-delegated-authorization/client/first-option',
      'mcp-delegated-authorization/client/no-substitution',
      'mcp-delegated-authorization/client/validate-callback',
    ],
  },
  'own-path': {
    turns: [
      'mcp-delegated-authorization/client/first-option',
      'mcp-delegated-authorization/client/no-substitution',
    ],
  },
  'later-listener-stays': { turns: ['mcp-delegated-authorization/client/clear-state'] },
  'listener-stays-after-error': { turns: ['mcp-delegated-authorization/client/clear-state'] },
  'listener-stays-after-decline': { turns: ['mcp-delegated-authorization/client/clear-state'] },
  'listener-stays': { turns: ['mcp-delegated-authorization/client/clear-state'] },
  'listens-everywhere': { turns: ['mcp-delegated-authorization/client/loopback-only'] },
  'callback-logged': { turns: ['mcp-delegated-authorization/client/no-logging'] },
  'error-callback-logged': {
    turns: ['mcp-delegated-authorization/client/no-logging'],
    comparedWith: ['denied'],
  },
  'callback-stored': { turns: ['mcp-delegated-authorization/client/no-logging'] },
  'code-shown': { turns: ['mcp-delegated-authorization/client/no-logging'] },
  'code-in-notification': { turns: ['mcp-delegated-authorization/client/code-to-asker-only'] },
}
