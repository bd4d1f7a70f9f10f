/** Requirements: whose tokens are used, and how they are kept. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const tokens: readonly Requirement[] = [
  {
    id: 'rap-oauth/tool/token-bound-to-user',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'Tokens are stored for their user_id and never used for another; callers without one share nothing.',
    observed: 'Another user, and callers with null and absent user_id, after an authorization.',
    mend: 'Use the exact user_id as the key of the token store, and keep calls without a user_id apart from each other.',
  },
  {
    id: 'rap-oauth/tool/reuse-stored-token',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
    text: 'A later invocation of the same user needs no new authorization.',
    observed: 'A second call of the user who has authorized.',
  },
  {
    id: 'rap-oauth/tool/store-durably',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
    text: 'Stored tokens survive a restart.',
    observed: 'The tool is stopped and started again between two calls of one user.',
  },
  {
    id: 'rap-oauth/tool/refresh-expired-token',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
    text: 'An expired access token is refreshed where there is a refresh token.',
    observed: 'The access token expires between two calls of one user.',
  },
  {
    id: 'rap-oauth/tool/use-rotated-refresh-token',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §6; RFC 9700 §4.14',
    text: 'After a rotation the new refresh token is used and the old one discarded.',
    observed: 'Two expiries in a row.',
  },
  {
    id: 'rap-oauth/tool/reauthorize-when-token-invalid',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
    text: 'When a stored token is no longer valid, the OAuth flow is started again.',
    observed: 'The grant is revoked, or the refresh refused, between two calls of one user.',
  },
  {
    id: 'rap-oauth/tool/encrypt-at-rest',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
    text: 'Tokens are encrypted at rest.',
    observed: 'The declared token store, scanned for every token of the run.',
  },
]
