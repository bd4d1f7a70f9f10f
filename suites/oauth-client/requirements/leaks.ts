/** Requirements: what must not carry secrets. */

import type { Requirement } from '../../../harness/engine/index.ts'

export const leaks: readonly Requirement[] = [
  {
    id: 'oauth-client/no-secrets-in-results',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §10.3, §10.5; RFC 6750 §5.3',
    text: 'Results contain no access token, refresh token or code.',
    observed: 'All results of the run, scanned for every secret in every encoding.',
    mend: 'Build the text of a result only from fields that are meant for the user. Never copy a whole response, a header or an exception into it.',
  },
  {
    id: 'oauth-client/no-secrets-in-output',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §10.3, §10.5; RFC 6750 §5.3',
    text: 'No other output (pages, headers, other messages) contains a code or an access token.',
    observed:
      'Everything that the client serves or sends, scanned for every secret in every encoding.',
    mend: 'Do not repeat callback parameters or responses of the token endpoint in pages, headers or messages.',
  },
  {
    id: 'oauth-client/no-secrets-in-logs',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §10.3, §10.5; RFC 6750 §5.3',
    text: 'Codes and access tokens are not logged.',
    observed:
      'Standard output and error of a process that the harness starts, and declared log files.',
    mend: 'Log the path of a request without its query. Do not log bodies. Remove code, tokens and verifier before you write a line.',
  },
  {
    id: 'oauth-client/no-secret-in-request-url',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §1.5, §2.3.1, §3.2, §10.3 to §10.5; RFC 9700 §4.3.2',
    text: 'Codes, refresh tokens, verifiers and client secrets are sent to the authorization server alone, in bodies and headers, never in a URL.',
    observed:
      'Every request to the endpoints of the provider and to its API, scanned for the secrets of the run.',
    mend: 'Send the parameters of token requests in the body, and client credentials in the Authorization header or the body. Send an API nothing but the access token.',
  },
  {
    id: 'oauth-client/no-client-secret-in-output',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §2.3.1, §10.1; RFC 7636 §7.1',
    text: 'No output contains the client secret or a code verifier.',
    observed: 'Everything that the client serves, sends or prints, scanned for them.',
    mend: 'Take secrets and verifiers out of logs, pages, messages and errors; log names of fields, not their values.',
  },
]
