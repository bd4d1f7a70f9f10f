/** Requirements: what must not carry secrets. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const leaks: readonly Requirement[] = [
  {
    id: 'adk-credential/agent/secrets-not-to-model',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6750 §5.3; RFC 6749 §10.3',
    text: 'No code, token, verifier or client secret is sent to the model.',
    observed:
      'Every request to the scripted model in the whole run, scanned for every secret in every encoding.',
    mend: 'Leave credential requests and their answers out of what the model is given, and build results from fields that are meant for it.',
  },
  {
    id: 'adk-credential/agent/state-without-tokens',
    keyword: 'SHOULD NOT',
    basis: 'specification',
    source:
      'ADK Authentication, Self-managed authentication; ADK Authentication, In-memory secrets',
    text: 'The state of a session, as it is read and as events change it, holds no access and no refresh token.',
    observed: 'state of the session after the call, and stateDelta of every event.',
    mend: 'Keep tokens in a credential service; put at most a reference into the state of the session.',
  },
]
