/** The Model Context Protocol, as challenges in tool results stand on it: a proposal, and the pages that it refers to. */

import type { Specification, SpecificationPage } from '../../../harness/engine/index.ts'

const site = 'https://modelcontextprotocol.io/specification'

const page = (path: string, headings: readonly string[]): SpecificationPage => ({
  url: `${site}/${path}`,
  headings,
})

const proposal = 'https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1489'

export const specification: Specification = {
  title: 'Model Context Protocol, tool errors that trigger OAuth flows (SEP-1489)',
  revision: 'draft of 17 September 2025, on 2025-11-25 and 2026-07-28',
  published: proposal,
  pages: {
    'SEP-1489': {
      url: proposal,
      headings: [
        'Summary',
        'Motivation',
        'Error Response Shape',
        'Client Behavior',
        'Server Behavior',
        'Compatibility',
        'Security Notes',
      ],
    },
    'MCP Authorization': page('2025-11-25/basic/authorization', [
      'Authorization Server Location',
      'Authorization Server Metadata Discovery',
      'Protected Resource Metadata Discovery Requirements',
      'Scope Selection Strategy',
      'Resource Parameter Implementation',
      'Canonical Server URI',
      'Access Token Usage',
      'Token Handling',
      'Scope Challenge Handling',
      'Runtime Insufficient Scope Errors',
      'Step-Up Authorization Flow',
      'Communication Security',
      'Authorization Code Protection',
      'Access Token Privilege Restriction',
      'Token Theft',
    ]),
    'MCP Authorization Server Discovery 2026-07-28': page(
      '2026-07-28/basic/authorization/authorization-server-discovery',
      ['Authorization Server Location'],
    ),
    'MCP Authorization 2026-07-28': page('2026-07-28/basic/authorization', [
      'Authorization Response Validation',
    ]),
    'OAuth 2.1 §5.1': {
      url: 'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-13#section-5.1',
      headings: [],
    },
    'MCP Tools': page('2025-11-25/server/tools', ['Tool Result']),
    'MCP Schema 2026-07-28': page('2026-07-28/schema', ['Result']),
  },
}
