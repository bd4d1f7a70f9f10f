/** Requirements: what a client does not fall for. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const refusing: readonly Requirement[] = [
  {
    id: 'mcp-auth-challenge/client/require-error-flag',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Client Behavior; SEP-1489, Error Response Shape',
    text: 'A result that has the key but is not an error starts no flow.',
    observed: 'Pages and authorization requests after such a result.',
    mend: 'Check isError first. Without isError: true, ignore the key.',
  },
  {
    id: 'mcp-auth-challenge/client/validate-resource',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Security Notes; MCP Authorization, Canonical Server URI; RFC 9728 §3.3',
    text: 'Metadata that names another resource than the server that is called begins no flow.',
    observed:
      'Pages and authorization requests, where the metadata names another origin, also by its scheme alone, or another path, also by its case alone, or one below its own.',
    mend: 'Compare resource with the URL of the server: the same origin, and the same path or one above it, before anything else of the document is used.',
  },
  {
    id: 'mcp-auth-challenge/client/validate-metadata-issuer',
    keyword: 'MUST',
    basis: 'specification',
    source:
      'MCP Authorization, Authorization Server Metadata Discovery; SEP-1489, Security Notes; RFC 8414 §3.3',
    text: 'Metadata of an authorization server that names another issuer begins no flow.',
    observed:
      'Pages and authorization requests, where issuer is missing, or not what it was fetched for.',
    mend: 'Compare issuer with the value of authorization_servers character by character.',
  },
  {
    id: 'mcp-auth-challenge/client/validate-response-issuer',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Authorization 2026-07-28, Authorization Response Validation; RFC 9207 §2.4',
    since: '2026-07-28',
    text: 'On revision 2026-07-28 a code is redeemed only where its response names the issuer of the metadata, character by character; without iss only where the metadata promises none; of an error whose response names another issuer nothing is shown.',
    observed:
      'Token requests after a response with another iss, with one that has a slash more, begins alike or is in capitals, and without iss, though the metadata promises it; after one with another iss that it does not promise; and what is shown of an error with another iss.',
    mend: 'Keep the issuer of the metadata with the state and the verifier, and compare iss of the callback with it as a string before anything else of the response is used.',
  },
  {
    id: 'mcp-auth-challenge/client/verify-pkce-support',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Authorization, Authorization Code Protection',
    text: 'An authorization server whose metadata has no code_challenge_methods_supported, or an empty one, begins no flow.',
    observed:
      'Pages and authorization requests, where the metadata lacks it, also where that is of OpenID Connect Discovery alone, or names no method.',
    mend: 'Look for S256 in code_challenge_methods_supported, and refuse to proceed without.',
  },
  {
    id: 'mcp-auth-challenge/client/refuse-unsafe-url',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §3.1; MCP Authorization, Communication Security; RFC 8252 §8.12',
    text: 'An authorization endpoint that is not an https URL is not opened.',
    observed:
      'What is opened, where the metadata of the authorization server names a file, another program or a site without TLS.',
    mend: 'Parse authorization_endpoint before a flow begins, and refuse every scheme but https.',
  },
  {
    id: 'mcp-auth-challenge/client/no-ssrf',
    keyword: 'SHOULD NOT',
    basis: 'best-practice',
    source: 'RFC 9728 §7.7, §3; RFC 8414 §3; RFC 6749 §3.2',
    text: 'What a server names is not asked without TLS: the metadata of a challenge, the goal of a redirect, an authorization server, its token endpoint.',
    observed:
      'Requests at a site without TLS, which challenge, metadata, or a redirect of either metadata name.',
    mend: 'Fetch https URLs only, follow no redirects when fetching metadata, and refuse addresses of your own network unless the server itself is there.',
  },
  {
    id: 'mcp-auth-challenge/client/survive-bad-metadata',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'SEP-1489, Client Behavior; RFC 9728 §3.2',
    text: 'Unreadable metadata ends only that flow.',
    observed: 'The next call of the user after HTTP 500, a wrong document and a truncated one.',
    mend: 'When a fetch or a parse fails, end the call and show the content of the result.',
  },
  {
    id: 'mcp-auth-challenge/client/token-to-own-origin',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Authorization, Token Handling, Access Token Privilege Restriction; RFC 8707 §2',
    text: 'A token is sent to the server that it was requested for, and to nobody else: no other server, no metadata.',
    observed:
      'Every request to another server, which has the same authorization server, perhaps the same host, or to which the endpoint redirects, and every fetch of metadata, scanned for tokens.',
    mend: 'Keep tokens by the resource that they were requested for, and add the header to requests of the MCP endpoint only.',
  },
  {
    id: 'mcp-auth-challenge/client/tokens-to-own-issuer',
    keyword: 'MUST NOT',
    basis: 'specification',
    source:
      'MCP Authorization, Token Theft; RFC 6749 §10.4; MCP Authorization Server Discovery 2026-07-28, Authorization Server Location',
    text: 'What one authorization server has issued, a refresh token above all, is not sent to another.',
    observed:
      'Every request to the authorization server that the metadata names later on, scanned for tokens of the one before.',
    mend: 'Keep tokens with the issuer that they came from, and begin a new flow where the metadata names another.',
  },
  {
    id: 'mcp-auth-challenge/client/token-not-in-url',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Authorization, Access Token Usage',
    text: 'A token is sent in the Authorization header, and not in the query string, not even beside the header.',
    observed: 'The URL of every request to an MCP server, scanned for tokens.',
    mend: 'Leave the URL of the endpoint as it is, and send Authorization: Bearer.',
  },
]
