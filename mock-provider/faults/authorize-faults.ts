/** Faults of the authorization response: what the client receives at its redirect URI. */
import type { Fault, FaultTable } from './fault.ts'
import { markup } from './markup.ts'

const error = (code: string): Fault => ({
  endpoint: 'authorize',
  description: `answers the authorization request with the error ${code}`,
  section: 'RFC 6749 §4.1.2.1',
  refuse: code,
})

/** Changes the last character, so that length and alphabet stay plausible. */
const alter = (state: string) => state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A')

export const authorizeFaults = {
  'authorize-error-invalid_request': error('invalid_request'),
  'authorize-error-unauthorized_client': error('unauthorized_client'),
  'authorize-error-access_denied': error('access_denied'),
  'authorize-error-unsupported_response_type': error('unsupported_response_type'),
  'authorize-error-invalid_scope': error('invalid_scope'),
  'authorize-error-server_error': error('server_error'),
  'authorize-error-temporarily_unavailable': error('temporarily_unavailable'),
  'authorize-error-markup': {
    endpoint: 'authorize',
    description: 'refuses with an error_description that contains markup (value: the text)',
    section: 'RFC 6749 §4.1.2.1',
    refuse: 'access_denied',
    respond: (parameters, { value }) => ({ ...parameters, error_description: value ?? markup }),
  },
  'authorize-state-omitted': {
    endpoint: 'authorize',
    description: 'leaves state out of the response',
    section: 'RFC 6749 §4.1.2',
    respond: (parameters) => ({ ...parameters, state: undefined }),
  },
  'authorize-state-altered': {
    endpoint: 'authorize',
    description: 'changes one character of state',
    section: 'RFC 6749 §10.12',
    respond: (parameters) => ({ ...parameters, state: alter(parameters['state'] ?? '') }),
  },
  'authorize-state-swapped': {
    endpoint: 'authorize',
    description: 'sends the state of another request (value: that state)',
    section: 'RFC 6749 §10.12',
    respond: (parameters, { value, opaque }) => ({ ...parameters, state: value ?? opaque('') }),
  },
  'authorize-iss-wrong': {
    endpoint: 'authorize',
    description:
      'names another issuer (value: that issuer; by default one that begins like its own)',
    section: 'RFC 9207 §2.4',
    respond: (parameters, { value }) => ({
      ...parameters,
      iss: value ?? `${parameters['iss']}/another-issuer`,
    }),
  },
  'authorize-iss-missing': {
    endpoint: 'authorize',
    description: 'leaves iss out although the metadata promises it',
    section: 'RFC 9207 §2.4',
    respond: (parameters) => ({ ...parameters, iss: undefined }),
  },
  'authorize-code-expired': {
    endpoint: 'authorize',
    description: 'issues a code that has already expired',
    section: 'RFC 6749 §4.1.2',
    bind: (code) => ({ ...code, expiresAt: 0 }),
  },
  'authorize-code-other-client': {
    endpoint: 'authorize',
    description: 'issues a code that belongs to another client (value: its client id)',
    section: 'RFC 6749 §4.1.3',
    bind: (code, { value }) => ({ ...code, clientId: value ?? 'another-client' }),
  },
  'authorize-code-other-user': {
    endpoint: 'authorize',
    description: 'issues a code that another user authorized (value: that subject)',
    section: 'RFC 9700 §4.5',
    bind: (code, { value }) => ({ ...code, subject: value ?? 'another-user' }),
  },
  'authorize-code-other-challenge': {
    endpoint: 'authorize',
    description: 'issues a code that is bound to the code challenge of another request',
    section: 'RFC 9700 §4.5.3.1',
    bind: (code, { opaque }) => ({ ...code, codeChallenge: opaque('').padEnd(43, 'A') }),
  },
  'authorize-code-reserved-characters': {
    endpoint: 'authorize',
    description: 'issues a code with characters that need encoding in a form, as Google does',
    section: 'RFC 6749 §A.11',
    bind: (code) => ({ ...code, value: `4/${code.value}/+a=b%25&c` }),
  },
} as const satisfies FaultTable
