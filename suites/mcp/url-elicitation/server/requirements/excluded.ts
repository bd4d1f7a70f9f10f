/** Requirements: what no outside observer can judge. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/server/protect-state-storage',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Statefulness',
    text: 'Where state about users is stored, it is protected against unauthorized access.',
    excluded: 'Who else may read the storage of a server cannot be seen from outside.',
  },
  {
    id: 'mcp-url-elicitation/server/verify-client-claims',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Identifying the User',
    text: 'A server does not rely on what the client says about the user without verifying it.',
    excluded:
      'Which arguments of a tool would name a user differs from server to server; what follows from the token is judged by not-by-session-alone.',
  },
  {
    id: 'mcp-url-elicitation/server/resist-altered-urls',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Phishing',
    text: 'The mechanism that tells who the user is withstands an attacker who alters the URL of the elicitation.',
    excluded:
      'What the parameters of the URL mean is known to the server alone; what a stranger gets by opening it as it is, same-user judges.',
  },
  {
    id: 'mcp-url-elicitation/server/url-mode-for-secrets',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model',
    text: 'Interactions with sensitive information use URL mode.',
    excluded: 'Its observable part, that forms ask for no secrets, is no-secrets-by-form.',
  },
]
