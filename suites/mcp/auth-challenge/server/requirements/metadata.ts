/** Requirements: where the challenge leads. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const metadata: readonly Requirement[] = [
  {
    id: 'mcp-auth-challenge/server/metadata-url',
    keyword: 'MUST',
    basis: 'specification',
    source:
      'SEP-1489, Server Behavior; MCP Authorization, Protected Resource Metadata Discovery Requirements; RFC 9728 §3.2, §5.1',
    text: 'The Bearer challenge has a resource_metadata parameter, an absolute https URL that answers 200 with JSON.',
    observed: 'The parameter, and a GET of the URL; http is accepted for the loopback interface.',
    mend: 'Put the absolute URL of /.well-known/oauth-protected-resource of this server into resource_metadata, and answer it without a token by 200 and application/json.',
  },
  {
    id: 'mcp-auth-challenge/server/metadata-in-later-challenges',
    keyword: 'SHOULD',
    basis: 'specification',
    source:
      'MCP Authorization, Runtime Insufficient Scope Errors; SEP-1489, Server Behavior; RFC 9728 §5.1',
    text: 'A challenge to a token that has expired, or lacks a scope, names the metadata like the first one.',
    observed: 'The same, of the challenges to such tokens.',
    mend: 'Build every challenge by one function, which always adds resource_metadata.',
  },
  {
    id: 'mcp-auth-challenge/server/metadata-valid',
    keyword: 'MUST',
    basis: 'specification',
    source:
      'SEP-1489, Server Behavior; MCP Authorization, Authorization Server Location; RFC 9728 §2',
    text: 'What stands there is protected resource metadata: it names the resource and at least one authorization server.',
    observed: 'The members resource and authorization_servers of the document.',
    mend: 'Serve {"resource": "https://this-server/mcp", "authorization_servers": ["https://issuer"]}; the metadata of the authorization server itself is another document.',
  },
  {
    id: 'mcp-auth-challenge/server/metadata-covers-endpoint',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Server Behavior; MCP Authorization, Canonical Server URI; RFC 9728 §3.3',
    text: 'The resource that the metadata names is this MCP server: the origin and the path of the endpoint, or what stands above it.',
    observed: 'The member resource, compared with the endpoint that was called.',
    mend: 'Name the public URL of the MCP endpoint as resource; behind a proxy, configure that URL instead of deriving it.',
  },
  {
    id: 'mcp-auth-challenge/server/metadata-exact',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9728 §3.3',
    text: 'The resource is identical to the URL that the client called.',
    observed: 'The member resource, compared with the endpoint character by character.',
    mend: 'Name the endpoint with its path, and without a slash that it does not have: clients that compare strictly refuse anything else.',
  },
  {
    id: 'mcp-auth-challenge/server/not-misleading',
    keyword: 'SHOULD NOT',
    basis: 'specification',
    source: 'SEP-1489, Security Notes',
    text: 'Neither the URL of the metadata nor what stands there is steered by what a request claims about its host.',
    observed:
      'Calls and fetches with X-Forwarded-Host, Forwarded, X-Forwarded-Proto and their like that nobody in between has set, and with an Origin elsewhere.',
    mend: 'Build both from a configured public URL; evaluate forwarding headers only where they come from a proxy that is known.',
  },
  {
    id: 'mcp-auth-challenge/server/chain-resolves',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Client Behavior; MCP Authorization, Authorization Server Location',
    text: 'The metadata leads to the authorization server that issues the tokens.',
    observed:
      'The metadata of an authorization server that the document names, as clients look for it.',
    mend: 'Name the issuer in authorization_servers exactly as its own metadata does.',
  },
]
