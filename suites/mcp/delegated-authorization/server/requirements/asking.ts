/** Requirements: when and how a server asks its client to have the user authorize it. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const asking: readonly Requirement[] = [
  {
    id: 'mcp-delegated-authorization/server/gate-capability',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'SEP-1028, Backward Compatibility',
    text: 'No auth/request is sent to a client that has not declared delegated_authorization.',
    observed:
      'A call from a client that declares nothing, while others have declared it; watched for auth/request.',
    mend: 'Look at the capabilities of this very session before asking; without the capability, end the call in words.',
  },
  {
    id: 'mcp-delegated-authorization/server/degrade',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1028, Backward Compatibility',
    text: 'A call that needs authorization ends where the client cannot help: with a result or an error.',
    observed: 'A call from a client that declares nothing.',
    mend: 'When the client declares no support, end the call with an error result which says that authorization is needed.',
  },
  {
    id: 'mcp-delegated-authorization/server/request-valid',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Authorization Request',
    text: 'auth/request has an absolute url, a message for people, and redirect_uri_options, if any, as a list of texts.',
    observed: 'Every auth/request of the whole run.',
    mend: 'Send params with url, message and, if there are several redirect URIs, redirect_uri_options: string[].',
  },
  {
    id: 'mcp-delegated-authorization/server/url-complete',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Authorization Request',
    text: 'The url is the complete OAuth authorization URL: it needs nothing but the user.',
    observed:
      'The parameters of the url, and that it leads to the authorization endpoint itself. One that refers to a pushed or signed request may leave the others out.',
    mend: 'Send the URL of the authorization endpoint with client_id and all other parameters, not that of a page of your own.',
  },
  {
    id: 'mcp-delegated-authorization/server/options-registered',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, OAuth Security Requirements',
    text: 'Every redirect URI that is offered is registered with the provider.',
    observed:
      'The authorization URL with each of redirect_uri_options: the provider takes it. Templates with other places than {port} are left out.',
    mend: 'Offer only redirect URIs that the provider knows; for {port}, one of the loopback interface (RFC 8252 §7.3).',
  },
  {
    id: 'mcp-delegated-authorization/server/survive-unsupported',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1028, Backward Compatibility',
    text: 'A client that answers auth/request with an error, whatever its code, cannot help: the call ends as one that failed, and the next one is answered.',
    observed: 'The codes -32601, -32602 and -32603, each followed by another call.',
    mend: 'Treat every error in answer to auth/request as "the client cannot help": end the call with an error result and keep the session.',
  },
]
