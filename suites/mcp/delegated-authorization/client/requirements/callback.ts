/** Requirements: where the browser comes back to, and what is returned of it. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const callback: readonly Requirement[] = [
  {
    id: 'mcp-delegated-authorization/client/decline-empty',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Authorization Result',
    text: 'Where the user declines, the result has no url.',
    observed: 'The user declines. That nothing is opened then, consent-before-opening judges.',
    mend: 'Answer with an empty result.',
  },
  {
    id: 'mcp-delegated-authorization/client/callback-exact',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Authorization Result',
    text: 'The callback URL is returned complete: where it came to, and every parameter with its value.',
    observed:
      'Callbacks with parameters of all sorts and with odd escapes: origin, path and every decoded value are compared. Also of two servers that ask at once.',
    mend: 'Return the redirect URI with the query of the request as it came, not one that was put together anew.',
  },
  {
    id: 'mcp-delegated-authorization/client/callback-bytes',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1028, Authorization Result',
    text: 'The callback URL is returned as it came, byte by byte.',
    observed: 'The same callbacks.',
    mend: 'Return the request target of the callback as it was received; do not parse it and build it again.',
  },
  {
    id: 'mcp-delegated-authorization/client/validate-callback',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Client Security Requirements',
    text: 'What comes to the listener and is not the callback is not returned: another path, another state, neither code nor error.',
    observed:
      'Requests of all kinds before the genuine callback, each kind first in a scenario of its own: some end the flow at the first one.',
    mend: 'Compare path and state with those of the URL that was opened, ask for code or error, and go on listening otherwise.',
  },
  {
    id: 'mcp-delegated-authorization/client/provider-error-returned',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1028, Error Handling',
    text: 'A callback with an error is returned like any other: what it means is for the server.',
    observed: 'The user denies at the authorization server.',
    mend: 'Return a callback with error=... as the result, as you return one with a code.',
  },
  {
    id: 'mcp-delegated-authorization/client/first-option',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Redirect URI Selection',
    text: 'Of redirect_uri_options the first one that the client supports is selected.',
    observed:
      'Two loopback redirect URIs in either order, and behind ones that no client at a terminal supports. The URL that is opened, and the callback.',
    mend: 'Go through the options from the first, and take the first that you can listen at.',
  },
  {
    id: 'mcp-delegated-authorization/client/options-optional',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Authorization Request',
    appliesTo: 'clients that listen at a port that a request names',
    text: 'redirect_uri_options may be missing: then the redirect goes where the URL says.',
    observed:
      'A request that offers the redirect URI of its URL, then one that offers nothing. Who refuses both listens at no port that is given, which is open.',
    mend: 'Where redirect_uri_options is missing, listen at the redirect_uri of the URL.',
  },
  {
    id: 'mcp-delegated-authorization/client/no-substitution',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'SEP-1028, Redirect URI Selection',
    text: 'No redirect URI is used that the server has not offered.',
    observed:
      'redirect_uri of URLs that are opened, with options and without: as it was, or one of the options with a port.',
    mend: 'Fill the port into an option and nothing else; leave redirect_uri alone where none is supported.',
  },
  {
    id: 'mcp-delegated-authorization/client/no-logging',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'SEP-1028, Client Security Requirements',
    text: 'Authorization codes and callback URLs are neither logged nor stored.',
    observed:
      'Standard output and error of the client, declared logs, its data folder and declared stores, for every code, and for the query of callbacks with an error.',
    mend: 'Log that a callback came, not what it was; keep it in memory until it is returned.',
  },
  {
    id: 'mcp-delegated-authorization/client/code-to-asker-only',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §10.5',
    text: 'The code goes to the server that has asked, in its answer, and nowhere else on MCP.',
    observed:
      'Everything that the client sent to its servers, for every code; two servers that ask at once.',
    mend: 'Put the callback URL into the answer to auth/request alone.',
  },
  {
    id: 'mcp-delegated-authorization/client/clear-state',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1028, For Clients',
    text: 'When it is over, nobody listens for callbacks any more.',
    observed:
      'A connection to the port of the redirect after the answer: to a code, to an error, and to a decline.',
    mend: 'Close the callback listener as soon as the answer is sent, also after an error or a timeout.',
  },
  {
    id: 'mcp-delegated-authorization/client/loopback-only',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 8252 §8.3',
    text: 'The listener is open on the loopback address alone.',
    observed: 'Connections to its port at other addresses of the machine while it waits.',
    mend: 'Bind the listener to 127.0.0.1 or ::1, not to 0.0.0.0.',
  },
]
