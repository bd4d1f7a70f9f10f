/** What was found, on the first screen: each broken requirement once, what was found against it, and how it is mended. */

import type { Problem } from '../../record/root-causes.ts'
import { anchors } from './anchors.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'
import type { View } from './view.ts'

/** Requirements in the list; what else was found follows in full below it. */
const listed = 12
/** Further findings against one of them. */
const further = 4

/** The list of findings; where there is none, nothing. */
export function overview(view: View): Markup | undefined {
  const { failures, warnings, consequences, unjudged } = view.told
  const groups = [failures, warnings, consequences].flatMap(byRequirement)
  const rest = groups.slice(listed).flat().length
  if (groups.length + unjudged.length === 0) return undefined
  return markup`<section class="overview" aria-label="What was found"><ol>
${groups.slice(0, listed).map((group) => item(group, view))}</ol>
${rest > 0 && markup`<p><a href="#findings">${rest} more</a></p>`}
${unjudged.length > 0 && markup`<p>${badge('inconclusive')} <a href="#unjudged">${unjudged.flatMap(({ findings }) => findings).length} checks could not be judged</a></p>`}
</section>
`
}

type Group = readonly [Problem, ...Problem[]]

function byRequirement(problems: readonly Problem[]): Group[] {
  const groups = new Map<string, [Problem, ...Problem[]]>()
  for (const problem of problems) {
    const { requirement, verdict } = problem.finding
    const key = `${verdict} ${requirement}`
    const group = groups.get(key)
    if (group) group.push(problem)
    else groups.set(key, [problem])
  }
  return [...groups.values()]
}

function item([first, ...others]: Group, view: View): Markup {
  const { verdict, requirement } = first.finding
  const mend = view.requirement(requirement)?.mend
  const rest = others.length - further
  return markup`<li>${badge(verdict)} ${link(first, view, 300)}
<span class="source"><b>Requirement:</b> <a href="#${anchors.requirement(requirement)}">${requirement}</a>.${mend === undefined ? '' : markup` <b>To fix:</b> ${mend.slice(0, 300)}`}</span>
${others.length > 0 && markup`<span class="source"><b>Also:</b> ${others.slice(0, further).map((each, place) => markup`${place > 0 ? '; ' : ''}${link(each, view, 120)}`)}${rest > 0 ? `, and ${rest} more` : ''}</span>`}</li>
`
}

function link({ finding }: Problem, view: View, length: number): Markup {
  const { message } = finding
  const shown = message.length > length ? `${message.slice(0, length)}…` : message
  return markup`<a href="#${anchors.finding(view.indexOf(finding))}">${shown}</a>`
}
