/** Requirements: what must not carry secrets. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { raised, shared } from '../../../oauth-client/requirements/index.ts'

export const leaks: readonly Requirement[] = [
  raised('no-secrets-in-results', {
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
  }),
  raised('no-secrets-in-output', {
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
  }),
  raised('no-secrets-in-logs', {
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
  }),
  shared('no-secret-in-request-url'),
  shared('no-client-secret-in-output'),
]
