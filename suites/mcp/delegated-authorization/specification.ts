/** The Model Context Protocol, as delegated authorization stands on it: a proposal, on the revisions with a handshake. */

import type { Specification } from '../../../harness/engine/index.ts'

const proposal = 'https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1028'

export const specification: Specification = {
  title: 'Model Context Protocol, delegated authorization (SEP-1028)',
  revision: 'proposal of 20 July 2025, on 2025-06-18 and 2025-11-25',
  published: proposal,
  pages: {
    'SEP-1028': {
      url: proposal,
      headings: [
        'Client Capability',
        'Authorization Request',
        'Authorization Result',
        'Protocol Flow',
        'Backward Compatibility',
        'OAuth Callback Capture',
        'OAuth Security Requirements',
        'Client Security Requirements',
        'Redirect URI Selection',
        'For Clients',
        'For Servers',
        'Error Handling',
      ],
    },
    'MCP Authorization': {
      url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization',
      headings: ['Token Handling', 'Error Handling'],
    },
    'MCP Security Best Practices': {
      url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices',
      headings: ['Session Hijacking'],
    },
  },
}

/** Why later revisions cannot carry it. */
export const notCarried =
  'revision 2026-07-28 has no requests of the server, so auth/request cannot be expressed: offer 2025-11-25 or 2025-06-18'
