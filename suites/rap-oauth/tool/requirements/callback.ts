/** Requirements: the redirect of the provider, the code and its exchange. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { raised, shared } from '../../../oauth-client/requirements/index.ts'

export const callback: readonly Requirement[] = [
  raised('handle-callback', { basis: 'specification', source: 'RAP OAuth, Tool Requirements' }),
  raised('exchange-code', {
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements; RFC 6749 §4.1.3',
  }),
  raised('verify-provider-certificate', {
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements; RFC 6749 §10.9; RFC 9525 §6',
  }),
  shared('no-credentials-elsewhere'),
  shared('code-used-once'),
  raised('validate-state', {
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
  }),
  raised('state-single-use', {
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
  }),
  raised('ignore-forged-callback', {
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
  }),
  shared('forged-callback-keeps-call'),
  shared('code-bound-to-flow'),
  {
    id: 'rap-oauth/tool/identity-from-invocation',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'Tokens are stored for the user_id of the invocation, never for one named in the callback.',
    observed:
      'Redirect parameters altered and identities added on the way back; then the other user calls.',
    mend: 'Store user_id with the state when the call comes in, and take it from there; ignore every user parameter of the callback.',
  },
  shared('validate-issuer'),
  shared('escape-pages'),
  shared('no-foreign-resources-on-callback-page'),
  shared('accept-valid-token-response'),
  shared('no-token-of-error'),
  shared('token-is-text'),
  shared('token-type-known'),
]
