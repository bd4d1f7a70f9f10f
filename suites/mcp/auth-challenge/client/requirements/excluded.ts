/** Requirements: what no outside observer can judge. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'mcp-auth-challenge/client/support',
    keyword: 'MAY',
    basis: 'specification',
    source: 'SEP-1489, Compatibility',
    text: 'Clients that do not know the key ignore it.',
    excluded:
      'Whoever certifies for this profile has chosen; that such a client shows the content is show-content.',
  },
  {
    id: 'mcp-auth-challenge/client/choose-server',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Authorization, Authorization Server Location',
    text: 'Where the metadata names several authorization servers, the client chooses one.',
    excluded: 'Which one is right depends on the client; one choice is as good as another.',
  },
  {
    id: 'mcp-auth-challenge/client/no-link-local',
    keyword: 'SHOULD NOT',
    basis: 'best-practice',
    source: 'RFC 9728 §7.7',
    text: 'No address is asked that is local to a link or a network, as that of the metadata service of a cloud.',
    excluded:
      'Nobody can listen there without being part of the network, and a client that is tempted would really ask; the trap of no-ssrf stands on the loopback interface.',
  },
  {
    id: 'mcp-auth-challenge/client/not-to-model',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §10.3, §10.5',
    text: 'No token, code or verifier is told to a model.',
    excluded:
      'What a model is told is not recorded here; that nothing of it is shown, logged or sent to a server is no-secrets-in-results, no-secrets-in-logs and no-secrets-in-output.',
  },
]
