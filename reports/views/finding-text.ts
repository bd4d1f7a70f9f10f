/** One finding as a block of plain text: what was found, against which requirement, and the exchange that shows it. */

import { printable, type Finding } from '../../harness/engine/index.ts'
import type { RunRecord } from '../record/run-record.ts'
import { curlLine, stimulusOf } from './curl.ts'
import { evidenceLines, type Transcripts } from './evidence.ts'
import { isRepeatable } from './repeatable.ts'

/** Columns of a label and the blanks after it. */
const labelled = 13

export interface FindingTextOptions {
  /** Further scenarios with the same finding. */
  readonly also?: readonly string[]
  /** Events that are shown; the rest stands in the transcripts. */
  readonly events?: number
}

/** The lines of the block, without colour. Nothing in them can control a terminal. */
export function findingLines(
  finding: Finding,
  record: Pick<RunRecord, 'requirements' | 'diagram' | 'configuration' | 'facts'>,
  transcripts: Transcripts,
  { also = [], events }: FindingTextOptions = {},
): string[] {
  const { requirement, keyword, basis, source, message, expected, actual, evidence } = finding
  const row = record.requirements.find(({ id }) => id === requirement)
  const stimulus = stimulusOf(evidence, transcripts, record.diagram)
  const repeated = stimulus && isRepeatable(record, stimulus) ? [curlLine(stimulus)] : []
  return [
    printable(message, 1000),
    ...rows('requirement', [
      `${requirement}: ${row?.text ?? finding.title}`,
      `${keyword}, ${basis}, ${source}`,
    ]),
    ...rows('scenario', [[finding.scenario, ...also].join(', ')]),
    ...rows('expected', expected === undefined ? [] : [printable(expected, 1000)]),
    ...rows('found', actual === undefined ? [] : [printable(actual, 1000)]),
    ...rows('exchange', evidenceLines(evidence, transcripts, finding.scenario, events)),
    ...rows('repeat', repeated),
    ...rows('to fix', row?.mend === undefined ? [] : [row.mend]),
  ]
}

/** The label stands before the first line. */
function rows(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(labelled)}${line}`)
}

/** {@link findingLines} as one text. */
export function findingText(...finding: Parameters<typeof findingLines>): string {
  return findingLines(...finding).join('\n')
}
