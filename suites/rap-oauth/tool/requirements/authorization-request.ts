/** Requirements: the authorization URL and when it is sent. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { raised, shared } from '../../../oauth-client/requirements/index.ts'

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
  raised('authorization-request-valid', {
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements; RFC 6749 §4.1.1',
  }),
  raised('request-scopes', { basis: 'specification', source: 'RAP OAuth, Tool Requirements' }),
  raised('minimum-scopes', {
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
  }),
  raised('redirect-to-own-endpoint', {
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
  }),
  shared('stable-redirect-uri'),
  shared('state-unpredictable'),
  shared('pkce-s256'),
  shared('no-secret-in-auth-url'),
]
