/** What every section of the report looks at: the record, the recordings, and how much may still be written. */

import type { Finding, RecordedEvent } from '../../../harness/engine/index.ts'
import type { Transcripts } from '../evidence.ts'
import { told, type Told } from '../../record/root-causes.ts'
import type { RequirementRecord, RunRecord } from '../../record/run-record.ts'
import { citationsOf, type Citations } from './citations.ts'
import { rowsOf, type Row } from './sequence.ts'

/** How large the report becomes at most. */
export const limits = {
  /** Rows of one diagram. */
  rows: 80,
  /** Findings that are shown with everything that belongs to them. */
  findings: 300,
  /** Events listed of one finding. */
  evidence: 12,
  /** Characters of all wire messages together; diagrams and findings are small beside them. */
  messages: 12_000_000,
}

/** A finding with its place in the record, which names its anchor. */
export interface Numbered {
  readonly index: number
  readonly finding: Finding
}

export interface View {
  readonly record: RunRecord
  readonly transcripts: Transcripts
  readonly citations: Citations
  readonly findings: readonly Numbered[]
  /** What did not pass, by cause. */
  readonly told: Told
  /** Whether a finding has an article of its own; the others are a line of their scenario. */
  readonly hasArticle: (finding: Finding) => boolean
  readonly indexOf: (finding: Finding) => number
  readonly requirement: (id: string) => RequirementRecord | undefined
  /** The id of the undisturbed twin. */
  readonly controlOf: (scenario: string) => string | undefined
  readonly eventsOf: (scenario: string) => readonly RecordedEvent[]
  readonly rowsOf: (scenario: string) => readonly Row[]
  /** Takes so many characters from what may still be written; false when they are used up. */
  readonly afford: (characters: number) => boolean
}

export function viewOf(record: RunRecord, transcripts: Transcripts): View {
  const citations = citationsOf(record)
  const requirements = new Map(record.requirements.map((each) => [each.id, each]))
  const controls = new Map(record.scenarios.map(({ id, control }) => [id, control]))
  const rows = new Map<string, readonly Row[]>()
  const eventsOf = (scenario: string): readonly RecordedEvent[] =>
    transcripts.get(scenario)?.events ?? []
  const all = told(record)
  const articles = new Set(
    [...all.failures, ...all.warnings, ...all.consequences]
      .slice(0, limits.findings)
      .map(({ finding }) => finding),
  )
  const indexes = new Map(record.findings.map((finding, index) => [finding, index]))
  let left = limits.messages
  return {
    record,
    transcripts,
    citations,
    findings: record.findings.map((finding, index) => ({ finding, index })),
    told: all,
    hasArticle: (finding) => articles.has(finding),
    indexOf: (finding) => indexes.get(finding) ?? 0,
    requirement: (id) => requirements.get(id),
    controlOf: (scenario) => controls.get(scenario),
    eventsOf,
    rowsOf(scenario) {
      const known = rows.get(scenario)
      if (known) return known
      const isCited = (event: RecordedEvent): boolean => citations.verdictAt(event) !== undefined
      const made = rowsOf(eventsOf(scenario), record.diagram, isCited)
      rows.set(scenario, made)
      return made
    },
    afford(characters) {
      left -= characters
      return left >= 0
    },
  }
}
