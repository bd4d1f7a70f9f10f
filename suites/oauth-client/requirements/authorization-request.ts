/** Requirements: the authorization request. */

import type { Requirement } from '../../../harness/engine/index.ts'

export const authorizationRequest: readonly Requirement[] = [
  {
    id: 'oauth-client/authorization-request-valid',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.1',
    text: 'The authorization request is valid: response_type code, a registered client, its redirect URI.',
    observed: 'The request as the provider resolved it.',
    mend: 'Send response_type=code, the client_id that is registered, and exactly a redirect URI that is registered for it.',
  },
  {
    id: 'oauth-client/request-scopes',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §3.3',
    text: 'The authorization request asks for the scopes that the operation needs.',
    observed: 'The scopes as the provider resolved them, against what the operation needs.',
    mend: 'Put the scopes that the operation needs into scope, separated by blanks.',
  },
  {
    id: 'oauth-client/minimum-scopes',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 9700 §2.3',
    text: 'No scope is requested beyond what the operation needs.',
    observed: 'The scopes as the provider resolved them, against the declared ones.',
    mend: 'Request only the scopes that this operation needs, not all that the client is registered for.',
  },
  {
    id: 'oauth-client/redirect-to-own-endpoint',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §3.1.2; RFC 9700 §2.1',
    text: "The redirect URI points to the client's own callback endpoint.",
    observed: 'The origin of redirect_uri as the provider resolved it.',
    mend: "Build redirect_uri from the client's public address and the path of its callback endpoint.",
  },
  {
    id: 'oauth-client/stable-redirect-uri',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9700 §2.1',
    text: 'The redirect URI is one of those that are registered, and matches it exactly.',
    observed: 'redirect_uri of several authorization requests.',
    mend: 'Send one of the registered redirect URIs, character by character; keep what varies in state.',
  },
  {
    id: 'oauth-client/state-unpredictable',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §10.12, §10.10; RFC 9700 §4.7',
    text: 'state cannot be guessed and differs every time.',
    observed:
      'state of several requests: compared with each other and with everything that the caller knows.',
    mend: 'Make a new state for every authorization request, with at least 128 bits from a cryptographic random generator.',
  },
  {
    id: 'oauth-client/pkce-s256',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 7636 §4.2; RFC 9700 §2.1.1',
    text: 'The request carries a fresh PKCE challenge with method S256.',
    observed:
      'code_challenge and its method as the provider resolved them, and the verifier at the token endpoint.',
    mend: 'Make a new random code_verifier for every request (43 to 128 characters); send its SHA-256 digest in base64url as code_challenge, with code_challenge_method=S256.',
  },
  {
    id: 'oauth-client/no-secret-in-auth-url',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §2.3.1; RFC 9700 §4.3.2',
    text: 'The authorization URL contains no client secret and no token.',
    observed: 'Every auth_url, scanned for all secrets of the run.',
    mend: 'Leave the client secret and every token out of the authorization URL; only the token request authenticates the client.',
  },
]
