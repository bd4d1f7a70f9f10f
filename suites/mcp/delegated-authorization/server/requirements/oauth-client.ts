/** Requirements: what every OAuth client is asked; what the proposal demands is raised, what is not a server's left out. */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import {
  clientRequirements,
  notAsked,
  raised,
} from '../../../../oauth-client/requirements/index.ts'

const security = 'SEP-1028, OAuth Security Requirements'
const flow = 'SEP-1028, Protocol Flow'

/** Where the proposal demands it itself. */
const demanded: Readonly<Record<string, string>> = {
  'pkce-s256': `${security}; RFC 7636 §4.2`,
  'state-unpredictable': `${security}; RFC 6749 §10.12, §10.10`,
  'validate-state': `${security}; RFC 6749 §10.12`,
  'state-single-use': `${security}; RFC 9700 §4.7.1`,
  'exchange-code': flow,
  'retry-operation': flow,
  'complete-call': flow,
}

/** How what others are only warned of is mended. */
const mends: Readonly<Record<string, string>> = {
  'pkce-s256':
    'Make a verifier for each auth/request, send its SHA-256 as code_challenge, and the verifier with the code.',
  'state-unpredictable': 'Make each state of at least 128 bits from a secure generator.',
}

/** Why the others are not a server's here. */
const leftOut: Readonly<Record<string, string>> = {
  'handle-callback': 'The redirect lands at the client, which the suite plays.',
  'redirect-to-own-endpoint': 'The redirect URI is one that the client listens at.',
  'escape-pages': 'The server serves no pages to the browser.',
  'no-foreign-resources-on-callback-page': 'The page after the redirect is one of the client.',
  'verify-api-certificate':
    'The keys by which the server validates the tokens of its own callers come from the same host.',
  'forged-callback-keeps-call':
    'The callback answers a request, and a request is answered once: a forged one ends the call.',
}

export const oauthClient: readonly Requirement[] = clientRequirements.map((row) => {
  const name = row.id.slice('oauth-client/'.length)
  const source = demanded[name]
  if (source !== undefined)
    return raised(name, { keyword: 'MUST', basis: 'specification', source, ...mendOf(name) })
  const excluded = leftOut[name]
  return excluded === undefined ? row : notAsked(row, excluded)
})

function mendOf(name: string): { readonly mend?: string } {
  const mend = mends[name]
  return mend === undefined ? {} : { mend }
}
