/** Requirements: when a planner pauses, what it says then, and when it does not pause. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const page = 'PenguiFlow OAuth & HITL'

export const pausing: readonly Requirement[] = [
  {
    id: 'penguiflow-oauth/planner/pause-without-token',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, What it is / when to use it`,
    text: 'A tool that acts for a user without a token pauses the planner, and calls no API before.',
    observed:
      'What comes of the first message of a user, and requests to the API until then; of two tools for two providers, after how many consents both have run.',
    mend: 'Ask the manager for the token before the tool runs, and pause where there is none.',
  },
  {
    id: 'penguiflow-oauth/planner/pause-payload',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, Pause payload shape`,
    text: 'The pause has the reason external_event, the pause_type oauth, and the provider of the tool.',
    observed: 'Reason and payload of every pause.',
    mend: 'Pause with reason external_event and a payload of pause_type oauth, provider, and what get_auth_request gives.',
  },
  {
    id: 'penguiflow-oauth/planner/payload-fields',
    keyword: 'SHOULD',
    basis: 'specification',
    source: `${page}, Pause payload shape`,
    text: 'The payload has auth_url, state, scopes and display_name.',
    observed: 'The payload of every pause.',
    mend: 'Fill auth_url, state, scopes and display_name in the payload of the pause.',
  },
  {
    id: 'penguiflow-oauth/planner/user-id-required',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, tool_context requirements`,
    text: 'Without a user_id the tool fails: nobody is sent away, and no API is called.',
    observed: 'A message for which the tool_context names no user.',
    mend: 'Raise an error where tool_context has no user_id, before the manager is asked for anything.',
  },
  {
    id: 'penguiflow-oauth/planner/no-pause-with-token',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, OAuth manager`,
    text: 'With a stored token the tool runs without a pause.',
    observed: 'A second conversation of a user who has consented in the first.',
    mend: 'Look the token up by (user_id, provider), whatever conversation it was stored in.',
  },
  {
    id: 'penguiflow-oauth/planner/token-refused',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6750 §3.1',
    text: 'A token that the API refuses as invalid_token is dropped, and the user is asked again.',
    observed:
      'A second conversation after the user has revoked the access at the provider; a third one where the second ends without a pause.',
    mend: 'When the API answers 401, revoke the stored token and pause for a new authorization.',
  },
  {
    id: 'penguiflow-oauth/planner/pauses-of-one-step',
    keyword: 'SHOULD',
    basis: 'specification',
    source: `${page}, Pause payload shape`,
    text: 'Two tools of one step that need two providers both get their pause; neither is lost or called failed.',
    observed: 'The model calls two tools at once; each pause is answered and resumed.',
    mend: 'Raise the pauses of one step one after the other, and carry out each call after its own resume.',
  },
  {
    id: 'penguiflow-oauth/planner/isolate-pauses',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, What it is / when to use it; ${page}, Security / multi-tenancy notes`,
    text: 'Pauses of several users, and of several conversations of one, are kept apart: each resumes to the end, with its own state.',
    observed:
      'Ten users pause at once, all approve, all are resumed; one user pauses in two conversations; and every request to the model, for accounts of other users.',
    mend: 'Keep a pause under its own handle, a flow under its own state, messages and memory under their user, and nothing under what users share.',
  },
  {
    id: 'penguiflow-oauth/planner/own-token-at-api',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, What it is / when to use it; ${page}, Security / multi-tenancy notes`,
    text: 'The tool calls the API with the token of its own user.',
    observed:
      'Whose data the results are that the model is given, for ten users at once; whose token serves a user whose name differs in case alone.',
    mend: 'Look the token up for each call, by the user of the run; keep none in the tool or its client.',
  },
]
