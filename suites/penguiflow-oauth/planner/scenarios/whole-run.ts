import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  show,
  violation,
  type Recorded,
  type RecordedEvent,
  type StepEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { isOwnAnswer } from '../../../oauth-client/scenarios/index.ts'
import { providerNames } from '../../provider-names.ts'
import {
  asksForConsent,
  fieldsOf,
  listIn,
  parameterIn,
  pauseOf,
  textIn,
  type Pause,
} from '../../view.ts'
import { check, type Judge } from '../checks.ts'
import type { Declared } from '../configuration.ts'
import { issued, leakIn, tokens, toldNothingOf, type Counts } from '../leaks.ts'
import { missingFields, wrongPayload } from '../payloads.ts'
import { tellsNothingOfOthers } from '../told-of-others.ts'
import { scenario } from './define.ts'

const credentials = ['authorization_code', 'client_secret', 'code_verifier']
const secrets = [...tokens, ...credentials]

/** Below it, handles can be tried out (RFC 6749 §10.10 asks for more). */
const fewestBits = 64

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    check(
      'penguiflow-oauth/planner/no-token-in-model',
      'gives the model no token',
      toldNothingOf(tokens),
    ),
    check(
      'penguiflow-oauth/planner/no-state-in-model',
      'gives the model neither state nor handle',
      toldNothingOf(['pending_state', 'resume_handle']),
    ),
    check(
      'penguiflow-oauth/planner/no-credentials-in-model',
      'gives the model neither code nor client secret nor verifier',
      toldNothingOf(credentials),
    ),
    check('penguiflow-oauth/planner/no-secrets-in-output', 'lets no secret out', (t) => {
      if (!issued(t)) return inconclusive('no token was issued in the whole run')
      const out = t.events.filter(isSaid)
      // A redirect of the page that the code is brought to may carry it along (docs/readings.md, 11).
      const counts: Counts = (event, sighting) =>
        event.type !== 'response' || isOwnAnswer(event, sighting, t)
      const found = leakIn(out, secrets, 'was printed, logged or said', counts)
      if (found) return found
      return pass(`${out.length} events scanned`, cite(...out.slice(0, 3)))
    }),
    check(
      'penguiflow-oauth/planner/isolate-pauses',
      'tells no model of other users',
      tellsNothingOfOthers,
    ),
    check('penguiflow-oauth/planner/handle-opaque', 'makes handles that nobody can guess', opaque),
    check(
      'penguiflow-oauth/planner/pause-payload',
      'says of every consent which provider it is for',
      everyConsent(
        'a pause does not say that it is for OAuth, and for which provider',
        (t, pause, declared) => wrongPayload(pause) ?? otherProvider(t, pause, declared),
      ),
    ),
    check(
      'penguiflow-oauth/planner/payload-fields',
      'gives its host what it needs, every time',
      everyConsent('the payload of a pause lacks what its host needs', (_, pause) =>
        missingFields(pause),
      ),
    ),
  ],
})

/** Not only the first pause of a run is for its host. */
function everyConsent(
  what: string,
  wrong: (t: Transcript, pause: Pause, declared: Declared) => ReturnType<typeof wrongPayload>,
): Judge {
  return (t, { declared }) => {
    const consents = t
      .steps('paused')
      .map(pauseOf)
      .filter(({ payload }) => asksForConsent(payload))
    if (consents.length === 0) return inconclusive('nothing paused for a consent')
    for (const pause of consents) {
      const difference = wrong(t, pause, declared)
      if (difference) return violation(what, difference, cite(pause.event))
    }
    return pass(
      `${consents.length} pauses`,
      cite(...consents.slice(0, 3).map(({ event }) => event)),
    )
  }
}

/**
 * Another provider than those that the tools of the call need, or the first one where the URL is of the client of the
 * second: adapters are told what both are called.
 */
function otherProvider(
  t: Transcript,
  { event, payload }: Pause,
  { tool, secondProvider, secondClient }: Declared,
) {
  const called = t
    .steps('model-called', event.call)
    .filter((each) => each.scenario === event.scenario)
    .map(({ detail }) => textIn(detail['name']))
  const tools = [tool, secondProvider]
  const isSecond = parameterIn(payload, 'client_id') === secondClient
  const expected = providerNames.filter(
    (_, index) =>
      !(isSecond && index === 0) &&
      called.some((name) => tools[index] !== undefined && name?.endsWith(tools[index])),
  )
  const provider = payload['provider']
  if (expected.length === 0 || expected.some((name) => name === provider)) return undefined
  return { expected: `provider ${expected.join(' or ')}`, actual: show(provider) }
}

function opaque(t: Transcript, { declared }: Parameters<Judge>[1]) {
  if (declared.handles === 'chosen')
    return notApplicable('declares.handles is chosen: the application makes them')
  const pauses = t.steps('paused')
  const facts = pauses.map(({ detail }) => fieldsOf(detail['facts']))
  // One handle alone differs from none.
  if (pauses.length < 2) return inconclusive('no two pauses were seen')
  const again = repeated(pauses)
  if (again) {
    const difference = {
      expected: 'a handle that no other run has',
      actual: 'one that was made before',
    }
    return violation('two runs have the same handle', difference, cite(...again))
  }
  for (const [index, { length, bits, holds, derived }] of facts.entries()) {
    const how = textIn(derived)
    if (how !== undefined) {
      const difference = { expected: 'a random value', actual: `the handle is ${how}` }
      return violation(
        'a handle can be computed from what others know',
        difference,
        cite(pauses[index]),
      )
    }
    const inside = listIn(holds).map(String)
    if (inside.length > 0) {
      const difference = {
        expected: 'neither user nor state',
        actual: `holds the ${inside.join(', the ')}`,
      }
      return violation('a handle tells what it is for', difference, cite(pauses[index]))
    }
    if (Number(bits) >= fewestBits) continue
    const difference = {
      expected: `at least ${fewestBits} bits that differ from any other handle`,
      actual: `${show(bits)} bits, of ${show(length)} characters`,
    }
    return violation('handles can be guessed', difference, cite(pauses[index]))
  }
  return pass(`${pauses.length} handles`, cite(...pauses.slice(0, 3)))
}

/** Two pauses of different runs with one handle, also where another process has made it. */
function repeated(pauses: readonly Recorded<StepEvent>[]) {
  const first = new Map<unknown, Recorded<StepEvent>>()
  for (const pause of pauses) {
    const handle = pause.detail['handle']
    const earlier = first.get(handle) ?? pause
    if (earlier.scenario !== pause.scenario || earlier.call !== pause.call) return [earlier, pause]
    first.set(handle, earlier)
  }
  return undefined
}

/** What the implementation prints, logs, or says through its adapter. */
function isSaid(event: RecordedEvent): boolean {
  if (event.type === 'output') return !event.source.startsWith('store ')
  if (event.type === 'response') return event.channel === 'browser'
  const said = ['paused', 'finished', 'run-failed', 'callback-taken', 'adapter']
  return event.type === 'step' && said.includes(event.action)
}
