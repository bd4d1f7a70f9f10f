/** Requirements: who is shown what, and what stays apart. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const users: readonly Requirement[] = [
  {
    id: 'rap-oauth/runtime/no-surface-without-call',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 9700 §4; RAP Tool Result, Security Considerations',
    text: 'The URL of an oauth message for a call that is not pending is not shown to a user: that is how phishing would work.',
    observed: 'Forged oauth messages; everything that users were shown.',
    mend: 'Look the call up before you show a URL; ignore an oauth message whose call is not pending.',
  },
  {
    id: 'rap-oauth/runtime/no-unsafe-auth-url',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RAP OAuth, Security Considerations; RFC 3986 §7.6; RFC 9700 §4',
    text: 'A URL that is not https, contains userinfo or is not valid is not shown as a link to visit.',
    observed: 'oauth messages with such URLs; everything that the user was shown.',
    mend: 'Parse the URL; show it only when its scheme is https (http on a loopback address) and it has no user name or password.',
  },
  {
    id: 'rap-oauth/runtime/surface-to-own-user',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'An authorization URL is not shown in the conversation of another user.',
    observed: 'Several users at once; every surface that tells conversations apart.',
    mend: 'Show auth_url only in the conversation from which the call was made.',
  },
  {
    id: 'rap-oauth/runtime/isolate-conversations',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Tool Result, Routing; RAP Lifecycle, Runtime Concurrency',
    text: 'Nothing from one conversation reaches the model in another conversation.',
    observed: 'Several conversations at once; all requests to the model.',
    mend: 'Keep history and pending calls by conversation; use no variable that several conversations share.',
  },
  {
    id: 'rap-oauth/runtime/process-group-serially',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Lifecycle, Runtime Concurrency',
    appliesTo: 'runtimes whose conversations go on while a call is pending',
    text: 'The messages of one group_id are processed one after the other.',
    observed: 'A result arrives while the model still answers in the same conversation.',
    mend: 'Queue the messages of a group_id, and start the next one when the one before it is done.',
  },
  {
    id: 'rap-oauth/runtime/usable-while-pending',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Runtime Behavior',
    text: 'The user can go on talking while an authorization is pending.',
    observed: 'A message of the user during the pending call; whether the model is asked.',
    mend: 'Do not hold the conversation while a call waits: give the model its next turn when the user says something.',
  },
  {
    id: 'rap-oauth/runtime/user-id-of-own-user',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Fields; RAP OAuth, Flow',
    text: 'The user_id of an invocation, where there is one, is the identity of the user for whom the call is made.',
    observed:
      'Invocations for several users who speak at the same time, compared with each other; the names of two differ in case alone.',
    mend: 'Send the stable identity of the user of the conversation as user_id, not one value for everybody.',
  },
]
