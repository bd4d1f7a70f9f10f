/**
 * What each defect of the reference server must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import type { Expectation } from '../../../../../tests/proof/role.ts'

const id = (name: string): string => `mcp-auth-challenge/server/${name}`
const ids = (...names: readonly string[]): readonly string[] => names.map(id)

/** What is asked of every challenge, also of one to a token. */
const later = ids('mark-error', 'content-present', 'challenge-form', 'challenge-parses')
/** What is asked of challenges to a token alone, and of them as well. */
const laterOnes = [...later, ...ids('metadata-in-later-challenges')]
/** What needs metadata, and what needs a token. */
const documents = ids('metadata-valid', 'metadata-covers-endpoint', 'metadata-exact')
const followed = [
  ...ids(
    'chain-resolves',
    'accept-token',
    'scheme-in-any-case',
    'enforce',
    'verify-issuer-certificate',
    'ignore-token-in-url',
    'own-account',
    'scope-challenge',
    'metadata-in-later-challenges',
    'no-secrets-in-output',
    'result-type',
  ),
  ...later,
]
/** What is compared with a twin that did not complete. */
const compared = ids('not-misleading', 'every-caller')
/** What is asked of a challenge that can be read. */
const read = ids('no-error-code', 'metadata-url')
const unread = [...read, ...documents, ...followed, ...compared]
const unfollowed = [...documents, ...followed, ...compared]

