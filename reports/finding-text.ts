/** One finding as a block of plain text: what is required, what came instead, and the exchange that shows it. */

import { printable, type Finding } from '../harness/index.ts'
import { curlLine, stimulusOf } from './curl.ts'
import { evidenceLines, type Transcripts } from './evidence.ts'

/** What the block needs to know about the finding's requirement. */
export interface RequirementText {
  readonly id: string
  readonly text: string
}

/** The lines of the block, without colour. Nothing in them can control a terminal. */
export function findingLines(
  finding: Finding,
  requirement: RequirementText | undefined,
  transcripts: Transcripts,
): string[] {
  const { keyword, basis, source, message, expected, actual, evidence, scenario } = finding
  const events = evidenceLines(evidence, transcripts, scenario)
  const stimulus = stimulusOf(evidence, transcripts)
  return [
    `${finding.requirement}  (scenario ${scenario}: ${finding.title})`,
    `  requires   ${requirement?.text ?? finding.title}`,
    `             ${keyword}, ${basis}, ${source}`,
    `  found      ${printable(message, 1000)}`,
    ...(expected === undefined ? [] : [`  expected   ${printable(expected, 1000)}`]),
    ...(actual === undefined ? [] : [`  actual     ${printable(actual, 1000)}`]),
    ...(events.length === 0 ? [] : ['  seen', ...events.map((line) => `    ${line}`)]),
    ...(stimulus ? ['  repeat', `    ${curlLine(stimulus)}`] : []),
  ]
}

/** {@link findingLines} as one text. */
export function findingText(
  finding: Finding,
  requirement: RequirementText | undefined,
  transcripts: Transcripts,
): string {
  return findingLines(finding, requirement, transcripts).join('\n')
}
