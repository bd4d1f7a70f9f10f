/** Requirements: what every OAuth client is asked, as far as a client on a desk can be asked it. */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { raised, shared } from '../../../../oauth-client/requirements/index.ts'

const asTheyAre = [
  'authorization-request-valid',
  'no-secret-in-auth-url',
  'handle-callback',
  'exchange-code',
  'no-credentials-elsewhere',
  'code-used-once',
  'validate-issuer',
  'accept-valid-token-response',
  'no-token-of-error',
  'token-is-text',
  'token-type-known',
  'no-secrets-in-results',
  'no-secrets-in-output',
  'no-secrets-in-logs',
  'no-client-secret-in-output',
  'no-secret-in-request-url',
  'encrypt-at-rest',
] as const

/** Where requests have a challenge in its place, that does the same work (RFC 9700 §2.1). */
export const byState = [
  'validate-state',
  'ignore-forged-callback',
  'forged-callback-keeps-call',
  'state-single-use',
] as const

export const sharedRows: readonly Requirement[] = [
  raised('pkce-s256', {
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Authorization, Authorization Code Protection; RFC 7636 §4.2',
    mend: 'Make a verifier for every flow, send its SHA-256 as code_challenge with code_challenge_method=S256, and the verifier to the token endpoint.',
  }),
  raised('request-scopes', {
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Authorization, Scope Selection Strategy, Step-Up Authorization Flow',
    text: 'The authorization request asks for the scope that the challenge names, also where a token lacks it.',
    observed:
      'The scopes as the provider resolved them, against those of the first challenge, and of a later one with insufficient_scope.',
    mend: 'Take scope of the challenge; only where it has none, that of the metadata.',
  }),
  raised('minimum-scopes', {
    basis: 'specification',
    source: 'MCP Authorization, Scope Selection Strategy; RFC 9700 §2.3',
    text: 'No scope is requested beyond those that the challenge names.',
    observed: 'The scopes as the provider resolved them; the metadata offers more.',
    mend: 'Do not ask for everything in scopes_supported where the challenge says what is needed.',
  }),
  raised('state-unpredictable', {
    text: 'No state is used for two flows.',
    observed: 'state of all authorization requests of the run, compared with each other.',
    mend: 'Make each state anew, of at least 128 bits from a secure generator.',
  }),
  raised('verify-provider-certificate', {
    source: 'RFC 8414 §6.1; RFC 6749 §10.9; RFC 9525 §6',
    observed:
      'A certificate of an unknown authority, or of another host, that the token endpoint presents after consent; and one of an unknown authority when the metadata is fetched.',
  }),
  ...byState.map((name) =>
    raised(name, { appliesTo: 'clients whose authorization requests have a state' }),
  ),
  ...asTheyAre.map(shared),
]
