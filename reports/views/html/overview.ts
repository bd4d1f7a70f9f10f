/** What was found, on the first screen: each cause in a line, with its requirement and how it is mended. */

import { anchors } from './anchors.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'
import type { View } from './view.ts'

/** Findings in the list; the others follow in full below it. */
const listed = 12

/** The list of findings; where there is none, nothing. */
export function overview(view: View): Markup | undefined {
  const { failures, warnings, consequences, unjudged } = view.told
  const problems = [...failures, ...warnings, ...consequences]
  const rest = problems.length - listed
  if (problems.length + unjudged.length === 0) return undefined
  return markup`<section class="overview" aria-label="What was found"><ol>
${problems.slice(0, listed).map(({ finding }) => {
  const { verdict, message, requirement } = finding
  const mend = view.requirement(requirement)?.mend
  return markup`<li>${badge(verdict)} <a href="#${anchors.finding(view.indexOf(finding))}">${message.slice(0, 300)}</a>
<span class="source"><b>Requirement:</b> <a href="#${anchors.requirement(requirement)}">${requirement}</a>.${mend === undefined ? '' : markup` <b>To fix:</b> ${mend.slice(0, 300)}`}</span></li>
`
})}</ol>
${rest > 0 && markup`<p><a href="#findings">${rest} more</a></p>`}
${unjudged.length > 0 && markup`<p>${badge('inconclusive')} <a href="#unjudged">${unjudged.flatMap(({ findings }) => findings).length} checks could not be judged</a></p>`}
</section>
`
}
