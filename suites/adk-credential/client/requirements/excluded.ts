/** Requirements that no outside observer can judge. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'adk-credential/client/registered-redirect',
    keyword: 'MUST',
    basis: 'specification',
    source: 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)',
    text: 'The redirect URI is registered with the provider beforehand.',
    excluded:
      'Registrations are made with the provider that an application is deployed for; that of the suite takes any.',
  },
  {
    id: 'adk-credential/client/tokens-by-user',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'ADK Authentication, Self-managed authentication',
    text: 'Tokens that the client application keeps are stored encrypted, by authenticated user.',
    excluded:
      'A client application that leaves the exchange to its agent keeps none, and nothing on the wire shows where one is kept.',
  },
  {
    id: 'adk-credential/client/invocation-resumed',
    keyword: 'MUST',
    basis: 'specification',
    source: 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)',
    text: 'Where the Resume feature is on, the answer names the invocation that asked.',
    excluded:
      'The feature is off unless it is configured, and with it off some agents refuse the member.',
  },
]
