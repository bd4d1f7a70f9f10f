/** Requirements: what must not carry secrets. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const leaks: readonly Requirement[] = [
  {
    id: 'rap-oauth/tool/no-secrets-in-results',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
    text: 'Access tokens, refresh tokens and codes are not in tool_result or subscription_event messages.',
    observed: 'All messages of the run, scanned for every secret in every encoding.',
    mend: 'Build the text of a result from the fields that are meant for the user; never copy an answer, a header or an exception into it.',
  },
  {
    id: 'rap-oauth/tool/no-secrets-in-output',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
    text: 'Codes and access tokens are in no other output: acknowledgements, pages, headers, other messages.',
    observed:
      'Everything that the tool serves or sends, scanned for every secret in every encoding.',
    mend: 'Do not echo parameters of the callback or answers of the token endpoint in pages, headers or messages.',
  },
  {
    id: 'rap-oauth/tool/no-secrets-in-logs',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
    text: 'Codes and access tokens are not logged.',
    observed:
      'Standard output and error of a tool that the harness starts, and declared log files.',
    mend: 'Log the path of a request without its query, and events instead of bodies; remove code, tokens and verifier before a line is written.',
  },
  {
    id: 'rap-oauth/tool/no-secret-in-request-url',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §2.3.1, §3.2; RFC 9700 §4.3.2',
    text: 'Codes, refresh tokens, verifiers and client secrets are sent in bodies and headers, never in a URL.',
    observed: 'Every request to the endpoints of the provider, scanned for the secrets of the run.',
  },
  {
    id: 'rap-oauth/tool/no-client-secret-in-output',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §2.3.1, §10.1; RFC 7636 §7.1',
    text: 'The client secret and code verifiers are in no output either.',
    observed: 'Everything that the tool serves, sends or prints, scanned for them.',
  },
]
