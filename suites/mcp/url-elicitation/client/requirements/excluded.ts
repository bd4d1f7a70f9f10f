/** Requirements: what no outside observer can judge. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/client/secure-browser',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'The URL is opened so that neither client nor model can inspect what is shown or typed there.',
    excluded:
      'Whether a window belongs to the browser of the user or to the client cannot be seen from outside; that nothing is fetched before consent is no-prefetch.',
  },
  {
    id: 'mcp-url-elicitation/client/highlight-domain',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'The domain of the URL is highlighted.',
    excluded: 'How a text looks cannot be read from it; that the host is shown is show-host.',
  },
  {
    id: 'mcp-url-elicitation/client/no-clickable-fields',
    keyword: 'SHOULD NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'No URL is clickable in any field of an elicitation but in url.',
    excluded: 'What can be clicked in a user interface cannot be read from its text.',
  },
  {
    id: 'mcp-url-elicitation/client/limit-rate',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Security Considerations',
    text: 'Elicitations are limited in rate.',
    excluded: 'No threshold is given, so no number of elicitations shows that there is a limit.',
  },
  {
    id: 'mcp-url-elicitation/client/approval-controls',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Security Considerations',
    text: 'There are controls for users to approve, and to decline at any time.',
    excluded:
      'Its observable part, that a user can agree, decline and cancel, is accept-after-consent and decline-and-cancel.',
  },
  {
    id: 'mcp-url-elicitation/client/respect-privacy',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model',
    text: 'The privacy of the user is respected.',
    excluded: 'What a client does with what it knows cannot be seen from outside.',
  },
  {
    id: 'mcp-url-elicitation/client/review-forms',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model',
    text: 'In form mode users can review and modify their answers before they are sent.',
    excluded: 'Forms are not what this profile is about.',
  },
]
