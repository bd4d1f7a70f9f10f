/** Requirements: cancellation, restart and time limits. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const lifecycle: readonly Requirement[] = [
  {
    id: 'rap-oauth/runtime/notify-cancellation',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Tool Cancellation',
    text: 'The tool is notified when a pending call is cancelled.',
    observed: 'The user interrupts; cancel_tool_call with the ids of the call.',
    mend: 'When the user interrupts, post cancel_tool_call with the ids of every pending call.',
  },
  {
    id: 'rap-oauth/runtime/notify-every-server',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Tool Cancellation, Dispatch Behavior',
    text: 'Every tool server of the runtime is notified of a cancellation, whichever of them has the call.',
    observed: 'The user interrupts; cancel_tool_call at the toolset that was not invoked.',
    mend: 'Post cancel_tool_call to every tool server that is configured, not only to the one that was invoked.',
  },
  {
    id: 'rap-oauth/runtime/notification-is-json-post',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Cancellation, Request',
    appliesTo: 'runtimes that notify tools of cancellations',
    text: 'A notification is a POST with Content-Type: application/json.',
    observed: 'Every cancel_tool_call that the toolsets get.',
    mend: 'Send notifications by the same code as invocations, with the header Content-Type: application/json.',
  },
  {
    id: 'rap-oauth/runtime/notification-not-retried',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Tool Cancellation, Best-Effort Semantics',
    appliesTo: 'runtimes that notify tools of cancellations',
    text: 'A notification that fails is not sent again.',
    observed:
      'The toolsets answer cancel_tool_call with 503; further notifications of the same call.',
    mend: 'Send a notification once and ignore how it ends.',
  },
  {
    id: 'rap-oauth/runtime/cancellation-not-blocked',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Tool Cancellation, Dispatch Behavior',
    appliesTo: 'runtimes that notify tools of cancellations',
    text: 'A call is cancelled without waiting for the tools that are notified of it.',
    observed:
      'The toolsets do not answer cancel_tool_call; meanwhile the result of the cancelled call arrives.',
    mend: 'Close the call first, then send the notifications, all at once, and wait for none of them.',
  },
  {
    id: 'rap-oauth/runtime/discard-result-after-cancel',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Tool Cancellation, Cancellation Behavior; RAP Tool Result, Routing',
    text: 'The late result of a cancelled call is not injected into the conversation.',
    observed: 'A result after the user has interrupted, and the next request to the model.',
    mend: 'Close the call when it is cancelled, and refuse its result from then on.',
  },
  {
    id: 'rap-oauth/runtime/pending-survives-restart',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'A call stays pending across a restart of a runtime that is declared durable.',
    observed:
      'The runtime is stopped and started while authorization is pending; then the result arrives.',
    mend: 'Store a pending call, with its callback path, before the invocation is sent, and load all of them at the start.',
  },
  {
    id: 'rap-oauth/runtime/documented-timeout',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Lifecycle, Timeouts',
    text: "When the runtime's own timeout is over, and not before, it ends the call with an error result for the model.",
    observed: 'Nothing arrives for longer than the declared userTimeout.',
    mend: 'When the timeout of a call is over, give the model an error as the answer of its tool call, and refuse what comes later.',
  },
]
