/** The top of the report: the verdict, what it is about, and what it rests on. */

import { countVerdicts } from '../../record/summarize.ts'
import { headline, tone } from '../headline.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { safeLink } from '../safe-link.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'

export function head(record: RunRecord, found: Markup | undefined): Markup {
  const { implementation, profile, suite, started, durationMs, exit, run } = record
  const counts = Object.entries(countVerdicts(record.findings)) as [
    keyof ReturnType<typeof countVerdicts>,
    number,
  ][]
  return markup`<header>
<p class="verdict ${tone(record)}">${headline(record)}</p>
<h1>${implementation.name.slice(0, 200)}${implementation.version && markup` <small>${implementation.version.slice(0, 100)}</small>`}</h1>
<p class="counts">${counts.filter(([, count]) => count > 0).map(([verdict, count]) => markup`${badge(verdict, `${count} ${verdict.replace('-', ' ')}`)} `)}</p>
${notes(record).map((note) => markup`<p class="note">${note}</p>`)}
${found}
<p>as <code>${profile}</code>, judged by ${suite.name} ${suite.version} on <time datetime="${started}">${started}</time> in ${(durationMs / 1000).toFixed(1)} s (run <code>${run}</code>)</p>
${specificationLine(record)}
<p>Exit code ${exit.code}: ${exit.reason.slice(0, 600)}</p>
</header>
`
}

function specificationLine({ specification }: RunRecord): Markup {
  const { title, revision, published } = specification
  const link = safeLink(published)
  const name = title.slice(0, 200)
  return markup`<p>Specification: ${link === undefined ? name : markup`<a href="${link}">${name}</a>`}, ${revision.slice(0, 200)}</p>`
}

/** What a reader must know before trusting the verdict. */
function notes(record: RunRecord): string[] {
  const { partial, baseline, interrupted, failures, strict, facts } = record
  return [
    ...(typeof facts['note'] === 'string' ? [facts['note'].slice(0, 600)] : []),
    ...(partial ? ['Only a part of the suite was run: this certifies nothing.'] : []),
    ...(baseline
      ? [
          `Held against a baseline: ${baseline.known.length} known findings do not count for the exit code.`,
        ]
      : []),
    ...(baseline
      ? baseline.problems.map((each) => `The baseline is out of date: ${each.slice(0, 600)}`)
      : []),
    ...(interrupted ? [`The run was ended by ${interrupted} before its time.`] : []),
    ...(strict ? ['Strict: a broken best-practice MUST fails the run.'] : []),
    ...failures
      .slice(0, 20)
      .map(
        ({ scenario, message }) => `The harness failed in ${scenario}: ${message.slice(0, 600)}`,
      ),
  ]
}
