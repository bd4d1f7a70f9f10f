/** Requirements: which tokens a manager stores, for whom, and for how long. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const page = 'PenguiFlow OAuth & HITL'

export const tokens: readonly Requirement[] = [
  {
    id: 'penguiflow-oauth/manager/token-stored',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, OAuth manager; ${page}, Failure modes & recovery`,
    text: 'The callback stores the token so that the run which is resumed is served with it.',
    observed: 'Requests to the API after the callback, when the run is resumed.',
    mend: 'Store the token in the callback under the very (user_id, provider) by which get_token looks for it.',
  },
  {
    id: 'penguiflow-oauth/manager/token-per-user-and-provider',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, Operational defaults; ${page}, Security / multi-tenancy notes`,
    text: 'A token serves its own user, tenant and provider, and no other.',
    observed:
      'The same name in another tenant, in capitals, with a blank or in another form of Unicode, another user of the tenant, a long name that begins alike, a second provider, and ten users who authorize at once.',
    mend: 'Key the token store by the whole user_id, which names the tenant, and by the provider.',
  },
  {
    id: 'penguiflow-oauth/manager/expired-token',
    keyword: 'MUST',
    basis: 'specification',
    source: `${page}, Non-goals / boundaries; ${page}, OAuth manager`,
    text: 'A token that has expired is not used: the run pauses again, or the token is refreshed.',
    observed:
      'A second run after expires_in is over, by the clock of the manager; also where a refresh is refused.',
    mend: 'Store expires_at with the token, and give none from get_token when that time is over.',
  },
  {
    id: 'penguiflow-oauth/manager/expires-in',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 6749 §5.1',
    text: 'An expires_in that is a string, missing or zero causes no error.',
    observed: 'Token responses with such lifetimes.',
    mend: 'Read expires_in leniently: a number, a string of digits, or nothing (then the lifetime is unknown).',
  },
]
