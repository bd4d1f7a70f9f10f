/** Requirements: what every OAuth client is asked; what ADK's documents demand is raised, what is not an agent's left out. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { clientRequirements, notAsked, raised } from '../../../oauth-client/requirements/index.ts'

const flow = 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)'
const pipeline = 'adk-rs Authenticated tools, The resolution pipeline'

const kept =
  'ADK Authentication, Self-managed authentication; adk-rs Authenticated tools, Credential storage'

/** Both documents demand these, in which place; the end of the call they demand as call-replayed. */
const demanded: Readonly<Record<string, string>> = {
  'exchange-code': `${flow}; ${pipeline}`,
  'retry-operation': `${flow}; ${pipeline}`,
  'token-bound-to-user': kept,
}

/** Why the others are not an agent's. */
const leftOut: Readonly<Record<string, string>> = {
  'handle-callback': 'The redirect lands at the client application, which the suite plays.',
  'redirect-to-own-endpoint': 'The redirect URI is that of the client application.',
  'stable-redirect-uri':
    'The client application chooses it, and appends it where the agent has none.',
  'escape-pages': 'An agent serves no pages to the browser.',
  'no-foreign-resources-on-callback-page': 'The page is one of the client application.',
  'forged-callback-keeps-call':
    'An answer ends the request that it answers: an agent may end the call with an error or ask again.',
}

export const oauthClient: readonly Requirement[] = clientRequirements.map((row) => {
  const name = row.id.slice('oauth-client/'.length)
  const source = demanded[name]
  if (source !== undefined) return raised(name, { basis: 'specification', source })
  const excluded = leftOut[name]
  return excluded === undefined ? row : notAsked(row, excluded)
})
