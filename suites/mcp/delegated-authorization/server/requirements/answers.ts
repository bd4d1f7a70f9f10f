/** Requirements: what follows from the answer of the client. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const answers: readonly Requirement[] = [
  {
    id: 'mcp-delegated-authorization/server/declined-no-exchange',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Authorization Result',
    text: 'A result without url says that the user declined: nothing is redeemed, and the call ends as one that failed.',
    observed:
      'The client answers with an empty result. A result that is built like that of a call which was served is no failure.',
    mend: 'Where the result has no url, end the call with an error in words.',
  },
  {
    id: 'mcp-delegated-authorization/server/refuse-unregistered',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Redirect URI Selection',
    text: 'A server that offers redirect URIs does not redeem a callback at any other.',
    observed:
      'The genuine parameters of a callback on another origin, on a host before which the right one stands, on another path, on the same one in other case, by another scheme, at localhost in place of 127.0.0.1, and at another port, where no option leaves that open; where options are offered.',
    mend: 'Compare the callback URL without its query with the options that you have sent, placeholders aside.',
  },
  {
    id: 'mcp-delegated-authorization/server/check-callback-base',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 9700 §4.1, §4.4',
    text: 'Without options, too, a callback is redeemed only at the redirect URI of the request.',
    observed: 'The same where no options are offered.',
    mend: 'Compare the callback URL without its query with the redirect_uri that you have sent.',
  },
  {
    id: 'mcp-delegated-authorization/server/redeem-selected',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.3',
    text: 'The redirect URI that the client has selected is repeated at the token endpoint.',
    observed:
      'A client that selects the second option; the only redirect URI where none are offered.',
    mend: 'Send the callback URL that came back, without the parameters of the response, as redirect_uri.',
  },
  {
    id: 'mcp-delegated-authorization/server/bind-session',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 9700 §4.7, §4.5',
    text: 'A callback that answers the request of one session is not redeemed for the flow of another.',
    observed: 'Two users are asked; the client of one answers with the callback of the other.',
    mend: 'Keep state and verifier with the auth/request that they were made for, and compare with these alone.',
  },
  {
    id: 'mcp-delegated-authorization/server/tokens-off-wire',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'SEP-1028, OAuth Security Requirements',
    text: 'Access tokens never traverse MCP.',
    observed:
      'Everything that the server sent to its clients, scanned for every token in every encoding.',
    mend: 'Build results from the fields that are meant for the user; never copy an answer, a header or an exception into them.',
  },
  {
    id: 'mcp-delegated-authorization/server/no-passthrough',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Authorization, Token Handling',
    text: 'The token of the MCP client is not used for the third-party service.',
    observed:
      'Requests to the protected API and to the provider, for the tokens of the MCP clients.',
    mend: 'Call the API with tokens that were obtained for it, never with the token of the MCP request.',
  },
  {
    id: 'mcp-delegated-authorization/server/secrets-off-wire',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 7636 §7.1; RFC 6749 §10.1',
    text: 'Code verifiers and the client secret never traverse MCP.',
    observed: 'Everything that the server sent to its clients, scanned for them.',
    mend: 'Keep what belongs to a flow at the server, under its state; send the challenge only.',
  },
]
