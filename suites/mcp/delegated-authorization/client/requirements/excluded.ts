/** Requirements: what no outside observer can judge, or not here. */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { notCarried } from '../../specification.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'mcp-delegated-authorization/client/later-revisions',
    keyword: 'MAY',
    basis: 'specification',
    source: 'SEP-1028, Client Capability',
    text: 'The capability is declared in initialize.',
    excluded: `It is carried by the revisions with a handshake alone: ${notCarried}.`,
  },
  {
    id: 'mcp-delegated-authorization/client/manual-capture',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1028, For Clients',
    text: 'The callback can also be entered by hand.',
    excluded: 'How a client takes what its user types differs from client to client.',
  },
  {
    id: 'mcp-delegated-authorization/client/secure-browser',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Client Security Requirements',
    text: 'URLs are opened in a secure browser context that prevents inspection.',
    excluded:
      'What a browser lets others see is not visible here; that the client loads nothing itself, no-own-request judges.',
  },
  {
    id: 'mcp-delegated-authorization/client/not-to-model',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §10.5',
    text: 'Neither code nor callback URL reaches a model.',
    excluded:
      'Agents hide the tools of MCP behind tools of their own, which no scripted model knows; that the code is in no output and in no other message, no-logging and code-to-asker-only judge.',
  },
]
