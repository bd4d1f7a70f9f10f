/** Requirements: the retried operation, its result, and the failures that are reported instead. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { raised, shared } from '../../../oauth-client/requirements/index.ts'

export const results: readonly Requirement[] = [
  raised('retry-operation', { basis: 'specification', source: 'RAP OAuth, Tool Requirements' }),
  shared('token-in-header'),
  raised('complete-call', {
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'A tool_result is sent when the retried operation has completed.',
    mend: 'Post a tool_result to the callback_url of the original call when the retried operation has completed.',
  }),
  raised('end-when-retry-fails', {
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
  }),
  {
    id: 'rap-oauth/tool/report-failed-operation',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Result, Error Handling; RAP OAuth, Tool Requirements',
    text: 'An operation that fails is reported by an error description, and not as if it had been carried out.',
    observed:
      'The protected API serves a user, has nothing for them, then fails; the results are compared.',
    mend: 'Look at the status of every answer of the API before you read its body. If it is no success, or if none comes, send a result that says so.',
  },
  {
    id: 'rap-oauth/tool/single-result',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements; RAP Lifecycle, Callback Delivery',
    text: 'A call gets one tool_result, and nothing after it.',
    observed: 'Messages on the callback URL until the end of the observation window.',
    mend: 'Mark the call as ended, in one step, before you send its result. Send nothing for a call that has ended.',
  },
  {
    id: 'rap-oauth/tool/cancel-in-thread',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Cancellation, Security Considerations; RAP Tool Cancellation, Fields',
    text: 'A call is cancelled only when both thread_id and tool_call_id match it.',
    observed:
      'While a call is pending, cancel_tool_call names its id and another thread, or its thread and another id; then its user approves.',
    mend: 'Before you end a call, compare group_id with thread_id and id with tool_call_id. If they do not both match, answer 200 and do nothing.',
  },
  raised('report-denial', { basis: 'specification', source: 'RAP OAuth, Error Handling' }),
  raised('report-authorization-error', {
    basis: 'specification',
    source: 'RAP OAuth, Error Handling; RFC 6749 §4.1.2.1',
  }),
  raised('report-invalid-code', { basis: 'specification', source: 'RAP OAuth, Error Handling' }),
  raised('report-exchange-error', { basis: 'specification', source: 'RAP OAuth, Error Handling' }),
  raised('never-permanently-pending', {
    basis: 'specification',
    source: 'RAP OAuth, Error Handling',
  }),
  {
    id: 'rap-oauth/tool/persist-pending-calls',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Lifecycle, Shutdown',
    text: 'Calls that wait for their user survive a restart; RAP permits losing them, but recommends keeping them.',
    observed:
      'One user approves after the restart; another never comes, and the timeout ends the call.',
    mend: 'Write pending calls, with their state, callback URL and deadline, to a durable store before the oauth message is sent; read them at the start.',
  },
  {
    id: 'rap-oauth/tool/documented-timeout',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Error Handling',
    text: 'A call whose authorization is abandoned ends after the documented timeout.',
    observed: 'The user walks away; a tool_result must arrive within the declared pendingTimeout.',
    mend: 'Start a timer when you send the oauth message. If it ends before the user has come back, send an error result.',
  },
]
