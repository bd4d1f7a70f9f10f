/** Forged callbacks at a redirect URI that the client has selected: the state counts there as well (RFC 9700 §4.7). */

import { NotOffered, type Need } from '../../../../../harness/engine/index.ts'
import { stateIn } from '../../../../oauth-client/other-states.ts'
import {
  badStates,
  forgeFirst,
  forgeryJudgesOf,
  forgeryReached,
} from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { check, scenario } from './define.ts'
import { endsRefused } from './refused-callbacks.ts'
import { redirectIn, selectAnother } from './select-option.ts'

const { noTokenRequest, completesNothing } = forgeryJudgesOf(handoff)

/** A server may offer none, and a URL that refers to a request says nothing of it (RFC 9101, RFC 9126). */
const otherOption: Need = { what: 'a redirect URI that is offered', seen: () => undefined }

const tried = badStates.filter(([id]) => ['state-missing', 'state-altered'].includes(id))

export const forgedAtOptionScenarios = tried.map(([id, title, state]) =>
  scenario({
    id: `${id}-at-option`,
    title: `a callback at another option, ${title}`,
    control: 'second-option',
    needs: otherOption,
    async drive(fixtures) {
      const { begin, user } = fixtures
      const call = begin(user)
      const asked = await call.asked()
      const selected = await selectAnother(call)
      if (selected === undefined || redirectIn(asked) === undefined)
        throw new NotOffered('it offers no other redirect URI')
      const flow = await user.consent(call)
      await forgeFirst(fixtures, flow, { state: state(stateIn(flow.redirect)) })
      await call.ended()
    },
    checks: [
      check('oauth-client/validate-state', `refuses a callback ${title}`, noTokenRequest()),
      check('oauth-client/ignore-forged-callback', 'completes nothing', completesNothing()),
      endsRefused((_, t) => forgeryReached(t)),
    ],
  }),
)