export const expected: Readonly<Record<string, Expectation>> = {
  'challenge-is-no-error': { turns: ids('mark-error') },
  'modern-challenge-to-nowhere': {
    turns: ids('metadata-url'),
    unproven: ids('accept-token', 'enforce'),
  },
  'later-challenge-without-metadata': { turns: ids('metadata-in-later-challenges') },
  'challenge-of-several-lines': { turns: ids('challenge-parses') },
  'later-challenge-is-no-error': { turns: ids('mark-error') },
  'challenge-after-use-is-no-error': { turns: ids('mark-error') },
  'challenge-after-use-as-object': {
    turns: ids('challenge-form'),
    unproven: ids('challenge-parses', 'metadata-in-later-challenges'),
  },
  'challenge-with-unseen-text': { turns: ids('content-present') },
  'later-challenge-as-object': {
    turns: ids('challenge-form', 'scope-challenge'),
    unproven: ids('challenge-parses', 'metadata-in-later-challenges'),
  },
  'later-challenge-without-commas': {
    turns: ids('challenge-parses', 'scope-challenge'),
    unproven: ids('metadata-in-later-challenges'),
  },
  'challenge-without-content': { turns: ids('content-present') },
  'challenge-with-blank-text': { turns: ids('content-present') },
  'challenge-as-object': {
    turns: ids('challenge-form'),
    unproven: [...ids('challenge-parses'), ...unread],
  },
  'challenge-list-empty': {
    turns: ids('challenge-form'),
    unproven: [...ids('challenge-parses'), ...unread],
  },
  'challenge-outside-meta': {
    turns: ids('challenge-form'),
    unproven: [
      ...ids('mark-error', 'content-present', 'challenge-parses', 'result-type'),
      ...unread,
    ],
  },
  'challenge-under-other-key': {
    turns: ids('challenge-form'),
    unproven: [
      ...ids('mark-error', 'content-present', 'challenge-parses', 'result-type'),
      ...unread,
    ],
  },
  'challenge-without-commas': { turns: ids('challenge-parses'), unproven: unread },
  'challenge-with-header-name': { turns: ids('challenge-parses'), unproven: unread },
  'challenge-of-other-scheme': {
    turns: ids('challenge-parses'),
    unproven: unread,
  },
  'error-without-token': { turns: ids('no-error-code') },
  'challenges-one-client-only': { turns: ids('every-caller') },
  'key-for-one-client-only': { turns: ids('every-caller') },
  'modern-without-result-type': { turns: ids('result-type') },
  'modern-later-without-result-type': { turns: ids('result-type') },
  'modern-later-without-error-flag': { turns: ids('mark-error') },
  'modern-asks-for-input': { turns: ids('result-type') },
  'challenge-without-metadata': { turns: ids('metadata-url'), unproven: unfollowed },
  'metadata-url-relative': { turns: ids('metadata-url'), unproven: unfollowed },
  'metadata-missing': {
    turns: ids('metadata-url'),
    unproven: unfollowed,
  },
  'metadata-redirects': { turns: ids('metadata-url'), unproven: unfollowed },
  'metadata-is-a-page': { turns: ids('metadata-url'), unproven: unfollowed },
  'metadata-as-text': { turns: ids('metadata-url', 'metadata-in-later-challenges') },
  'metadata-of-the-issuer': {
    turns: ids('metadata-valid'),
    unproven: [...ids('metadata-covers-endpoint', 'metadata-exact'), ...followed, ...compared],
  },
  'metadata-without-resource': {
    turns: ids('metadata-valid'),
    unproven: ids('metadata-covers-endpoint', 'metadata-exact'),
  },
  'metadata-without-servers': {
    turns: ids('metadata-valid'),
    unproven: [...followed, ...compared],
  },
  'path-from-forwarded-prefix': { turns: ids('not-misleading') },
  'signature-forgotten-by-cache': { turns: ids('enforce') },
  'claims-forgotten-by-cache': { turns: ids('enforce') },
  'metadata-of-another-resource': {
    turns: ids('metadata-covers-endpoint'),
    unproven: ids('metadata-exact'),
  },
  'metadata-of-another-path': {
    turns: ids('metadata-covers-endpoint'),
    unproven: ids('metadata-exact'),
  },
  'metadata-of-the-host': { turns: ids('metadata-exact') },
  'metadata-names-issuer-wrongly': {
    turns: ids('chain-resolves'),
    unproven: [...followed, ...compared],
  },
  'metadata-names-unknown-issuer': {
    turns: ids('chain-resolves'),
    unproven: [...followed, ...compared],
  },
  'host-from-forwarded-host': { turns: ids('not-misleading') },
  'host-from-a-whole-proxy': { turns: ids('not-misleading') },
  'host-remembered-by-session': { turns: ids('not-misleading') },
  'host-from-origin': { turns: ids('not-misleading') },
  'host-from-forwarded': { turns: ids('not-misleading') },
  'scheme-from-forwarded-proto': { turns: ids('not-misleading') },
  'port-from-forwarded-port': { turns: ids('not-misleading') },
  'host-from-original-host': { turns: ids('not-misleading') },
  'host-from-rarer-headers': { turns: ids('not-misleading') },
  'metadata-follows-forwarded-host': { turns: ids('not-misleading') },
  'token-not-accepted': {
    turns: ids('accept-token', 'scheme-in-any-case'),
    unproven: ids('enforce', 'ignore-token-in-url', 'own-account', 'scope-challenge'),
  },
  'scheme-compared-with-case': { turns: ids('scheme-in-any-case') },
  'token-refused-by-http': {
    turns: ids('accept-token', 'scheme-in-any-case'),
    unproven: [
      ...ids(
        'enforce',
        'ignore-token-in-url',
        'own-account',
        'scope-challenge',
        'metadata-in-later-challenges',
      ),
      ...later,
    ],
  },
  'data-in-challenge': {
    turns: ids('enforce', 'ignore-token-in-url', 'scope-challenge'),
    // These notes are those of everybody.
    unproven: ids('own-account'),
  },
  'data-before-challenge': {
    turns: ids('enforce', 'ignore-token-in-url', 'scope-challenge'),
    // These notes are those of everybody.
    unproven: ids('own-account'),
  },
  'signature-ignored': { turns: ids('enforce') },
  'modern-unverified': { turns: ids('enforce') },
  'unsigned-accepted': { turns: ids('enforce') },
  'public-key-as-secret': { turns: ids('enforce') },
  'key-of-the-header': { turns: ids('enforce') },
  'scope-compared-without-case': { turns: ids('scope-challenge'), unproven: laterOnes },
  'issuer-ignored': { turns: ids('enforce') },
  'audience-ignored': { turns: ids('enforce') },
  'audience-holds-the-resource': { turns: ids('enforce') },
  'audience-ignored-scope-unsaid': { turns: ids('enforce') },
  'audience-compared-by-prefix': { turns: ids('enforce') },
  'audience-a-prefix': { turns: ids('enforce') },
  'audience-forgotten-by-cache': { turns: ids('enforce') },
  'introspection-fails-open': {
    turns: ids('enforce'),
    configuration: { provider: { tokenFormat: 'opaque' } },
  },
  'keys-fail-open': { turns: ids('enforce') },
  'audience-optional': { turns: ids('enforce') },
  'issuer-not-compared': { turns: ids('enforce') },
  'expiry-with-an-hour-to-spare': { turns: ids('enforce'), unproven: laterOnes },
  'expiry-ignored': { turns: ids('enforce'), unproven: laterOnes },
  'session-begun-with-token-is-signed-in': { turns: ids('enforce') },
  'key-where-the-header-says': { turns: ids('enforce') },
  'session-is-signed-in': { turns: ids('enforce'), unproven: laterOnes },
  'scope-refused-without-scope': { turns: ids('scope-challenge') },
  'scope-refused-as-invalid': { turns: ids('scope-challenge') },
  'scope-compared-by-prefix': { turns: ids('scope-challenge'), unproven: laterOnes },
  'scope-not-looked-at': { turns: ids('scope-challenge'), unproven: laterOnes },
  'scope-named-that-is-there': { turns: ids('scope-challenge') },
  'cookie-is-signed-in': { turns: ids('enforce') },
  'connection-is-signed-in': { turns: ids('enforce') },
  'third-call-served': { turns: ids('enforce') },
  'not-yet-valid-accepted': { turns: ids('enforce') },
  'issuer-optional': { turns: ids('enforce') },
  'none-in-capitals-accepted': { turns: ids('enforce') },
  'empty-signature-accepted': { turns: ids('enforce') },
  'malformed-signature-accepted': { turns: ids('enforce') },
  'unknown-algorithms-believed': { turns: ids('enforce') },
  'secret-not-set': { turns: ids('enforce') },
  'unverified-in-lower-case': { turns: ids('enforce') },
  'modern-expiry-ignored': { turns: ids('enforce') },
  'expiry-ignored-after-use': { turns: ids('enforce') },
  'audience-in-any-case': { turns: ids('enforce') },
  'introspection-kept-by-beginning': {
    turns: ids('enforce'),
    configuration: { provider: { tokenFormat: 'opaque' } },
  },
  'user-of-the-proxy': { turns: ids('enforce') },
  'word-of-developers': { turns: ids('enforce') },
  'token-of-the-url': { turns: ids('ignore-token-in-url') },
  'introspection-kept-for-ever': { turns: ids('enforce') },
  'notes-of-the-first-user': { turns: ids('own-account') },
  'notes-by-name-in-any-case': { turns: ids('own-account') },
  'user-of-the-latest-request': { turns: ids('own-account') },
  'scopes-of-the-user': { turns: ids('scope-challenge') },
  'token-in-challenge': { turns: ids('no-secrets-in-output') },
  'token-in-log': { turns: ids('no-secrets-in-output') },
  'issuer-certificate-ignored': { turns: ids('verify-issuer-certificate') },
  'issuer-host-name-ignored': { turns: ids('verify-issuer-certificate') },
}
