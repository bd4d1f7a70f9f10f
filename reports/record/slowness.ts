/** Tells whether an implementation or this machine was only too slow, or too much was asked: with which setting to try again. */

import {
  busyMachineStep,
  drivenAgainStep,
  endsOf,
  oneAtATimeStep,
  runLog,
  type RecordedEvent,
  type StepEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { RunRecord } from './run-record.ts'

/** Step of a call that the implementation refused because of how many there are. */
const tooManyStep = 'too-many'

/** A sentence or two with the settings to change; `undefined` where nothing came late, and nothing was too much. */
export function slownessNote(
  record: Pick<RunRecord, 'diagram' | 'settings' | 'findings'>,
  transcripts: ReadonlyMap<string, Transcript>,
): string | undefined {
  const notes = [
    serialNote(transcripts),
    crowdNote(record, transcripts),
    aloneNote(record, transcripts),
    lateNote(record, transcripts),
    busyNote(record, transcripts),
  ]
  const sentences = notes
    .filter((note) => note !== undefined)
    .map((note, nth) => (nth === 0 ? note : note[0]?.toUpperCase() + note.slice(1)))
  return sentences.join(' ') || undefined
}

function serialNote(transcripts: ReadonlyMap<string, Transcript>): string | undefined {
  if (!transcripts.get(runLog)?.steps(oneAtATimeStep).length) return undefined
  return 'the implementation does few things at a time, so the scenarios were driven one after the other, which takes longer.'
}

function crowdNote(
  { settings }: Pick<RunRecord, 'settings'>,
  transcripts: ReadonlyMap<string, Transcript>,
): string | undefined {
  const { length } = [...transcripts.values()].filter((t) => t.steps(tooManyStep).length > 0)
  if (length === 0) return undefined
  const where = length === 1 ? 'one scenario' : `${length} scenarios`
  return `in ${where} the implementation reported that it is overloaded. If this disturbs the run, lower timing.concurrency (${settings.concurrency}) to 1.`
}

function aloneNote(
  { settings }: Pick<RunRecord, 'settings'>,
  transcripts: ReadonlyMap<string, Transcript>,
): string | undefined {
  const count = drivenAgain(transcripts, 'beside-others')
  if (count === 0) return undefined
  return `${scenariosWere(count)} driven once more, alone, since something was waited for in vain beside others. If the implementation does few things at a time, lower timing.concurrency (${settings.concurrency}).`
}

function drivenAgain(transcripts: ReadonlyMap<string, Transcript>, why: string): number {
  const steps = transcripts.get(runLog)?.steps(drivenAgainStep) ?? []
  return steps.filter(({ detail }) => detail['why'] === why).length
}

function scenariosWere(count: number): string {
  return count === 1 ? 'one scenario was' : `${count} scenarios were`
}

function lateNote(
  record: Pick<RunRecord, 'diagram' | 'settings'>,
  transcripts: ReadonlyMap<string, Transcript>,
): string | undefined {
  const late = [...transcripts].filter(([, { events }]) =>
    events.some(
      (event) => isGivenUp(event) && events.some((each) => comesLate(each, event, record)),
    ),
  )
  const [first] = late
  if (!first) return undefined
  const others = late.length > 1 ? ` and ${late.length - 1} other scenarios` : ''
  const { stepMs, maxWaitMs, concurrency } = record.settings
  return `in ${first[0]}${others} something arrived after the run had stopped waiting for it. If the implementation is only slow, raise timing.step (${stepMs} ms) and --max-wait (${maxWaitMs} ms), or lower timing.concurrency (${concurrency}).`
}

/** Only what is without proof may be the fault of the machine. */
function busyNote(
  { findings }: Pick<RunRecord, 'findings'>,
  transcripts: ReadonlyMap<string, Transcript>,
): string | undefined {
  const log = transcripts.get(runLog)
  const [busy] = log?.steps(busyMachineStep) ?? []
  if (!busy || findings.every(({ verdict }) => verdict !== 'inconclusive')) return undefined
  const again = drivenAgain(transcripts, 'busy')
  const still = again > 0 ? `, although ${scenariosWere(again)} driven once more for it` : ''
  return `this machine was busy (a timer came ${String(busy.detail['lateMs'])} ms late): what is inconclusive may be so for that reason alone${still}. Run it again with less beside it, or with a lower timing.concurrency.`
}

type Step = RecordedEvent & StepEvent

function isGivenUp(event: RecordedEvent): event is Step {
  return event.type === 'step' && event.action === 'gave-up'
}

/** Something of the same call that the implementation sent or showed. */
function comesLate(
  event: RecordedEvent,
  { t, call }: Step,
  { diagram }: Pick<RunRecord, 'diagram'>,
): boolean {
  if (event.t <= t || call === undefined || event.call !== call) return false
  if (event.type === 'surface') return true
  return event.type === 'request' && endsOf(diagram, event)[0] === diagram.implementation
}
