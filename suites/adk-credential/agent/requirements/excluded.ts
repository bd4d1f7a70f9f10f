/** Requirements: what no outside observer can judge, or not yet. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const pipeline = 'adk-rs Authenticated tools, The resolution pipeline'

export const excluded: readonly Requirement[] = [
  {
    id: 'adk-credential/agent/tool-not-run-while-pending',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: pipeline,
    text: 'The tool is not run before there is a credential.',
    excluded:
      'A run without a token leaves no trace at the API; that it has no result is judged by request-before-result.',
  },
  {
    id: 'adk-credential/agent/plaintext-token-endpoint-refused',
    keyword: 'MUST',
    basis: 'specification',
    source: pipeline,
    text: 'Nothing is sent to a token endpoint that is neither https nor on the loopback interface.',
    excluded: 'The suite listens on the loopback interface alone, where plain http is allowed.',
  },
  {
    id: 'adk-credential/agent/misconfigured-reported',
    keyword: 'MUST',
    basis: 'specification',
    source: pipeline,
    text: 'A tool whose AuthConfig cannot be resolved is reported to the model as an error.',
    excluded: 'It needs a tool that is misconfigured on purpose, which no vendor ships.',
  },
  {
    id: 'adk-credential/agent/ready-credential-no-pause',
    keyword: 'MUST',
    basis: 'specification',
    source: `${pipeline}; adk-rs Authenticated tools, OAuth2 sketch`,
    text: 'A credential that is ready, or needs no user, asks for none.',
    excluded:
      'Tools with an API key or client credentials hand nobody over, and this profile is about those that do.',
  },
  {
    id: 'adk-credential/agent/toolset-request-first',
    keyword: 'MUST',
    basis: 'specification',
    source: pipeline,
    text: 'A whole toolset is authorized before its tools are discovered, under an id with the prefix _adk_toolset_auth_.',
    excluded:
      'When tools are discovered is not seen at the API; such requests are answered like any other.',
  },
  {
    id: 'adk-credential/agent/state-compared-in-constant-time',
    keyword: 'MUST',
    basis: 'specification',
    source: pipeline,
    text: 'The state is compared in constant time.',
    excluded: 'Differences of time within a process cannot be told from those of the machine.',
  },
  {
    id: 'adk-credential/agent/credential-key-derived',
    keyword: 'MUST',
    basis: 'specification',
    source: 'adk-rs Authenticated tools, The type layer',
    text: 'Without a key of its own, an AuthConfig has a stable digest of scheme and raw credential as key.',
    excluded:
      'The key is an inner name; what it is for, several-requests-distinct and reuse-stored-token judge.',
  },
]
