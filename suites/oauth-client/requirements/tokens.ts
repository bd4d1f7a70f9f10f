/** Requirements: whose tokens are used, and how they are kept. */

import type { Requirement } from '../../../harness/engine/index.ts'

export const tokens: readonly Requirement[] = [
  {
    id: 'oauth-client/token-bound-to-user',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §1.4, §10.3',
    text: 'Tokens are stored for the user who authorized them and never used for another.',
    observed: 'Calls of another user after an authorization.',
    mend: 'Use the complete, verified identity of the user, unchanged, as the key of the token store.',
  },
  {
    id: 'oauth-client/reuse-stored-token',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §1.5',
    text: 'A later call of the same user needs no new authorization.',
    observed:
      'A later call of a user who has authorized, for the first time or again after a revocation.',
    mend: 'Look for a stored token of this user before you ask for authorization.',
  },
  {
    id: 'oauth-client/store-durably',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §1.5',
    text: 'Stored tokens survive a restart.',
    observed: 'The client is stopped and started again between two calls of one user.',
    mend: 'Keep tokens in a file or a database, not only in memory.',
  },
  {
    id: 'oauth-client/refresh-expired-token',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §1.5, §6',
    text: 'The client refreshes an expired access token when it has a refresh token.',
    observed: 'The access token expires between two calls of one user.',
    mend: 'Store refresh_token and the time of expiry; when the access token has expired, send grant_type=refresh_token before you ask the user.',
  },
  {
    id: 'oauth-client/use-rotated-refresh-token',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §6; RFC 9700 §4.14',
    text: 'After a rotation the new refresh token is used and the old one discarded.',
    observed: 'Two expiries in a row.',
    mend: 'When an answer brings a new refresh_token, replace the stored one in the same step.',
  },
  {
    id: 'oauth-client/reauthorize-when-token-invalid',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §6; RFC 6750 §3.1',
    text: 'When a stored token is no longer valid, the OAuth flow is started again.',
    observed: 'The grant is revoked, or the refresh refused, between two calls of one user.',
    mend: 'When the refresh is refused, or the API answers 401, delete the stored token and start a new authorization.',
  },
  {
    id: 'oauth-client/verify-api-certificate',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6750 §5.3',
    text: "The protected API's TLS certificate is validated before a token is sent.",
    observed: 'Between two calls of one user the API gets a certificate of an unknown authority.',
    mend: 'Leave the verification of your HTTP client on, for the API as for the provider.',
  },
  {
    id: 'oauth-client/encrypt-at-rest',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6819 §5.1.4.1',
    text: 'Tokens are encrypted at rest.',
    observed: 'The declared token store, scanned for every token of the run.',
    mend: 'Encrypt tokens before they are stored, with a key that is not kept beside them.',
  },
]
