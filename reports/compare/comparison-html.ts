/** A comparison as HTML: a page with the grid, and a page for each requirement in which the runs differ. */

import { headline, tone } from '../views/headline.ts'
import { badge } from '../views/html/marks.ts'
import { markup, type Markup } from '../views/html/markup.ts'
import { page } from '../views/html/page.ts'
import {
  decidingFindings,
  type Change,
  type Column,
  type Comparison,
  type Row,
} from './comparison.ts'
import { letter } from './comparison-md.ts'

/** So many findings of one cell are shown. */
const shownFindings = 5

/** Every page by the name of its file; `index.html` is the first. */
export function comparisonPages(comparisons: readonly Comparison[]): Map<string, string> {
  const grids = comparisons.map(grid)
  const pages = comparisons.flatMap((comparison) =>
    comparison.rows
      .filter(({ differs }) => differs)
      .map((row) => [fileOf(row.id), difference(comparison, row)] as const),
  )
  const index = page('Comparison', markup`<main><h1>Comparison</h1>${grids}</main>`)
  return new Map([['index.html', index], ...pages])
}

/** Requirement ids are paths; a file name has no slashes. */
function fileOf(id: string): string {
  return `${id.replace(/[^\w.-]+/g, '--')}.html`
}

function grid({ profile, columns, rows, changes }: Comparison): Markup {
  return markup`<section><h2>${profile}</h2>
<table class="facts"><thead><tr><th scope="col"></th><th scope="col">Implementation</th><th scope="col">Verdict</th><th scope="col">Run</th></tr></thead><tbody>
${columns.map(
  ({ label, record }, index) =>
    markup`<tr><td>${letter(index)}</td><th scope="row">${label.slice(0, 200)}</th><td><span class="badge ${tone(record)}">${headline(record)}</span></td><td>${record.started}, suite ${record.suite.version}</td></tr>
`,
)}</tbody></table>
<div class="wide" role="region" aria-label="${profile}" tabindex="0"><table class="grid"><thead><tr><th scope="col">Requirement</th><th scope="col">Keyword</th>${columns.map(({ label }, index) => markup`<th scope="col"><abbr title="${label.slice(0, 200)}">${letter(index)}</abbr></th>`)}</tr></thead><tbody>
${rows.map(gridRow)}</tbody></table></div>
${changes.map(changed)}</section>`
}

function gridRow({ id, keyword, text, cells, differs }: Row): Markup {
  const name = differs ? markup`<a href="${fileOf(id)}">${id}</a>` : markup`${id}`
  return markup`<tr><th scope="row"><code>${name}</code> <span class="source">${text.slice(0, 300)}</span></th><td>${keyword}</td>${cells.map((cell) => markup`<td>${cell ? badge(cell) : 'unknown'}</td>`)}</tr>
`
}

function changed({ from, to, requirements }: Change): Markup {
  const items = requirements.map(
    ({ id, was, is }) =>
      markup`<li><a href="${fileOf(id)}"><code>${id}</code></a>: ${was ? badge(was) : 'unknown'} → ${is ? badge(is) : 'unknown'}</li>`,
  )
  return markup`<h3>From ${from.label.slice(0, 200)} to ${to.label.slice(0, 200)}</h3>
${items.length > 0 ? markup`<ul>${items}</ul>` : markup`<p>Nothing changed.</p>`}`
}

function difference({ columns }: Comparison, { id, keyword, text, cells }: Row): string {
  const sections = columns.map((column, index) => cellSection(column, id, cells[index]))
  return page(
    id,
    markup`<main><p><a href="index.html">Comparison</a></p><h1><code>${id}</code></h1><p>${keyword}: ${text.slice(0, 600)}</p>${sections}</main>`,
  )
}

function cellSection(column: Column, id: string, cell: Row['cells'][number]): Markup {
  const findings = decidingFindings(column, id)
  const rest = findings.length - shownFindings
  return markup`<section class="finding"><h2>${column.label.slice(0, 200)} ${cell ? badge(cell) : 'unknown'}</h2>
${findings
  .slice(0, shownFindings)
  .map(
    ({ scenario, message, expected, actual }) =>
      markup`<h3>${scenario}</h3><p>${message}</p>${
        expected === undefined && actual === undefined
          ? ''
          : markup`<dl class="comparison"><div><dt>expected</dt><dd>${expected ?? '-'}</dd></div><div><dt>actual</dt><dd>${actual ?? '-'}</dd></div></dl>`
      }`,
  )}${rest > 0 ? markup`<p>and ${rest} more</p>` : ''}</section>`
}
