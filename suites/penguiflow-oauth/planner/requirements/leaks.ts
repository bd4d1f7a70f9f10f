/** Requirements: what must not carry secrets. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const page = 'PenguiFlow OAuth & HITL'

export const leaks: readonly Requirement[] = [
  {
    id: 'penguiflow-oauth/planner/no-token-in-model',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: `${page}, Security / multi-tenancy notes`,
    text: 'No access token is given to the model.',
    observed:
      'Every request to the scripted model, scanned for every token in every encoding; also what it is told when the API fails.',
    mend: 'Keep tokens in tool_context and headers; build llm_context and results without them.',
  },
  {
    id: 'penguiflow-oauth/planner/no-state-in-model',
    keyword: 'SHOULD NOT',
    basis: 'specification',
    source: `${page}, Security / multi-tenancy notes`,
    text: 'Neither the state of a flow nor the handle of a pause is given to the model: they are secrets.',
    observed: 'Every request to the scripted model, scanned for states and handles.',
    mend: "Leave state and handles out of what is added to the model's messages.",
  },
  {
    id: 'penguiflow-oauth/planner/no-credentials-in-model',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §2.3.1, §10.5; RFC 7636 §7.1',
    text: 'No authorization code, client secret or code verifier is given to the model.',
    observed: 'Every request to the scripted model, scanned for them in every encoding.',
    mend: 'Build what the model is told from results alone, without the configuration and the callback.',
  },
  {
    id: 'penguiflow-oauth/planner/no-secrets-in-output',
    keyword: 'SHOULD NOT',
    basis: 'specification',
    source: `${page}, Troubleshooting checklist`,
    text: 'No token, code or client secret appears in output, logs, payloads and answers.',
    observed: 'Everything that is printed, logged or said, scanned for secrets.',
    mend: 'Take tokens, codes and client secrets out of logs, payloads and errors.',
  },
  {
    id: 'penguiflow-oauth/planner/no-token-in-record',
    keyword: 'SHOULD NOT',
    basis: 'specification',
    source: `${page}, Security / multi-tenancy notes`,
    text: 'The stored record of a pause holds no access token.',
    observed: 'The records of pauses, while a user with a token is paused for a second provider.',
    mend: 'Keep tokens in the token store; leave them out of the context that a pause stores.',
  },
]
