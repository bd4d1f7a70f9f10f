import {
  challengesDiffer,
  leakChecks,
  othersDataKept,
  statesDifferInRun,
  type Place,
} from '../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { isAsked } from '../requirements/oauth-client.ts'
import { scenario } from './define.ts'

const isStep =
  (...actions: readonly string[]): Place =>
  (event) =>
    event.type === 'step' && actions.includes(event.action)

const places = {
  /** What a run ends with is its planner's. */
  result: () => false,
  asked: isStep('paused'),
  other: isStep('paused', 'callback-taken', 'adapter'),
}

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    ...leakChecks(places).filter(({ requirement }) => isAsked(requirement)),
    challengesDiffer,
    statesDifferInRun(handoff),
    othersDataKept(handoff),
  ],
})
