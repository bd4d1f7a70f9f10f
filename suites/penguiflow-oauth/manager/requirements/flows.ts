/** Requirements: what a manager makes of callbacks, and of flows that nobody finishes. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const page = 'PenguiFlow OAuth & HITL'

export const flows: readonly Requirement[] = [
  {
    id: 'penguiflow-oauth/manager/user-from-flow',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, OAuth manager`,
    text: 'A token is stored for the user whose run has paused, whatever the callback says.',
    observed: 'A callback that names another user, and what each of the two is served with then.',
    mend: 'Keep the user with the state, and take it from there alone.',
  },
  {
    id: 'penguiflow-oauth/manager/pending-expires',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, Operational defaults`,
    text: 'A user who was sent away may come back for about ten minutes, or as long as is declared, but not later.',
    observed:
      'Callbacks after nine and after eleven tenths of that time, by the clock of the manager, also where it was restarted meanwhile.',
    mend: 'Keep with each state when it was made, and refuse it when its time is over; do not drop it before.',
  },
  {
    id: 'penguiflow-oauth/manager/pending-survives-restart',
    keyword: 'SHOULD',
    basis: 'specification',
    source: `${page}, Operational defaults`,
    text: 'A user who was sent away may come back after a restart, if that is declared.',
    observed: 'A restart between the pause and the callback.',
    mend: 'Keep pending flows in the store, beside the tokens, until they expire.',
  },
  {
    id: 'penguiflow-oauth/manager/no-exchange-after-denial',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6749 §4.1.2.1',
    text: 'A callback with an error causes no token request.',
    observed: 'The user denies; and an error beside a code.',
    mend: 'Look for error in the callback first; where there is one, end the flow without a token request.',
  },
  {
    id: 'penguiflow-oauth/manager/exchange-errors',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §5.2',
    text: 'An exchange that fails is a refusal, and stores nothing.',
    observed:
      'Every error of the token endpoint, answers without a token, and codes that it refuses.',
    mend: 'Check status and body of the token response; store nothing unless it is 200 with an access_token.',
  },
  {
    id: 'penguiflow-oauth/manager/clear-errors',
    keyword: 'SHOULD',
    basis: 'specification',
    source: `${page}, Observability`,
    text: 'The error of a failed callback says what failed; it is not an internal error.',
    observed:
      'The error with which a callback is refused: its exchange fails, it comes too late or once more, the user has denied.',
    mend: "Raise an error of your own that says which step failed and the provider's error code; do not let KeyError and the like through.",
  },
]
