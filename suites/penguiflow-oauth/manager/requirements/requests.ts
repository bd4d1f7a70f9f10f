/** Requirements: what users are sent away with. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const page = 'PenguiFlow OAuth & HITL'

export const requests: readonly Requirement[] = [
  {
    id: 'penguiflow-oauth/manager/payload-matches-url',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, Pause payload shape`,
    text: 'State and scopes of the payload are those of the authorization request.',
    observed: 'The payload of the pause, against the request as the provider resolved it.',
    mend: 'Make the payload of get_auth_request from the very values that go into auth_url.',
  },
  {
    id: 'penguiflow-oauth/manager/request-encoded',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §3.1, Appendix B',
    text: 'The URL is encoded: reserved characters and a query of the endpoint arrive as configured.',
    observed:
      'auth_url as it came, and what the provider resolved: a client, a redirect URI and an endpoint with reserved characters.',
    mend: 'Build the query with an encoder (urlencode, URLSearchParams) and append it to that of the endpoint.',
  },
  {
    id: 'penguiflow-oauth/manager/endpoints-https',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §3.1',
    text: 'Nobody is sent to an authorization endpoint with plain http, unless on the same machine.',
    observed: 'A configuration whose authorization endpoint has the scheme http.',
    mend: 'Check the scheme when the configuration is read; allow http for loopback addresses only.',
  },
  {
    id: 'penguiflow-oauth/manager/unknown-provider',
    keyword: 'SHOULD',
    basis: 'specification',
    source: `${page}, OAuth manager`,
    text: 'A tool of a provider that is not configured fails, and nobody is sent away.',
    observed: 'The model calls a tool whose provider the manager does not know.',
    mend: 'Fail the call with an error that names the provider, before any pause.',
  },
]
