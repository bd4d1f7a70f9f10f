/** Requirements: whose tokens are used, and how they are kept. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { raised, shared } from '../../../oauth-client/requirements/index.ts'

export const tokens: readonly Requirement[] = [
  raised('token-bound-to-user', {
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'Tokens are stored for their user_id and never used for another; callers without one share nothing.',
    observed: 'Another user, and callers with null and absent user_id, after an authorization.',
    mend: 'Use the exact user_id as the key of the token store, and keep calls without a user_id apart from each other.',
  }),
  raised('reuse-stored-token', { basis: 'specification', source: 'RAP OAuth, Token Management' }),
  raised('store-durably', { basis: 'specification', source: 'RAP OAuth, Token Management' }),
  raised('refresh-expired-token', {
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
  }),
  shared('use-rotated-refresh-token'),
  raised('reauthorize-when-token-invalid', {
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
  }),
  shared('verify-api-certificate'),
  shared('no-token-elsewhere'),
  raised('encrypt-at-rest', {
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
  }),
]
