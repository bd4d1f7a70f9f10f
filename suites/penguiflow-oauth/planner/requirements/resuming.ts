/** Requirements: what a planner makes of being resumed. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const page = 'PenguiFlow OAuth & HITL'

export const resuming: readonly Requirement[] = [
  {
    id: 'penguiflow-oauth/planner/run-after-consent',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, OAuth manager; ${page}, What it is / when to use it`,
    text: 'Resumed after the consent, the tool runs with the token that was just issued.',
    observed: 'The token of the first request to the API after the pause is resumed.',
    mend: 'Ask the manager for the token again when the run is resumed, and call the API with it.',
  },
  {
    id: 'penguiflow-oauth/planner/resume-before-consent',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: `${page}, OAuth manager`,
    text: 'Resumed before the consent, the tool does not run, whatever the resumption says.',
    observed: 'A pause is resumed with oauth_completed although nobody has consented.',
    mend: 'Decide by the token that the manager has, never by the word with which a run is resumed.',
  },
  {
    id: 'penguiflow-oauth/planner/unknown-handle',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, Failure modes & recovery`,
    text: 'A handle that names no pause is refused, and nothing runs.',
    observed:
      'A user who has consented is resumed by an invented handle, and by ones that resemble theirs: of another beginning or end, cut, longer, in other case.',
    mend: 'Raise an error for a handle that no pause is kept under; never fall back to another pause.',
  },
  {
    id: 'penguiflow-oauth/planner/handle-opaque',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §10.10',
    text: 'Handles cannot be guessed or computed, and reveal nothing: they contain neither the user nor the state.',
    observed:
      'Every handle of the run, against all others, and against digests and the reversal of its user, its conversation and its state.',
    mend: 'Make each handle from at least 128 random bits, and nothing else.',
  },
  {
    id: 'penguiflow-oauth/planner/handle-single-use',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 9700 §4.7',
    text: 'A handle resumes once.',
    observed: 'A handle is used twice, in a row and at once, with a state store and without.',
    mend: 'Take the record of a pause out of the store in one atomic step when it is resumed.',
  },
  {
    id: 'penguiflow-oauth/planner/handle-bound-to-user',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §10.12',
    text: 'A pause that is resumed as another user does not run with the token of that user.',
    observed:
      'A pause of one user is resumed as another one, who has a token; also as one whose name differs in case alone.',
    mend: 'Store the user in the record of the pause, and refuse to resume it as another one.',
  },
  {
    id: 'penguiflow-oauth/planner/durable-pause',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, Operational defaults; ${page}, Failure modes & recovery`,
    text: 'With a state store a pause survives a restart.',
    observed: 'A restart between the consent and the resumption.',
    mend: 'Keep the whole record of a pause in the state store, and load it by the handle when it is not in memory.',
  },
  {
    id: 'penguiflow-oauth/planner/denial',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.2.1',
    text: 'Resumed after a denial, the tool does not run, and the run goes on: the model or the user is told.',
    observed: 'The user denies, and the pause is resumed with that word.',
    mend: 'Resume with the denial as the result of the tool: do not call it, and let the model go on.',
  },
]
