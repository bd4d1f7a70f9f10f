/** Requirements: from the challenge to the call that is made again. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const following: readonly Requirement[] = [
  {
    id: 'mcp-auth-challenge/client/follow-chain',
    keyword: 'MUST',
    basis: 'specification',
    source:
      'SEP-1489, Client Behavior; MCP Authorization, Protected Resource Metadata Discovery Requirements; MCP Authorization, Authorization Server Metadata Discovery; RFC 8414 §3.1; RFC 9110 §11.1, §11.2',
    text: 'A challenge in the result of a tool is followed: to the metadata of the resource, to its authorization server, and there to a flow.',
    observed:
      'The fetch of resource_metadata, wherever that is, and an authorization request, for the first challenge of a client and for later ones, also for one that spells the scheme or its parameters in another case or names no scope, and where the issuer has a path, as the client does for HTTP 401.',
    mend: 'Look at _meta["mcp/www_authenticate"] of every result that has isError: true, wherever results are handled, and hand it to the code that handles HTTP 401.',
  },
  {
    id: 'mcp-auth-challenge/client/find-unnamed-metadata',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'MCP Authorization, Protected Resource Metadata Discovery Requirements; RFC 9728 §3.1',
    text: 'Where a challenge names no metadata, it is looked for at the well-known URIs of the server, as for HTTP 401.',
    observed:
      'An authorization request, where the metadata stands at one of the two well-known URIs, with the path of the endpoint, where other metadata stands at the root, or at the root alone, and the challenge has no resource_metadata.',
    mend: 'Without resource_metadata, fetch /.well-known/oauth-protected-resource with the path of the endpoint, and then without it.',
  },
  {
    id: 'mcp-auth-challenge/client/scopes-of-metadata',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Authorization, Scope Selection Strategy',
    text: 'Where a challenge names no scope, those of scopes_supported are requested, all of them.',
    observed:
      'The scope of the authorization request after a challenge without one, where the metadata of the resource has two in scopes_supported.',
    mend: 'Take the scope of the challenge; without one join scopes_supported of the metadata of the resource, and leave scope out where that is missing, too.',
  },
  {
    id: 'mcp-auth-challenge/client/accept-string',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Error Response Shape',
    text: 'A challenge that is a string, and not in an array, is understood.',
    observed: 'An authorization request, as for an array of one.',
    mend: 'If the value is not an array, wrap it into an array before you read it.',
  },
  {
    id: 'mcp-auth-challenge/client/accept-list',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Error Response Shape; SEP-1489, Client Behavior; RFC 9110 §11.6.1',
    text: 'The Bearer challenge is found among others: in a later string, and in a string that lists several.',
    observed: 'An authorization request, where Negotiate or Basic stands before Bearer.',
    mend: 'Parse each string as a list of challenges, in which commas also separate parameters and may stand in quotes, and take the Bearer one.',
  },
  {
    id: 'mcp-auth-challenge/client/retry-with-token',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Client Behavior; MCP Authorization, Access Token Usage',
    text: 'Once a token is obtained, the tool call is made again with it: once, with the same arguments.',
    observed:
      'Calls of the tool with an Authorization header after the token was issued, also where two were challenged before; arguments of every kind, compared with those of the call that was challenged.',
    mend: 'Keep name and arguments of the call that was challenged, and send them again with Authorization: Bearer; a new session is fine.',
  },
  {
    id: 'mcp-auth-challenge/client/token-in-later-calls',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Authorization, Access Token Usage',
    text: 'Once a token is obtained, later calls of the same server carry it from the start, and so does every other request to it.',
    observed:
      'The next call of the user, after one that was served with the token, and every other request meanwhile: the answer to a ping, for one.',
    mend: 'Keep the token with the server that it is for, and add Authorization: Bearer to every request of its endpoint.',
  },
  {
    id: 'mcp-auth-challenge/client/no-retry-without-token',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'SEP-1489, Client Behavior',
    text: 'Until a token is obtained, the call is not repeated, not even in a new session.',
    observed: 'Calls of the tool while its user has not signed in yet.',
    mend: 'Retry when the token is there, not on a timer and not by reconnecting.',
  },
  {
    id: 'mcp-auth-challenge/client/bounded',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Authorization, Step-Up Authorization Flow',
    text: 'A call that is challenged again and again, whatever token it has, is given up after a few times.',
    observed:
      'Calls with a token while each of them is challenged, and every page approved; and what is shown at the end.',
    mend: 'Count the flows for one call, and report the error of the server after two or three.',
  },
  {
    id: 'mcp-auth-challenge/client/resource-parameter',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Authorization, Resource Parameter Implementation; RFC 8707 §2',
    text: 'Authorization request and token request name the MCP server by resource.',
    observed: 'The parameter at both endpoints, compared with the endpoint of the server.',
    mend: 'Send resource with the canonical URI of the server to the authorization endpoint and to the token endpoint.',
  },
  {
    id: 'mcp-auth-challenge/client/denied',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Client Behavior; RFC 6749 §4.1.2.1',
    text: 'When the user denies, nothing is retried, and the user is told.',
    observed: 'Calls of the tool, pages, and what is shown after the redirect with access_denied.',
    mend: 'End the call with the words of the server or of the error, and wait until the user calls again.',
  },
  {
    id: 'mcp-auth-challenge/client/show-content',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1489, Client Behavior; SEP-1489, Compatibility',
    text: 'When no flow can start, the content of the result is shown.',
    observed: 'What is shown for a result that challenges with Negotiate and Basic.',
    mend: 'Treat a challenge that cannot be followed as what it is besides: an error result with a text.',
  },
]
