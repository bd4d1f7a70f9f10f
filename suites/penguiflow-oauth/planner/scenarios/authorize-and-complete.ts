import { cite, inconclusive, isAfter, pass, violation } from '../../../../harness/engine/index.ts'
import { usesIssuedToken } from '../../own-tokens.ts'
import { callOf, outcomeIn } from '../../view.ts'
import { modelCalled } from '../../../../harness/parties/model-called.ts'
import { check, firstPause } from '../checks.ts'
import { missingFields, wrongPayload } from '../payloads.ts'
import { control, scenario } from './define.ts'

export const authorizeAndComplete = scenario({
  id: control,
  title: 'the planner pauses, the user approves, the run is resumed and ends',
  async drive({ begin, user }) {
    const call = await begin(user)
    await user.approve(call)
    await call.resume()
    await call.goOn()
  },
  checks: [
    check('penguiflow-oauth/planner/pause-without-token', 'pauses before the tool runs', (t) => {
      const { outcomes, toolRuns, accesses } = callOf(t)
      const reached = modelCalled(t)
      if (typeof reached === 'string') return inconclusive(reached)
      const [outcome] = outcomes
      if (!outcome) return inconclusive('the run neither paused nor ended', reached)
      const evidence = [...reached, ...cite(outcome)]
      if (outcome.action !== 'paused') {
        const difference = { expected: 'a pause', actual: outcomeIn(outcome) }
        return violation('the run ended although its user has no token', difference, evidence)
      }
      const early = [...accesses, ...toolRuns].find((each) => isAfter(outcome, each))
      if (!early) return pass('it paused', evidence)
      const difference = { expected: 'a pause, and nothing before', actual: 'a run of the tool' }
      return violation('the tool ran without a token', difference, [...evidence, ...cite(early)])
    }),
    check(
      'penguiflow-oauth/planner/pause-payload',
      'says what it pauses for',
      firstPause(wrongPayload, 'a pause does not say that it is for OAuth, and for which provider'),
    ),
    check(
      'penguiflow-oauth/planner/payload-fields',
      'gives what its host needs',
      firstPause(missingFields, 'the payload of a pause lacks what its host needs'),
    ),
    check(
      'penguiflow-oauth/planner/run-after-consent',
      'runs with the token just issued',
      usesIssuedToken,
    ),
  ],
})
