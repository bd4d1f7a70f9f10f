/** Two servers ask at the same time, and the user agrees to the URL of the first one. */

import { cite, inconclusive, pass, watchedAfter } from '../../../../../harness/engine/index.ts'
import { atOnce } from '../../../client/beside.ts'
import { acceptsAfterConsentIn, check, opensAfterConsentIn, type Judge } from '../checks.ts'
import { needsTwoServers } from '../conditions.ts'
import { agreedIn, callOf } from '../view.ts'
import { control, scenario } from './define.ts'

/** Judges what becomes of the other one, once the user has agreed to the first. */
const ofOther =
  (judge: Judge): Judge =>
  (t, context) => {
    const agreed = agreedIn(callOf(t))
    const judgement = judge(t, context)
    if (judgement.outcome !== 'pass') return judgement
    if (!agreed) return inconclusive('the user could not agree to the URL of the first server')
    if (watchedAfter(t, agreed) === undefined)
      return inconclusive('the run did not watch what happened next')
    return pass(judgement.message, [...judgement.evidence, ...cite(agreed)])
  }

export const bothAsk = scenario({
  id: 'both-servers-ask',
  title: 'two servers ask, and the user agrees to the URL of the first one alone',
  control,
  needs: atOnce,
  notApplicable: needsTwoServers,
  async drive({ open, observe }) {
    const client = await open()
    const first = await client.begin()
    await first.ask()
    await first.prompted()
    await client.askBeside()
    // Whether more is asked about it, behind the other question perhaps, does not matter.
    await first.agreeIfAsked()
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/consent-before-opening',
      'opens nothing of the other server',
      ofOther(opensAfterConsentIn('call-2')),
    ),
    check(
      'mcp-url-elicitation/client/accept-after-consent',
      'accepts nothing of the other server',
      ofOther(acceptsAfterConsentIn('call-2')),
    ),
  ],
})
