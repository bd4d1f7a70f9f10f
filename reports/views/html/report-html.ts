/** The run as one HTML page. */

import type { Transcripts } from '../evidence.ts'
import { headline } from '../headline.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { declared } from './declared.ts'
import { arrowHead } from './diagram.ts'
import { findings } from './findings.ts'
import { head } from './head.ts'
import { markup } from './markup.ts'
import { matrix } from './matrix.ts'
import { filter } from './filter.ts'
import { overview } from './overview.ts'
import { page } from './page.ts'
import { script } from './script.ts'
import { scenarios } from './scenarios.ts'
import { viewOf } from './view.ts'

/** The report as a complete document. */
export function reportHtml(record: RunRecord, transcripts: Transcripts): string {
  const view = viewOf(record, transcripts)
  const title = `${headline(record)}: ${record.implementation.name.slice(0, 120)} as ${record.profile}`
  return page(
    title,
    markup`${arrowHead}
${head(record, overview(view))}
<nav aria-label="Sections"><a href="#findings">Findings</a><a href="#requirements">Requirements</a><a href="#scenarios">Scenarios</a><a href="#declared">What was declared</a></nav>
${filter()}
<main>
${findings(view)}
${matrix(view)}
${scenarios(view)}
${declared(record)}
</main>
<footer><p class="source">Written by ${record.suite.name} ${record.suite.version}. Secrets were replaced by names when they were recorded; invisible characters are written out as ‹U+202E›; long texts are cut, the transcripts are complete.</p></footer>`,
    script,
  )
}
