/** Requirements: multi round-trip requests, which carry elicitations from revision 2026-07-28 on. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

const since = '2026-07-28'
const source = 'MCP Multi Round-Trip Requests 2026-07-28, Client Requirements (Basic Workflow)'

export const roundTrips: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/client/echo-state',
    keyword: 'MUST',
    basis: 'specification',
    source,
    since,
    text: 'The retry has the exact requestState of the result, and none where the result has none.',
    observed: 'A state that anybody who parses it changes, and a result without one.',
    mend: 'Keep requestState as a text and send it back unread; leave it out where there was none.',
  },
  {
    id: 'mcp-url-elicitation/client/repeat-request',
    keyword: 'MUST',
    basis: 'specification',
    source,
    since,
    text: 'What is made again is the original request: the same tool, with the same arguments.',
    observed: 'Name and arguments of both.',
    mend: 'Send the parameters of the first request again, with inputResponses and requestState added.',
  },
  {
    id: 'mcp-url-elicitation/client/new-id',
    keyword: 'MUST',
    basis: 'specification',
    source,
    since,
    text: 'The retry has another JSON-RPC id than the first request.',
    observed: 'The ids of both.',
    mend: 'Send the retry as a request of its own.',
  },
  {
    id: 'mcp-url-elicitation/client/answer-keys',
    keyword: 'MUST',
    basis: 'specification',
    source: `${source}; MCP Multi Round-Trip Requests 2026-07-28, InputResponses`,
    since,
    text: 'The retry has the inputs that were asked for, each under the key of its request.',
    observed: 'The keys of inputResponses; that of the request has blanks and a slash.',
    mend: 'Build inputResponses with the keys of inputRequests, as they are.',
  },
  {
    id: 'mcp-url-elicitation/client/state-only-in-retry',
    keyword: 'MUST NOT',
    basis: 'specification',
    source,
    since,
    text: 'inputRequests and requestState are used for no other request than the retry.',
    observed: 'Every request that is no retry, with a second call of the same tool among them.',
    mend: 'Keep the state with the call that it belongs to, not with the connection.',
  },
]
