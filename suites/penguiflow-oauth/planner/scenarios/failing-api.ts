/** The API fails with a token that was just issued: whatever is made of that, the model is not told the token. */

import { cite, inconclusive, isAfter, pass } from '../../../../harness/engine/index.ts'
import { callOf, outcomeIn } from '../../view.ts'
import { check, type Judge } from '../checks.ts'
import { needsOwnCallPath } from '../conditions.ts'
import { scanned, tokens } from '../leaks.ts'
import { control, scenario } from './define.ts'

/** Who ends the run instead of telling the model anything has not told it a token. */
const toldNoToken: Judge = (t) => {
  const { accesses, outcomes } = callOf(t)
  const failed = accesses.find(({ detail }) => detail['outcome'] !== 'served')
  if (!failed) return inconclusive('the API was not asked with a token, or did not fail')
  const asked = t.requests('model').filter((each) => isAfter(each, failed))
  if (asked.length > 0) return scanned(asked, tokens)
  const outcome = outcomes.find((each) => isAfter(each, failed))
  if (!outcome) return inconclusive('the model was not asked since, and the run did not end')
  return pass(`nothing was told: ${outcomeIn(outcome)}`, cite(failed, outcome))
}

export const apiFails = scenario({
  id: 'resource-error-500',
  title: 'the API answers 500 to the token that was just issued',
  control,
  notApplicable: needsOwnCallPath,
  async drive({ begin, user }) {
    const call = await begin(user)
    await user.approve(call, { faults: ['resource-error-500'] })
    await call.resume()
    await call.goOn()
  },
  checks: [
    check(
      'penguiflow-oauth/planner/no-token-in-model',
      'gives the model no token when the API fails',
      toldNoToken,
    ),
  ],
})
