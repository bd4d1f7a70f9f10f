import { cite, inconclusive, pass, show, violation } from '../../../../harness/engine/index.ts'
import {
  challengesDiffer,
  isOwnPage,
  leakChecks,
  othersDataKept,
  statesDifferInRun,
  type Place,
} from '../../../oauth-client/scenarios/index.ts'
import { asksForConsent, pauseOf, stateIn } from '../../view.ts'
import { check, type Judge } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { isAsked } from '../requirements/oauth-client.ts'
import { scenario } from './define.ts'

const isStep =
  (...actions: readonly string[]): Place =>
  (event) =>
    event.type === 'step' && actions.includes(event.action)

const told = isStep('paused', 'callback-taken', 'adapter')

const places = {
  /** What a run ends with is its planner's. */
  result: () => false,
  asked: isStep('paused'),
  other: (...seen: Parameters<Place>) => told(...seen) || isOwnPage(...seen),
}

/** The state of every payload is that of its own URL, also where a run pauses once more. */
const everyPayloadMatches: Judge = (t) => {
  const consents = t
    .steps('paused')
    .map(pauseOf)
    .filter(({ payload }) => asksForConsent(payload))
  if (consents.length === 0) return inconclusive('nothing paused for a consent')
  for (const { event, payload } of consents) {
    // A pushed request has it elsewhere (RFC 9126 §4).
    const sent = stateIn({ auth_url: payload['auth_url'] })
    const { state } = payload
    if (sent === undefined || typeof state !== 'string' || state === sent) continue
    const difference = { expected: show(sent), actual: show(state) }
    return violation('the state of a payload is not that of its URL', difference, cite(event))
  }
  return pass(`${consents.length} pauses`, cite(...consents.slice(0, 3).map(({ event }) => event)))
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
      'penguiflow-oauth/manager/payload-matches-url',
      'says every time what the URL says',
      everyPayloadMatches,
    ),
    ...leakChecks(places).filter(({ requirement }) => isAsked(requirement)),
    challengesDiffer,
    statesDifferInRun(handoff),
    othersDataKept(handoff),
  ],
})
