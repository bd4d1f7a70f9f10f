/** An oauth message in another form, which asks its user all the same. */

import { inconclusive, violation } from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../judges/check.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import { authUrl, extraFields } from '../vocabulary.ts'
import { shownWith } from '../view.ts'
import { goOn, scenario } from './define.ts'

const oauthWithExtraFields = scenario({
  id: 'oauth-with-extra-fields',
  title: 'an oauth message with fields that RAP does not name',
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const oauth = await call.oauth('oauth', authUrl, extraFields)
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    // The undisturbed twin: that its URL is not shown tells of these fields where that of a plain message is.
    if (shownWith(call.transcript(), oauth.url).length === 0)
      await goOn(call.awaitSurfaced(await call.oauth('plain-oauth')))
    await call.result()
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/accept-extra-fields', 'shows the URL all the same', takesExtra()),
  ],
})

function takesExtra(): Judge {
  return (t, context) => {
    const judgement = surfacesUrl('oauth')(t, context)
    if (judgement.outcome !== 'violation') return judgement
    const plain = surfacesUrl('plain-oauth')(t, context)
    if (plain.outcome !== 'pass')
      return inconclusive('the URL of a plain message is not shown either')
    return violation(
      'the URL of an oauth message with fields that RAP does not name is not shown: ignore what you do not know',
      { expected: 'the URL shown, as that of a message without them', actual: judgement.message },
      [...judgement.evidence, ...plain.evidence],
    )
  }
}

export const oauthFormScenarios = [oauthWithExtraFields]
