/** Requirements: what every OAuth client is asked; what the page demands is raised, what is not a manager's left out. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { clientRequirements, notAsked, raised } from '../../../oauth-client/requirements/index.ts'

const page = 'PenguiFlow OAuth & HITL'

/** What the page demands itself, and where. */
const demanded: Readonly<Record<string, string>> = {
  'exchange-code': `${page}, OAuth manager`,
  'validate-state': `${page}, Operational defaults`,
  'token-bound-to-user': `${page}, OAuth manager; ${page}, Security / multi-tenancy notes`,
}

/** How what others are only warned of is mended. */
const mends: Readonly<Record<string, string>> = {
  'token-bound-to-user':
    'Key the token store by the whole user_id and the provider, and by nothing else.',
}

const ofHost = 'The page after the callback is one of the host, which is the adapter here.'
const ofPlanner = 'What runs when, and how a run ends, is the planner’s: see its profile.'
const ofErrors = 'A manager raises, and a run that is resumed pauses again: see clear-errors.'
const noGoal = 'Refreshing is not a goal of the page; a manager that does it is free to.'

/** Why the others are not a manager's. */
const leftOut: Readonly<Record<string, string>> = {
  'redirect-to-own-endpoint': 'The redirect URI is configured: see authorization-request-valid.',
  'stable-redirect-uri': 'The redirect URI is configured: see authorization-request-valid.',
  'handle-callback': ofHost,
  'escape-pages': ofHost,
  'no-foreign-resources-on-callback-page': ofHost,
  'retry-operation': ofPlanner,
  'complete-call': ofPlanner,
  'end-when-retry-fails': ofPlanner,
  'never-permanently-pending': ofPlanner,
  'no-secrets-in-results': ofPlanner,
  'token-in-header': 'The tool calls the API, with a token that the manager has given it.',
  'verify-api-certificate': 'The tool calls the API, with a token that the manager has given it.',
  'no-token-elsewhere': 'The tool calls the API, with a token that the manager has given it.',
  'reauthorize-when-token-invalid':
    'The planner hears what the API answers: see token-refused there.',
  'report-denial': ofErrors,
  'report-authorization-error': ofErrors,
  'report-invalid-code': ofErrors,
  'report-exchange-error': ofErrors,
  'refresh-expired-token': noGoal,
  'use-rotated-refresh-token': noGoal,
  'encrypt-at-rest': 'How a token store keeps what it is given is the application’s.',
}

export const oauthClient: readonly Requirement[] = clientRequirements.map((row) => {
  const name = row.id.slice('oauth-client/'.length)
  const source = demanded[name]
  const mend = mends[name]
  if (source !== undefined)
    return raised(name, {
      keyword: 'MUST',
      basis: 'specification',
      source,
      ...(mend ? { mend } : {}),
    })
  const excluded = leftOut[name]
  return excluded === undefined ? row : notAsked(row, excluded)
})

/** Whether a row is one that is asked of managers. */
export function isAsked(requirement: string): boolean {
  return !Object.hasOwn(leftOut, requirement.replace('oauth-client/', ''))
}
