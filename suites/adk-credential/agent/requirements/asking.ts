/** Requirements: how an agent asks for a credential, and pauses. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const flow = 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)'
const pipeline = 'adk-rs Authenticated tools, The resolution pipeline'

export const asking: readonly Requirement[] = [
  {
    id: 'adk-credential/agent/request-before-result',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'If the tool has no credential, the agent asks for one, and the tool gives no real result before that.',
    observed: 'The events that answer the first message of a user who has authorized nothing.',
    mend: 'Look for the credential before the tool runs. If there is none, emit the credential request instead of a result.',
  },
  {
    id: 'adk-credential/agent/request-carries-auth-config',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}; adk-rs Authenticated tools, The type layer`,
    text: 'The credential request carries the AuthConfig: scheme, raw credential and, in a call, the authorization URL.',
    observed: 'Every credential request, read in its dialect.',
    mend: 'Put authConfig with authScheme, rawAuthCredential and exchangedAuthCredential.oauth2.authUri into the arguments of the call; in the dialect of responses auth_scheme and raw_auth_credential into the response.',
  },
  {
    id: 'adk-credential/agent/request-names-paused-call',
    keyword: 'SHOULD',
    basis: 'specification',
    source: pipeline,
    text: 'The credential request names the call that waits for it.',
    observed:
      'functionCallId of the request, or its id in the dialect of responses, against the call of the tool.',
    mend: 'Set functionCallId of the credential request (its id in the dialect of responses) to the id of the call that waits.',
  },
  {
    id: 'adk-credential/agent/request-long-running',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'The id of the credential request is among the long-running ones of its event.',
    observed: 'longRunningToolIds of every event with a credential request.',
    mend: 'List the id of the request in longRunningToolIds of the same event: client applications find it by that.',
  },
  {
    id: 'adk-credential/agent/invocation-paused',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'The invocation is paused: the model is not asked again before the client application sends something.',
    observed: 'Requests to the model after the credential request, before the next message.',
    mend: 'End the invocation after the event with the credential request, without another turn of the model.',
  },
  {
    id: 'adk-credential/agent/conversation-continues',
    keyword: 'SHOULD',
    basis: 'specification',
    source: pipeline,
    text: 'While a credential request is pending, other messages do not fail, and the request can still be answered.',
    observed: 'The user says something else while the request is pending; then the answer comes.',
    mend: 'Keep a pending credential request apart from the turn: answer other messages, and find the request by its id later.',
  },
  {
    id: 'adk-credential/agent/other-tools-unaffected',
    keyword: 'SHOULD',
    basis: 'specification',
    source: pipeline,
    text: 'A call in the same turn that needs no credential is carried out, once.',
    observed: 'The model asks for an open tool beside the protected one.',
    mend: 'Run the calls of a turn that need no credential, and return their responses once.',
  },
  {
    id: 'adk-credential/agent/several-requests-distinct',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9700 §4.7; RFC 6749 §10.12',
    text: 'Credential requests that are pending together have ids and states of their own, and are answered in any order.',
    observed:
      'The model asks for two tools with different AuthConfigs, and the second is answered first; the user asks once more while a request is pending, and both are answered.',
    mend: 'Make an id, a state and a verifier for each request, and resume the call that the answered one names.',
  },
]
