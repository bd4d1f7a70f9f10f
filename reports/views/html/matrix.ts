/** The matrix: one row per requirement of the catalogue, with its verdict and the way to the finding behind it. */

import type { RequirementRecord } from '../../record/run-record.ts'
import { anchors } from './anchors.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'
import { sources } from './sources.ts'
import type { View } from './view.ts'

export function matrix(view: View): Markup {
  const rows = view.record.requirements
  return markup`<section aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<div class="wide" role="region" aria-label="requirements" tabindex="0"><table class="matrix"><thead><tr><th scope="col">Requirement</th><th scope="col">Keyword</th><th scope="col">Basis</th><th scope="col">Verdict</th><th scope="col">Judged in</th></tr></thead><tbody>
${rows.map((each) => row(each, view))}</tbody></table></div></section>
`
}

function row(requirement: RequirementRecord, view: View): Markup {
  const { id, keyword, basis, text, verdict, excluded, scenarios } = requirement
  return markup`<tr id="${anchors.requirement(id)}"><th scope="row"><code>${id}</code><p>${text.slice(0, 600)} <span class="source">${sources(requirement)}</span></p></th><td>${keyword}</td><td>${basis.replace('-', ' ')}</td><td>${badge(verdict)}</td><td>${excluded === undefined ? judgedIn(requirement, view, scenarios) : excluded.slice(0, 600)}</td></tr>
`
}

/** The finding that decided, or the scenarios where everything was as it should be. */
function judgedIn(
  { id, verdict }: RequirementRecord,
  { findings }: View,
  scenarios: readonly string[],
): Markup {
  const own = findings.filter(({ finding }) => finding.requirement === id)
  const deciding = own.filter(({ finding }) => finding.verdict === verdict)
  const shown = deciding.slice(0, 3)
  const rest = scenarios.length - shown.length
  const reason = verdict === 'not-applicable' ? deciding[0]?.finding.message : undefined
  return markup`${shown.map(({ index, finding }, place) => markup`${place > 0 ? ', ' : ''}<a href="#${anchors.finding(index)}">${finding.scenario}</a>`)}${rest > 0 ? ` and ${rest} more` : ''}${reason === undefined ? '' : `: ${reason.slice(0, 300)}`}`
}
