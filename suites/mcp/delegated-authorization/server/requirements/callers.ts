/** Requirements: who calls, where the endpoint demands an access token. */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { notBySession, tokensDemanded, validTokens } from '../../../server/token-rows.ts'

export const callers: readonly Requirement[] = [
  {
    id: 'mcp-delegated-authorization/server/demand-tokens',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Authorization, Token Handling; MCP Authorization, Error Handling',
    text: 'A request without an access token is answered with 401, in a session as well.',
    ...tokensDemanded,
  },
  { id: 'mcp-delegated-authorization/server/validate-tokens', ...validTokens },
  {
    id: 'mcp-delegated-authorization/server/not-by-session-alone',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Security Best Practices, Session Hijacking',
    text: 'A session is no authentication: who calls is told by the access token of each request.',
    ...notBySession,
  },
]
