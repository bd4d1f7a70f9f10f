/** The Model Context Protocol, as URL elicitation stands on it: two revisions, cited by their pages. */

import type { Specification, SpecificationPage } from '../../../harness/engine/index.ts'

const site = 'https://modelcontextprotocol.io/specification'

const page = (path: string, headings: readonly string[]): SpecificationPage => ({
  url: `${site}/${path}`,
  headings,
})

const elicitation = [
  'User Interaction Model',
  'Capabilities',
  'Protocol Messages',
  'Elicitation Requests',
  'Form Mode Elicitation Requests',
  'URL Mode Elicitation Requests',
  'Message Flow',
  'Response Actions',
  'Implementation Considerations',
  'Statefulness',
  'URL Mode Elicitation for Sensitive Data',
  'URL Mode Elicitation for OAuth Flows',
  'Understanding the Distinction',
  'Implementation Pattern',
  'Error Handling',
  'Security Considerations',
  'Safe URL Handling',
  'Identifying the User',
  'Form Mode Security',
  'Phishing',
]

const authorization = [
  'Access Token Usage',
  'Token Requirements',
  'Token Handling',
  'Error Handling',
]

export const specification: Specification = {
  title: 'Model Context Protocol, URL elicitation',
  revision: '2025-11-25 and 2026-07-28',
  published: `${site}/2025-11-25/client/elicitation`,
  pages: {
    'MCP Elicitation': page('2025-11-25/client/elicitation', [
      ...elicitation,
      'Completion Notifications for URL Mode Elicitation',
      'URL Elicitation Required Error',
    ]),
    'MCP Authorization': page('2025-11-25/basic/authorization', authorization),
    'MCP Base Protocol': page('2025-11-25/basic', ['Messages', 'Requests']),
    'MCP Transports': page('2025-11-25/basic/transports', ['stdio']),
    'MCP Elicitation 2026-07-28': page('2026-07-28/client/elicitation', elicitation),
    'MCP Multi Round-Trip Requests 2026-07-28': page('2026-07-28/basic/patterns/mrtr', [
      'Multi Round-Trip Requests',
      'Core Types',
      'InputRequests',
      'InputResponses',
      'InputRequiredResult',
      'Supported Requests',
      'Basic Workflow',
      'Server Requirements (Basic Workflow)',
      'Client Requirements (Basic Workflow)',
      'Error Handling',
      'Security Considerations',
    ]),
  },
}
