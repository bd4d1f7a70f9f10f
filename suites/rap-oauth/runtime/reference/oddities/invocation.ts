/** Oddities of the messages to a tool. */

import { randomUUID } from 'node:crypto'

import { alterInvocations, countIds } from '../defects/alter.ts'
import type { Oddity } from './oddity.ts'

export const invocationOddities: readonly Oddity[] = [
  {
    id: 'last-valid-toolset-kept',
    description: 'where a toolset is invalid, the last valid one of that server stays in use',
    permitted: 'RAP Lifecycle, Runtime Errors: previously cached toolsets, if available',
    touches: [
      'toolset-without-name',
      'toolset-tool-without-schema',
      'toolset-tool-named-twice',
      'toolsets-with-one-name',
    ],
    parts({ parseToolset }) {
      const known = new Map<string, ReturnType<typeof parseToolset>>()
      return {
        parseToolset(base, text) {
          const toolset = parseToolset(base, text) ?? known.get(base)
          known.set(base, toolset)
          return toolset
        },
      }
    },
  },
  {
    id: 'ids-are-uuids',
    description: 'the id of a call is a bare UUID',
    permitted: 'RAP Tool Invocation, Request: id is any unique identifier',
    touches: ['complete-without-oauth', 'parallel-calls'],
    parts: () => ({ newId: () => randomUUID() }),
  },
  {
    id: 'ids-count-within-a-conversation',
    description:
      'ids of calls count from one in every conversation, after a restart with another prefix',
    permitted: 'RAP Tool Result, Routing: the id matches the call within its thread',
    touches: ['result-other-group', 'cancelled-while-pending', 'two-conversations', 'whole-run'],
    parts: () => countIds(({ conversation }) => conversation, randomUUID().slice(0, 8)),
  },
  {
    id: 'no-ancestors-is-an-empty-list',
    description: 'a conversation without ancestors has an empty list of them',
    permitted: 'RAP Tool Invocation, Request: thread_ancestors is a list or null',
    touches: ['complete-without-oauth'],
    parts: (defaults) => alterInvocations(defaults, () => ({ thread_ancestors: [] })),
  },
  {
    id: 'nothing-optional-sent',
    description: 'an invocation has neither call_id nor thread_ancestors',
    permitted: 'RAP Tool Invocation, Fields: neither is required',
    touches: [
      'complete-without-oauth',
      'parallel-calls',
      'authorize-and-complete',
      'result-with-other-call-id',
    ],
    parts: (defaults) =>
      alterInvocations(defaults, () => ({ call_id: undefined, thread_ancestors: undefined })),
  },
]
