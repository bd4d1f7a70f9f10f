/** Requirements: multi round-trip requests, which carry elicitations from revision 2026-07-28 on. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

const since = '2026-07-28'

export const roundTrips: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/server/input-required-valid',
    keyword: 'MUST',
    basis: 'specification',
    source:
      'MCP Multi Round-Trip Requests 2026-07-28, InputRequiredResult; MCP Multi Round-Trip Requests 2026-07-28, Server Requirements (Basic Workflow)',
    since,
    text: 'A result that asks for input says so by its resultType, and has inputRequests or requestState; the former hold requests of the kinds that are allowed, the latter is a string.',
    observed: 'Every such result of the whole run.',
    mend: 'Give every result that asks resultType "input_required", and inputRequests with elicitation/create, sampling/createMessage or roots/list, or a requestState.',
  },
  {
    id: 'mcp-url-elicitation/server/ask-again',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Multi Round-Trip Requests 2026-07-28, Error Handling',
    since,
    text: 'Where a retry lacks the input that is needed, it is asked for again rather than answered by an error.',
    observed:
      'A retry with the state and without any inputResponses; where it is left unanswered, the user authorizes.',
    mend: 'When inputResponses lacks an answer, return input_required with the same request again.',
  },
  {
    id: 'mcp-url-elicitation/server/state-integrity',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Multi Round-Trip Requests 2026-07-28, Server Requirements (Basic Workflow)',
    since,
    text: 'requestState is input of an attacker: state that fails verification is rejected, and gives nobody what they have no right to.',
    observed:
      'Once its user has authorized, a stranger brings requestState with another value of each member in turn, and, where the endpoint demands tokens, with one member more.',
    mend: 'Seal requestState with a MAC or AEAD, and reject what does not verify.',
  },
  {
    id: 'mcp-url-elicitation/server/state-bound',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Multi Round-Trip Requests 2026-07-28, Server Requirements (Basic Workflow)',
    since,
    text: 'requestState names its principal, and is rejected when another one presents it.',
    observed:
      'Another user, with a token of their own, presents the state of a user who has authorized.',
    mend: 'Sign the user into requestState (or store it there by reference), and compare it with the user of the retry.',
  },
  {
    id: 'mcp-url-elicitation/server/state-for-its-request',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Multi Round-Trip Requests 2026-07-28, Server Requirements (Basic Workflow)',
    since,
    text: 'requestState names the request that it was made for, and is rejected on one that does not match.',
    observed:
      'While its user is still asked, the state of one call comes with a call of other arguments (tool.otherArguments); then the user authorizes.',
    mend: 'Put the method and a digest of the arguments into requestState, and compare them on the retry.',
  },
  {
    id: 'mcp-url-elicitation/server/removed-features',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Multi Round-Trip Requests 2026-07-28, Multi Round-Trip Requests',
    since,
    text: 'No request is sent to the client, and no -32042: what the client is asked for is in a result.',
    observed: 'Everything that is sent on connections of that revision.',
    mend: 'On revision 2026-07-28 answer with an input_required result instead of a request or the error -32042.',
  },
]
