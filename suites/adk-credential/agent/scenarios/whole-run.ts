import { inconclusive, type Transcript } from '../../../../harness/engine/index.ts'
import {
  challengesDiffer,
  leakChecks,
  othersDataKept,
  type Place,
} from '../../../oauth-client/scenarios/index.ts'
import { check } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { isAnswer, isRead, secretsNotToModel, stateWithoutTokens } from './leaks.ts'
import { scenario } from './define.ts'

const isAsked: Place = (event) => event.type === 'step' && event.action === 'asked'

const others = othersDataKept(handoff)

/** Where nobody has a token, nobody can be served with that of another. */
const noneIssued = inconclusive('no token was issued in the whole run')

function isAnyIssued(t: Transcript): boolean {
  return t.provider('grant').some(({ detail }) => detail['outcome'] === 'issued')
}

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
    ...leakChecks({ result: isAnswer, asked: isAsked, other: isRead }),
    challengesDiffer,
    { ...others, judge: (t, context) => (isAnyIssued(t) ? others.judge(t, context) : noneIssued) },
  ],
})
