/** Requirements: what a runtime does with an authorization URL and the call behind it. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const authorization: readonly Requirement[] = [
  {
    id: 'rap-oauth/runtime/oauth-needs-user',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'An oauth message is treated as a callback that needs the user before the call can complete.',
    observed: 'The call neither completes nor fails on the message.',
    mend: 'Handle type "oauth" as a state of a pending call, not as its result.',
  },
  {
    id: 'rap-oauth/runtime/surface-auth-url',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'The auth_url is surfaced to the user in a way that allows them to visit it.',
    observed: 'The exact URL on the declared user interface.',
    mend: 'Show auth_url, character by character as it came, where the user of the conversation sees it. A console that asks on standard error declares so (surface: {output: "stderr"}).',
  },
  {
    id: 'rap-oauth/runtime/keep-call-pending',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'The call stays pending until a tool_result arrives.',
    observed: 'What the model is sent between the oauth message and the result.',
    mend: 'Leave the call open after an oauth message and after further messages of the user; end it by its tool_result.',
  },
  {
    id: 'rap-oauth/runtime/inform-model',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'The model is told that authorization is in progress.',
    observed:
      'What is new to the model while the call is pending, compared with a call that needs no authorization.',
    mend: 'While a call waits for its user, add a message to the conversation which says that authorization is in progress.',
  },
  {
    id: 'rap-oauth/runtime/no-invocation-retry',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'The runtime does not retry the invocation; that is for the tool.',
    observed: 'Invocations at the tool after one was acknowledged or the tool has called back.',
    mend: 'Do not send the invocation again after an oauth message; the tool retries the operation itself.',
  },
  {
    id: 'rap-oauth/runtime/discard-auth-url',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP OAuth, Security Considerations',
    text: 'The auth_url is not stored or cached beyond what is needed to surface it.',
    observed:
      'After the end of the call: declared storage, logs, later requests to the model and to tools, and what a user who comes back is shown.',
    mend: 'Hand auth_url to the surface and keep it out of history, storage and logs.',
  },
]
