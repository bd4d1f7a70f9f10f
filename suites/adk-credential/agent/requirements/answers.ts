/** Requirements: what an agent makes of the answers of the client application. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const flow = 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)'
const pipeline = 'adk-rs Authenticated tools, The resolution pipeline'

export const answers: readonly Requirement[] = [
  {
    id: 'adk-credential/agent/call-replayed',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'After the answer the paused call is replayed, and its result comes under its own id.',
    observed: 'The events that answer the functionResponse with the credential.',
    mend: 'Keep the paused call with its id and arguments, run it when the credential is there, and emit its functionResponse with that id.',
  },
  {
    id: 'adk-credential/agent/pending-survives-restart',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'A credential request can be answered after a restart, if sessions are declared to survive one.',
    observed: 'A restart between the user’s consent and the answer.',
    mend: 'Keep the request with its session: its id, the paused call with its arguments, state and verifier.',
  },
  {
    id: 'adk-credential/agent/model-gets-result',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'The model is given the result of the replayed call, not its placeholder.',
    observed: 'The next request to the scripted model.',
    mend: 'Replace the placeholder in the history with the result of the replayed call, then ask the model.',
  },
  {
    id: 'adk-credential/agent/answer-id-matches',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'Only an answer with the id and the name of a pending request, in its session, redeems anything.',
    observed:
      'The genuine callback in answers with another id, another name, or in a session without a request.',
    mend: 'Look up the request by its id in the session that the message is for, and ignore functionResponses that answer none.',
  },
  {
    id: 'adk-credential/agent/state-from-own-record',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9700 §4.7; RFC 6749 §10.12',
    text: 'The state of the callback is compared with what the agent has kept, not with what the answer says it was.',
    observed:
      'Answers in which the state of the callback and that of the AuthConfig are altered alike, in which both are missing, and one with the whole callback of another user.',
    mend: 'Keep the state with the request, and compare the whole of it; never read the expected one from the answer.',
  },
  {
    id: 'adk-credential/agent/flow-bound-to-user',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9700 §4.7; RFC 6749 §10.12; adk-rs Authenticated tools, Credential storage',
    text: 'At the consent leg a flow is completed only for the user who started it.',
    observed:
      'The id of a flow with its own state and code, given for another user, where credentials are made at a consent leg.',
    mend: 'Keep the user with the pending flow, and compare them before the code is redeemed.',
  },
  {
    id: 'adk-credential/agent/endpoints-from-configuration',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9700 §4.4; RFC 6749 §10.3',
    text: 'The code and the client secret are sent only to the configured token endpoint, whatever the answer says.',
    observed: 'An answer whose AuthConfig names another token endpoint, which is watched.',
    mend: 'Take scheme and client from the tool’s own AuthConfig. Read only the callback from the answer.',
  },
  {
    id: 'adk-credential/agent/bare-code-refused',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 9700 §4.5; RFC 6749 §10.12',
    text: 'The agent does not redeem a code without its callback.',
    observed: 'An answer with authCode instead of authResponseUri.',
    mend: 'Redeem a code from authResponseUri only, after its state was checked; ignore a bare authCode.',
  },
  {
    id: 'adk-credential/agent/callback-location-checked',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 9700 §4.4.2; RFC 6749 §3.1.2',
    text: 'The agent rejects a callback that did not come to the redirect URI.',
    observed:
      'Answers with the genuine parameters at another origin, and at a path that only begins like that of the redirect URI.',
    mend: 'Compare scheme, host and path of authResponseUri, whole, with the redirect URI before you read the code.',
  },
  {
    id: 'adk-credential/agent/malformed-answer-survived',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9110 §15.6.1',
    text: 'An invalid answer does not cause a server error.',
    observed:
      'Answers whose response is empty, has the wrong types, or an authResponseUri that is not a URL.',
    mend: 'Validate the answer before you use it, and ignore an invalid one.',
  },
  {
    id: 'adk-credential/agent/replay-runs-no-tool',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 9700 §4.7; RFC 6749 §10.12',
    text: 'An answer that is repeated does not run the tool again.',
    observed: 'The genuine answer once more, after the call has its result.',
    mend: 'Remove the pending request when it is answered; ignore another answer with its id.',
  },
  {
    id: 'adk-credential/agent/denial-not-remembered',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.2.1',
    text: 'After a denial a later call asks again, and completes.',
    observed: 'The user denies, then calls again and approves.',
    mend: 'Drop the exchange that was denied, so that the next call makes a new credential request.',
  },
  {
    id: 'adk-credential/agent/refused-token-not-repeated',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6750 §3.1',
    text: 'A token that the API refuses is not sent to it again and again.',
    observed: 'Requests to the API within one call after the user has revoked the grant.',
    mend: 'When the API answers 401, delete the credential and ask again; do not retry with the same token.',
  },
  {
    id: 'adk-credential/agent/credential-not-from-arguments',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §10.3',
    text: 'What the model writes into the arguments is never used as a credential.',
    observed:
      'The model calls the tool with access_token, credential and authorization among its arguments.',
    mend: 'Read the token from the tool’s context. Ignore arguments that the tool does not declare.',
  },
  {
    id: 'adk-credential/agent/credential-shared-by-key',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'adk-rs Authenticated tools, Credential storage',
    text: 'A credential serves every tool that has its AuthConfig: it is kept by application, user and key.',
    observed: 'After consent for one tool, a call of another with the same AuthConfig.',
    mend: 'Store credentials by application, user and credential key, and let every tool look there.',
  },
  {
    id: 'adk-credential/agent/credential-of-its-key',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'adk-rs Authenticated tools, Credential storage',
    text: 'A credential serves no tool that has another AuthConfig, and is not replaced by that of another one.',
    observed:
      'After consent for one tool, a call of another with an AuthConfig of its own, and then one of the first again.',
    mend: 'Let the key of a stored credential depend on the AuthConfig too, as its credential key does, and look it up by that.',
  },
  {
    id: 'adk-credential/agent/leeway',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §5.1, §6',
    text: 'A token that expires within a minute is refreshed before it is used.',
    observed: 'A second call when the token has half a minute left.',
    mend: 'Take a token for expired about a minute before its time, and refresh it then.',
  },
]
