/** Requirements: what no outside observer can judge. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'rap-oauth/runtime/notify-thread-closed',
    keyword: 'MAY',
    basis: 'specification',
    source: 'RAP Thread Closure, Best-Effort Semantics',
    text: 'A tool is notified by close_thread when a conversation ends; best effort, never retried.',
    excluded:
      'The runtime decides when a conversation ends, and the OAuth chapter does not depend on it; notifications that arrive are recorded.',
  },
  {
    id: 'rap-oauth/runtime/auth-details-not-needed',
    keyword: 'MAY',
    basis: 'specification',
    source: 'RAP OAuth',
    text: 'The runtime does not need to know authorization details in advance.',
    excluded: 'A property of the protocol rather than a demand on an implementation.',
  },
  {
    id: 'rap-oauth/runtime/inform-about-requirements',
    keyword: 'MAY',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'The runtime can tell users about authorization requirements before an invocation.',
    excluded: 'A permission that the requiresAuth annotation gives; nothing can break it.',
  },
]
