/** Lawful variations of this planner: no verdict may change. `oddities.py` has them; `varied.py` runs one. */

import type { Oddity } from './variation.ts'

const page = 'PenguiFlow OAuth & HITL'

export const oddities: readonly Oddity[] = [
  {
    id: 'more-members',
    description: 'the payload has further members, and something is logged before the pause',
    permitted: `${page}, Pause payload shape: the payload contains at least what is listed`,
    touches: ['authorize-and-complete', 'ten-users'],
  },
  {
    id: 'long-handles',
    description: 'handles have three parts, 290 characters, and all begin alike',
    permitted: `${page}: it names no form of resume_token`,
    touches: ['authorize-and-complete', 'resume-unknown', 'ten-users', 'whole-run'],
  },
  {
    id: 'uuid-handles',
    description: 'handles are UUIDs in capitals',
    permitted: `${page}: it names no form of resume_token`,
    touches: ['authorize-and-complete', 'resume-unknown', 'ten-users', 'whole-run'],
  },
  {
    id: 'scopes-as-text',
    description: 'scopes are one text, separated by blanks',
    permitted: `${page}, Pause payload shape: it names no type of scopes; RFC 6749 §3.3`,
    touches: ['authorize-and-complete'],
  },
  {
    id: 'continues-the-call',
    description: 'the call that has paused is run by the resumption itself, without the model',
    permitted: `${page}, What it is / when to use it: it asks for a pause, not for another turn`,
    touches: [
      'authorize-and-complete',
      'resume-at-once',
      'two-providers-in-one-step',
      'resume-early',
    ],
  },
  {
    id: 'api-asked-twice',
    description: 'the tool sends two requests to the API for each call',
    permitted: `${page}, What it is / when to use it: how a tool uses its API is its own`,
    touches: [
      'authorize-and-complete',
      'resume-at-once',
      'resume-at-once-without-store',
      'second-run',
    ],
  },
  {
    id: 'approval-between',
    description: 'a run pauses once more, for an approval, where its user has consented',
    permitted: `${page}, What it is / when to use it: pauses are a primitive that others use as well`,
    touches: [
      'authorize-and-complete',
      'resume-twice',
      'resume-at-once',
      'ten-users',
      'restart-while-paused',
      'second-run',
      'token-revoked',
      'consent-after-revocation',
    ],
  },
  {
    id: 'waits-without-error',
    description: 'the result of a call that waits has an error that is null, and has not failed',
    permitted: `${page}, Pause payload shape: what the model is told of a pause is not said`,
    touches: ['authorize-and-complete', 'two-providers-in-one-step'],
  },
  {
    id: 'ends-instead-of-second-pause',
    description: 'resumed without a consent, it ends with an explanation instead of pausing again',
    permitted: `${page}, OAuth manager: without a token the tool does not run; RFC 9110 §15`,
    touches: ['resume-early', 'two-providers-in-one-step'],
  },
  {
    id: 'refuses-in-words',
    description: 'a handle that resumes nothing ends in words, without an error',
    permitted: `${page}, Failure modes & recovery: how it is refused is not said`,
    touches: ['resume-unknown', 'resume-twice', 'resume-at-once', 'resume-as-other-user'],
  },
  {
    id: 'user-of-record',
    description: 'whoever resumes a pause, the run goes on for its own user',
    permitted: `${page}: it does not say who may resume`,
    touches: ['resume-as-other-user', 'resume-as-other-without-store'],
  },
  {
    id: 'nobody-is-fatal',
    description: 'a run without a user ends in an error, which the model does not hear of',
    permitted: `${page}, tool_context requirements: ToolAuthError is raised`,
    touches: ['no-user-id'],
  },
  {
    id: 'nobody-is-refused-at-once',
    description: 'a run without a user fails before the model is asked',
    permitted: `${page}, tool_context requirements: ToolAuthError is raised`,
    touches: ['no-user-id', 'no-user-id-in-conversation'],
  },
  {
    id: 'conversation-belongs-to-its-user',
    description: 'a run fails at once in the conversation of another user',
    permitted: `${page}, Security / multi-tenancy notes: it keeps users apart`,
    touches: ['other-user-in-conversation', 'no-user-id-in-conversation'],
  },
  {
    id: 'results-told-twice',
    description: 'the model is given each result as text and as structured content',
    permitted: `${page}: what a result looks like is not said; Model Context Protocol, Tools: both are given for older clients`,
    touches: ['two-providers-in-one-step', 'authorize-and-complete'],
  },
  {
    id: 'failure-ends-the-run',
    description: 'an API that fails ends the run, without a word to the model',
    permitted: `${page}: what a planner makes of a tool that fails is not said`,
    touches: ['resource-error-500'],
  },
  {
    id: 'denial-ends-the-run',
    description: 'a denial ends the run with words of its own',
    permitted: 'RFC 6749 §4.1.2.1: what a client makes of a denial is its own',
    touches: ['denied'],
  },
  {
    id: 'refused-token-told',
    description:
      'a token that the API refuses is dropped and the model told; the next call of the tool pauses',
    permitted: 'RFC 6750 §3.1: a client may ask for another token, and need not at once',
    touches: ['token-revoked', 'consent-after-revocation', 'token-revoked-beside-another'],
  },
  {
    id: 'one-run-at-a-time',
    description: 'the runs of all conversations are taken one after the other',
    permitted: `${page}: that runs go on side by side is not said`,
    touches: ['authorize-and-complete', 'ten-users', 'two-conversations-of-one-user'],
  },
  {
    id: 'sealed-handles',
    description: 'a pause is kept in its handle, sealed; of used ones only hashes are kept',
    permitted: `${page}: it names no form of resume_token`,
    touches: ['paused-with-token', 'resume-twice', 'resume-unknown', 'restart-while-paused'],
  },
  {
    id: 'secret-in-body',
    description: 'the client authenticates itself in the body of the token request',
    permitted: 'RFC 6749 §2.3.1',
    touches: ['authorize-and-complete'],
  },
]
