import {
  challengesDiffer,
  leakChecks,
  othersDataKept,
  statesDifferInRun,
  type Place,
} from '../../../oauth-client/scenarios/index.ts'
import { check } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { isAnswer, isRead, secretsNotToModel, stateWithoutTokens } from './leaks.ts'
import { requestChecks } from './request-checks.ts'
import { callsOf } from '../view.ts'
import { scenario } from './define.ts'
import { scopesInRun } from './scopes-in-run.ts'

const isAsked: Place = (event) => event.type === 'step' && event.action === 'asked'

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    check(
      'adk-credential/agent/secrets-not-to-model',
      'gives the model nothing secret',
      secretsNotToModel,
    ),
    check(
      'adk-credential/agent/state-without-tokens',
      'keeps no token in the state of a session',
      stateWithoutTokens,
    ),
    ...requestChecks(callsOf),
    ...leakChecks({ result: isAnswer, asked: isAsked, other: isRead }),
    scopesInRun,
    challengesDiffer,
    statesDifferInRun(handoff),
    othersDataKept(handoff),
  ],
})
