/** Requirements: the authorization URL and when it is sent. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const authorizationRequest: readonly Requirement[] = [
  {
    id: 'rap-oauth/tool/detect-before-attempt',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'The need for authorization is detected before the operation is attempted.',
    observed:
      'No request with a token reaches the protected API before the consent; a probe without a token is allowed.',
    mend: 'Look for a stored token of this user first; without one, answer with the oauth message and leave the API alone.',
  },
  {
    id: 'rap-oauth/tool/auth-url-complete',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Fields',
    text: "auth_url is the full URL of the provider's authorization endpoint.",
    observed: 'The URL is absolute and, when visited, leads to the consent page.',
    mend: 'Build auth_url from the authorization_endpoint of the provider, and send all of it: scheme, host, path and query.',
  },
  {
    id: 'rap-oauth/tool/auth-url-https',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
    text: 'auth_url uses HTTPS.',
    observed: 'The scheme, also where the provider advertises an http endpoint.',
    mend: 'Check the scheme of the authorization endpoint before it is sent, also when it comes from metadata; end the call with an error otherwise.',
  },
  {
    id: 'rap-oauth/tool/authorization-request-valid',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements; RFC 6749 §4.1.1',
    text: 'The authorization request is valid: response_type code, a registered client, its redirect URI.',
    observed: 'The request as the provider resolved it.',
    mend: 'Send response_type=code, the client_id that is registered, and exactly a redirect URI that is registered for it.',
  },
  {
    id: 'rap-oauth/tool/request-scopes',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'The authorization request asks for the scopes that the operation needs.',
    observed: 'The scopes as the provider resolved them, against what the operation needs.',
    mend: 'Put the scopes that the operation needs into scope, separated by blanks.',
  },
  {
    id: 'rap-oauth/tool/minimum-scopes',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
    text: 'No scope is requested beyond what the operation needs.',
    observed: 'The scopes as the provider resolved them, against the declared ones.',
  },
  {
    id: 'rap-oauth/tool/redirect-to-own-endpoint',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: "The redirect URI points to the tool's own callback endpoint.",
    observed: 'The origin of redirect_uri as the provider resolved it.',
    mend: "Build redirect_uri from the tool's public address and the path of its callback endpoint.",
  },
  {
    id: 'rap-oauth/tool/stable-redirect-uri',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9700 §2.1',
    text: 'The redirect URI is one of those that are registered, and matches it exactly.',
    observed: 'redirect_uri of several authorization requests.',
  },
  {
    id: 'rap-oauth/tool/state-unpredictable',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §10.12, §10.10; RFC 9700 §4.7',
    text: 'state cannot be guessed and differs every time.',
    observed:
      'state of several requests: compared with each other and with everything that the caller knows.',
  },
  {
    id: 'rap-oauth/tool/pkce-s256',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 7636 §4.2; RFC 9700 §2.1.1',
    text: 'The request carries a fresh PKCE challenge with method S256.',
    observed:
      'code_challenge and its method as the provider resolved them, and the verifier at the token endpoint.',
  },
  {
    id: 'rap-oauth/tool/no-secret-in-auth-url',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §2.3.1; RFC 9700 §4.3.2',
    text: 'Neither a client secret nor a token of anybody stands in the authorization URL.',
    observed: 'Every auth_url, scanned for all secrets of the run.',
  },
]
