/**
 * What each defect of the reference manager must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../tests/proof/role.ts'
import { penguiflowManager } from '../profile.ts'

/** A row of this profile, or one of every OAuth client. */
const row = (name: string): string =>
  name.startsWith('oauth-client/') ? name : `penguiflow-oauth/manager/${name}`
const rows = (...names: readonly string[]): readonly string[] => names.map(row)

/** Where a defect ends nearly every flow, what can still be judged is the shorter list. */
const allBut = (...proven: readonly string[]): readonly string[] =>
  judgedBut(penguiflowManager, rows(...proven))

export const expected: Readonly<Record<string, Expectation>> = {
  'response-type-missing': {
    turns: rows('oauth-client/authorization-request-valid'),
    unproven: allBut(
      'oauth-client/authorization-request-valid',
      'oauth-client/minimum-scopes',
      'oauth-client/request-scopes',
    ),
  },
  'scope-missing': {
    turns: rows('oauth-client/request-scopes', 'payload-matches-url', 'request-encoded'),
    unproven: rows('oauth-client/minimum-scopes'),
  },
  'more-scopes': { turns: rows('oauth-client/minimum-scopes') },
  'secret-in-url': {
    turns: rows('oauth-client/no-client-secret-in-output', 'oauth-client/no-secret-in-auth-url'),
  },
  'no-pkce': { turns: rows('oauth-client/code-bound-to-flow', 'oauth-client/pkce-s256') },
  'request-not-encoded': {
    turns: rows('request-encoded'),
    unproven: rows('oauth-client/exchange-code'),
  },
  'endpoint-query-lost': {
    turns: rows('request-encoded'),
    unproven: rows('oauth-client/exchange-code'),
  },
  'other-state-in-payload': { turns: rows('payload-matches-url'), unproven: rows('clear-errors') },
  'other-scopes-in-payload': { turns: rows('payload-matches-url') },
  'any-scheme': { turns: rows('endpoints-https') },
  'loopback-by-prefix': { turns: rows('endpoints-https') },
  'http-with-port': { turns: rows('endpoints-https') },
  'http-in-capitals': { turns: rows('endpoints-https') },
  'scopes-of-second-in-payload': { turns: rows('payload-matches-url') },
  'denial-alone-is-an-error': { turns: rows('no-exchange-after-denial') },
  'users-without-separators': {
    turns: rows('oauth-client/token-bound-to-user', 'token-per-user-and-provider'),
  },
  'any-provider': { turns: rows('unknown-provider') },
  // Another process begins alike.
  'counted-state': {
    turns: rows('oauth-client/state-unpredictable'),
    comparedWith: ['restart-between-calls'],
  },
  'random-alike-in-every-process': {
    turns: rows('oauth-client/state-unpredictable'),
    comparedWith: ['restart-between-calls'],
  },
  'state-ignored': {
    turns: rows(
      'oauth-client/code-bound-to-flow',
      'oauth-client/code-used-once',
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/pkce-s256',
      'oauth-client/state-single-use',
      'oauth-client/validate-state',
      'pending-expires',
    ),
    unproven: rows('clear-errors'),
  },
  'stored-for-first-provider': { turns: rows('token-per-user-and-provider') },
  'redeemed-as-first-client': { turns: rows('token-per-user-and-provider') },
  'first-client-for-all': { turns: rows('token-per-user-and-provider') },
  'first-flow-kept': { turns: rows('oauth-client/exchange-code') },
  // Whether the clock stays moved is seen by a token that is kept and runs out.
  'an-hour-always': { turns: rows('expired-token'), unproven: rows('pending-expires') },
  'state-in-any-case': {
    turns: rows(
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
    ),
  },
  'state-with-more': {
    turns: rows(
      'oauth-client/forged-callback-keeps-call',
      'oauth-client/ignore-forged-callback',
      'oauth-client/validate-state',
    ),
  },
  'state-kept': { turns: rows('oauth-client/code-used-once', 'oauth-client/state-single-use') },
  'state-dropped-late': {
    turns: rows('oauth-client/code-used-once', 'oauth-client/state-single-use'),
  },
  'dropped-before-compared': { turns: rows('oauth-client/forged-callback-keeps-call') },
  'issuer-ignored': { turns: rows('oauth-client/validate-issuer') },
  'error-ignored': { turns: rows('no-exchange-after-denial') },
  'whatever-comes': { turns: rows('no-exchange-after-denial') },
  'user-of-callback': { turns: rows('user-from-flow') },
  'flows-forgotten-early': { turns: rows('pending-expires') },
  'flows-never-expire': { turns: rows('pending-expires'), unproven: rows('clear-errors') },
  'flows-young-after-restart': { turns: rows('pending-expires') },
  'flows-anew-at-restart': { turns: rows('pending-expires') },
  'flows-in-memory': {
    turns: rows('pending-survives-restart'),
    unproven: rows('pending-expires'),
  },
  'failures-stored': {
    turns: rows('exchange-errors'),
    unproven: rows('clear-errors'),
  },
  'failures-retried': { turns: rows('oauth-client/code-used-once') },
  'failures-stumble': { turns: rows('clear-errors') },
  'failures-without-words': { turns: rows('clear-errors') },
  'error-text-handed-on': {
    turns: rows('oauth-client/no-client-secret-in-output', 'oauth-client/no-secrets-in-output'),
    comparedWith: ['exchange-token-error-echoes-code', 'exchange-token-error-echoes-client-secret'],
  },
  'unknown-state-stumbles': { turns: rows('clear-errors') },
  'denial-stumbles': { turns: rows('clear-errors') },
  'status-ignored': { turns: rows('oauth-client/no-token-of-error') },
  'any-value-is-a-token': { turns: rows('exchange-errors', 'oauth-client/token-is-text') },
  'type-ignored': { turns: rows('oauth-client/token-type-known') },
  'type-compared-exactly': { turns: rows('oauth-client/accept-valid-token-response') },
  'lifetime-added': { turns: rows('expires-in') },
  'lifetime-required': { turns: rows('expires-in', 'oauth-client/accept-valid-token-response') },
  'redirects-followed': { turns: rows('oauth-client/no-credentials-elsewhere') },
  'code-in-query': { turns: rows('oauth-client/no-secret-in-request-url') },
  'basic-not-encoded': { turns: rows('oauth-client/exchange-code') },
  'redirect-uri-without-its-query': { turns: rows('oauth-client/exchange-code') },
  'code-not-encoded': { turns: rows('oauth-client/exchange-code') },
  'code-in-errors': { turns: rows('oauth-client/no-secrets-in-output') },
  'secret-in-errors': { turns: rows('oauth-client/no-client-secret-in-output') },
  'callback-logged': { turns: rows('oauth-client/no-secrets-in-logs') },
  'token-of-name': {
    turns: rows(
      'oauth-client/token-bound-to-user',
      'token-per-user-and-provider',
      'user-from-flow',
    ),
  },
  'tenant-cut-off': {
    turns: rows('oauth-client/token-bound-to-user', 'token-per-user-and-provider'),
  },
  'users-as-file-names': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'users-in-lower-case': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'users-cut-short': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'users-without-accents': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'users-in-compatible-form': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'users-trimmed': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'users-in-a-column': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'users-in-a-wide-column': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'tokens-per-tenant': {
    turns: rows('token-per-user-and-provider', 'oauth-client/token-bound-to-user'),
  },
  'one-token-per-user': {
    turns: rows('token-per-user-and-provider'),
    unproven: rows('payload-matches-url'),
  },
  'tokens-used-once': {
    turns: rows('oauth-client/reuse-stored-token', 'oauth-client/store-durably'),
    unproven: rows('expired-token', 'pending-expires'),
  },
  'tokens-in-memory': {
    turns: rows('oauth-client/store-durably'),
    unproven: rows('expired-token', 'pending-expires'),
  },
  'expiry-not-stored': { turns: rows('expired-token'), unproven: rows('pending-expires') },
  'first-token-kept': { turns: rows('token-stored'), unproven: rows('expired-token') },
  'expiry-ignored': { turns: rows('expired-token'), unproven: rows('pending-expires') },
  'expired-when-not-refreshed': { turns: rows('expired-token') },
  'expired-asked-for-once': { turns: rows('expired-token') },
  'leeway-the-wrong-way': { turns: rows('expired-token') },
  'lifetime-cut': {
    turns: rows('oauth-client/reuse-stored-token'),
    unproven: rows('expired-token', 'pending-expires'),
  },
  'tokens-never-found': {
    turns: rows('token-stored'),
    unproven: allBut(
      'oauth-client/authorization-request-valid',
      'oauth-client/minimum-scopes',
      'oauth-client/no-client-secret-in-output',
      'oauth-client/no-secret-in-auth-url',
      'oauth-client/no-secret-in-request-url',
      'oauth-client/no-secrets-in-logs',
      'oauth-client/no-secrets-in-output',
      'oauth-client/request-scopes',
      'token-stored',
    ),
  },
  'stale-state-when-asked-again': { turns: rows('payload-matches-url') },
}
