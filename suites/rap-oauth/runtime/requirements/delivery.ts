/** Requirements: invocations that do not arrive. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const delivery: readonly Requirement[] = [
  {
    id: 'rap-oauth/runtime/no-retry-on-4xx',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Transport, Delivery Requirements',
    text: 'An invocation that was answered 4xx is not retried.',
    observed: 'The tool answers 400, 401, 404 and others of their kind, and watches.',
    mend: 'Retry an invocation only when no answer came or the status is 5xx.',
  },
  {
    id: 'rap-oauth/runtime/retry-on-failure',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Transport, Delivery Requirements',
    text: 'An invocation that failed with 5xx or without a connection is retried, or reported to the model.',
    observed: 'The tool answers 503 or resets the connection, then recovers.',
    mend: 'After a 5xx status or a connection error send the invocation again, or record an error result for the model.',
  },
  {
    id: 'rap-oauth/runtime/retry-with-backoff',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Transport, Delivery Requirements',
    text: 'Retries of an invocation come with growing delays.',
    observed: 'The times between three attempts.',
    mend: 'Make each pause between two attempts longer than the one before.',
  },
  {
    id: 'rap-oauth/runtime/report-undeliverable',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Tool Invocation, Error Responses',
    text: 'An invocation that cannot be delivered is recorded as an error result for the model.',
    observed: 'The tool refuses the invocation; what the model is told.',
    mend: 'When an invocation is refused or given up, record a tool result with the error, so that the model can go on.',
  },
]
