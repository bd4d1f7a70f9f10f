/** The function that writes each view of a run. */

import { annotations } from './annotations.ts'
import { badgeSvg, shieldsJson } from './badge.ts'
import type { Transcripts } from './evidence.ts'
import type { FormatId } from './format-names.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import type { RunRecord } from '../record/run-record.ts'
import { sarifJson } from './sarif.ts'
import { summaryMarkdown } from './summary-md.ts'
import { tapText } from './tap.ts'

/** Writes the report of each format: a pure function of the record and its transcripts. */
export const renderers: Readonly<
  Record<FormatId, (record: RunRecord, transcripts: Transcripts) => string>
> = {
  html: reportHtml,
  markdown: summaryMarkdown,
  junit: junitXml,
  sarif: sarifJson,
  tap: tapText,
  github: annotations,
  badge: badgeSvg,
  shields: shieldsJson,
}
