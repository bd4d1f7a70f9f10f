/** Requirements: what the client application makes of a credential request, and what it has its user open. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const flow = 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)'
const pipeline = 'adk-rs Authenticated tools, The resolution pipeline'

export const opening: readonly Requirement[] = [
  {
    id: 'adk-credential/client/request-detected',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'A credential request among the events of an answer is noticed, and its user is sent to the authorization URL.',
    observed:
      'Requests in either casing, alone and among other events, for a tool and for a set of tools, in the answer to another one, and after a denial; what is opened or shown afterwards.',
    mend: 'Look through every event of /run and /run_sse for a functionCall, or a functionResponse, that is named adk_request_credential, and open the URL of it.',
  },
  {
    id: 'adk-credential/client/auth-uri-unaltered',
    keyword: 'MUST',
    basis: 'best-practice',
    source: `${flow}; RFC 6749 §3.1, §4.1.1`,
    text: 'The authorization URL is opened as it came, with one redirect URI: its own where there is none, the one that is there otherwise.',
    observed:
      'The opened URL beside the one of the request, whose redirect_uri is absent, empty or set: to that of the client application, also with a query.',
    mend: 'Parse the URL, set redirect_uri where it is absent or empty, leave everything else, and never append it twice.',
  },
  {
    id: 'adk-credential/client/unsafe-uri-not-opened',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §3.1, §3.1.2.1; RFC 9700 §2.6',
    text: 'Only https URLs are opened, and http URLs of the loopback interface.',
    observed:
      'Requests with a script, also around the URL of a web page, a file, data, plain http, another scheme at the loopback interface, and no URL at all in place of it.',
    mend: 'Parse the URL, and check that its scheme is https before you open it or make it a link. If it is not, tell the user why it is not opened.',
  },
]
