/** Requirements: how a credential request is answered, and what becomes of the callback. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { shared } from '../../../oauth-client/requirements/index.ts'

const flow = 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)'
const pipeline = 'adk-rs Authenticated tools, The resolution pipeline'

export const answering: readonly Requirement[] = [
  {
    id: 'adk-credential/client/answer-id',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'The answer has the id of the credential request.',
    observed:
      'The functionResponse that follows the callback; a request by a call has an id of its own, which is not that of the paused call.',
    mend: 'Keep the id of the functionCall, or functionResponse, that asked, and answer with it.',
  },
  {
    id: 'adk-credential/client/answer-carries-auth-config',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'The answer is named adk_request_credential and carries the AuthConfig as it came, with what the callback brought.',
    observed:
      'Scheme, client, state and credential key of the answer beside those of the request, in either casing; of each, where two are pending.',
    mend: 'Copy the AuthConfig of the request and add authResponseUri and redirectUri, or the credential that was made, in its exchanged credential.',
  },
  {
    id: 'adk-credential/client/callback-verbatim',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'The callback is passed on unchanged, together with the redirect URI that was used.',
    observed:
      'authResponseUri and redirectUri beside the callback; in the dialect of responses the code and the state at the consent leg.',
    mend: 'Pass on the whole URL of the request that your callback received, with its query, and the redirect URI that you opened the URL with.',
  },
  {
    id: 'adk-credential/client/same-session',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'The answer goes to the application, the user and the session in which it was asked for.',
    observed: 'appName, userId and sessionId of the answer beside those of the message.',
    mend: 'Keep application, user and session with the pending request; do not take them from what is current when the callback comes.',
  },
  {
    id: 'adk-credential/client/users-apart',
    keyword: 'MUST',
    basis: 'best-practice',
    source: `adk-rs Authenticated tools, Credential storage; RFC 6749 §10.3`,
    text: 'Each user of the application is a separate user at the agent, and sees only their own requests.',
    observed:
      'Two users are asked at the same time: the userId of their sessions, and the pages of the other. Where nothing tells users apart, it does not apply.',
    mend: 'Send the id of the authenticated user as userId, keep sessions and messages by user; agents keep credentials by userId.',
  },
  {
    id: 'adk-credential/client/no-answer-before-callback',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'Neither the request nor the paused call is answered before the browser has come back.',
    observed: 'Every functionResponse while the user thinks, and while they talk.',
    mend: 'Answer in the handler of your callback, and nowhere else; leave long-running calls without a result.',
  },
  {
    id: 'adk-credential/client/answered-once',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: `${pipeline}; RFC 6749 §4.1.2, §10.5`,
    text: 'A request that was answered is not answered again.',
    observed:
      'The answers when a browser loads the callback of an approval or a denial twice, one after the other, and one of an approval at once; what the agent refused may be sent again.',
    mend: 'Take the pending request away when its callback comes, before anything is sent.',
  },
  {
    id: 'adk-credential/client/request-answered',
    keyword: 'MUST',
    basis: 'specification',
    source: `${flow}; ${pipeline}`,
    text: 'When the user has come back, the credential request is answered by a functionResponse.',
    observed: 'What the agent is sent after the callback.',
    mend: 'Keep the pending request with its state until the callback comes, and call /run or /run_sse again with the answer.',
  },
  {
    id: 'adk-credential/client/every-request-answered',
    keyword: 'SHOULD',
    basis: 'specification',
    source: pipeline,
    text: 'When several credentials are requested at the same time, each is opened and answered.',
    observed: 'Two credential requests in one event, and one in the answer to another.',
    mend: 'Go through all credential requests of an event, and answer each by its own id.',
  },
  {
    id: 'adk-credential/client/denial-forwarded',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.2.1',
    text: 'When the user denies, the agent is told: by the callback with the error, or by a message.',
    observed:
      'What the agent is sent after a callback with error=access_denied; an answer by another name tells it nothing.',
    mend: 'Answer a callback with an error as one with a code, or tell the agent in words that the user has denied.',
  },
  {
    id: 'adk-credential/client/error-forwarded',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.2.1',
    text: 'When the consent fails for another reason than a denial, the agent is told: by the callback with the error, or by a message.',
    observed: 'What the agent is sent after a callback with error=unauthorized_client.',
    mend: 'Answer a callback with any error, as the paused call waits for that answer; or tell the agent in words.',
  },
  {
    id: 'adk-credential/client/foreign-state-refused',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.2, §10.12; RFC 9700 §4.7',
    text: 'A callback without a state, or with one that no pending request has, is not passed on.',
    observed:
      'A callback with another state or none, with a code or a denial, before the genuine one.',
    mend: 'Look the state of a callback up among the pending requests; show an error when it is not there.',
  },
  {
    id: 'adk-credential/client/code-not-exposed',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 9700 §4.2; RFC 6749 §10.5',
    text: 'Codes and tokens are shown to nobody: not on pages, in logs, in URLs, to other sites or in words to the agent.',
    observed:
      'What the user is shown, the page of the callback and where it redirects, what is printed, and every request to the agent but the answer.',
    mend: 'Leave the query of the callback out of pages and logs; send it to the agent in the answer alone.',
  },
  shared('escape-pages'),
  shared('no-foreign-resources-on-callback-page'),
  {
    id: 'adk-credential/client/failure-shown',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §5.2; RFC 9110 §15.6.1',
    text: 'When the answer fails, the user is told.',
    observed:
      'What is shown when the answer gets an error, beside what is shown when it gets a result.',
    mend: 'When the agent answers with an error, show the user that the authorization did not succeed.',
  },
]
