/** Requirements: whose authorization it is, and what must not travel. */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { notBySession, tokensDemanded, validTokens } from '../../../server/token-rows.ts'

export const identity: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/server/credentials-off-wire',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Understanding the Distinction',
    text: 'Credentials of the third party do not transit through the MCP client.',
    observed:
      'Everything that the server sent to its clients, scanned for every code, token and client secret in every encoding.',
    mend: 'Build results from the fields that are meant for the user; never copy an answer, a header or an exception into them.',
  },
  {
    id: 'mcp-url-elicitation/server/no-passthrough',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Understanding the Distinction; MCP Authorization, Token Handling',
    text: "The client's credentials are not used for the third-party service.",
    observed:
      'Requests to the protected API and to the provider, for the tokens of the MCP clients.',
    mend: 'Call the API with tokens that were obtained for it, never with the token of the MCP request.',
  },
  {
    id: 'mcp-url-elicitation/server/not-for-itself',
    keyword: 'MUST NOT',
    basis: 'specification',
    source:
      'MCP Elicitation, URL Mode Elicitation for OAuth Flows; MCP Authorization, Token Handling',
    text: 'A server does not rely on URL elicitation to authorize users for itself: without a valid token the answer is 401.',
    ...tokensDemanded,
  },
  { id: 'mcp-url-elicitation/server/validate-tokens', ...validTokens },
  {
    id: 'mcp-url-elicitation/server/not-by-session-alone',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Statefulness',
    text: 'State about a user is not associated with the session id alone.',
    ...notBySession,
  },
  {
    id: 'mcp-url-elicitation/server/bind-requests',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Security Considerations',
    text: 'An elicitation is bound to the client and the user that it was sent to: the answer of anybody else is none.',
    observed:
      "While a user is asked, another user's client declines on its own connection, by the id of that request, or with a token of its own in the session of that user. That client, which calls nothing, is asked nothing in the place of the user.",
    mend: 'Keep the requests that wait for an answer with the session that they were sent to, and look for an answer among those of its own session only; refuse requests in a session that come with the token of another user.',
  },
  {
    id: 'mcp-url-elicitation/server/same-user',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Phishing',
    text: 'The user who completes the authorization is the one who started the elicitation.',
    observed:
      'Another user, logged in at the server as somebody else, opens the URL and authorizes, or does so at the provider after the initiator has opened it, or in a browser that was brought the way back of a login which the initiator began; the initiator tries again. Who is told that it is complete counts, too. The cookies that a browser brings along which is let in: whether anybody could write them.',
    mend: 'Let the URL lead to a page of your own that compares who is logged in in that browser with the subject of the MCP token, and compare once more when the browser comes back, or bind the state to that browser by a cookie, that of a login, too (RFC 9700 §4.7). Let the cookie of a login be a random value that is looked up, or be signed.',
  },
  {
    id: 'mcp-url-elicitation/server/not-preauthenticated',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'The URL is not pre-authenticated: whoever opens it does not act as the user who was asked.',
    observed:
      'The URL is opened in a browser in which nobody has logged in, and another user authorizes there; the initiator tries again.',
    mend: 'Demand a login of the browser that opens the URL; what is in the URL proves nothing.',
  },
]
