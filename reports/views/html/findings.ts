/** Findings: what did not pass in full, what passed as a line of its scenario. */

import { knownReason } from '../../record/baseline.ts'
import { findEvent } from '../evidence.ts'
import type { Problem, Unjudged } from '../../record/root-causes.ts'
import { curlLine, stimulusOf } from '../curl.ts'
import { isRepeatable } from '../repeatable.ts'
import { anchors } from './anchors.ts'
import { counterpart, differences } from './difference.ts'
import { labelOf } from './labels.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'
import { sources } from './sources.ts'
import { limits, type Numbered, type View } from './view.ts'

/** Failures first, then warnings, then what may follow from them and what could not be judged. */
export function findings(view: View): Markup {
  const { failures, warnings, consequences, unjudged, notOffered } = view.told
  const own = [...failures, ...warnings].filter(({ finding }) => view.hasArticle(finding))
  const following = consequences.filter(({ finding }) => view.hasArticle(finding))
  const all = failures.length + warnings.length + consequences.length
  const rest = all - own.length - following.length
  const nothing = all + unjudged.length === 0
  return markup`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${nothing ? markup`<p>Every judgement passed or did not apply. The scenarios below say what each rests on.</p>` : ''}
${own.map((each) => article(each, view))}
${following.length > 0 ? markup`<h3>Found where the undisturbed situation did not work either; perhaps a consequence of that</h3>` : ''}
${following.map((each) => article(each, view))}
${rest > 0 ? markup`<p>${rest} more, see results.json.</p>` : ''}
${unjudged.length > 0 ? markup`<h3 id="unjudged">What could not be judged</h3>` : ''}
${unjudged.slice(0, limits.findings).map((each) => notJudged(each, view))}
${notOffered.size > 0 ? markup`<h3>What a correct implementation need not offer, and this one does not</h3><ul>${[...notOffered].map(([id, message]) => markup`<li><a href="#${anchors.scenario(id)}">${id}</a>: ${message.slice(0, 600)}</li>`)}</ul>` : ''}</section>
`
}

/** One line for a finding that is told in a scenario. */
export function findingLine({ finding, index }: Numbered, view: View): Markup {
  const { verdict, requirement, title, message } = finding
  const told = view.hasArticle(finding)
  const id = told ? undefined : anchors.finding(index)
  const words = told
    ? markup`<a href="#${anchors.finding(index)}">${title.slice(0, 300)}</a>`
    : title.slice(0, 300)
  return markup`<li${id === undefined ? '' : markup` id="${id}"`}>${badge(verdict)} ${words} <a class="source" href="#${anchors.requirement(requirement)}">${requirement}</a>${told ? '' : markup`<span class="found">: ${message.slice(0, 600)}</span>`}</li>
`
}

/** What was found is the heading; what was expected stands below it. */
function article({ finding, also }: Problem, view: View): Markup {
  const { requirement, scenario, verdict, keyword, basis, source, message } = finding
  const known = knownReason(view.record, finding)
  const stimulus = stimulusOf(finding.evidence, view.transcripts, view.record.diagram)
  const repeated = stimulus && isRepeatable(view.record, stimulus) ? stimulus : undefined
  const row = view.requirement(requirement)
  return markup`<article id="${anchors.finding(view.indexOf(finding))}" class="finding">
<h3>${badge(verdict)} ${message.slice(0, 1200)}</h3>
<p><b>Requirement:</b> <a href="#${anchors.requirement(requirement)}"><code>${requirement}</code></a>: ${row?.text.slice(0, 600)}</p>
<p class="source">${keyword}, ${basis.replace('-', ' ')}, ${row ? sources(row) : source.slice(0, 200)}. In ${[scenario, ...also].slice(0, limits.evidence * 4).map((id, place) => markup`${place > 0 ? ', ' : ''}<a href="#${anchors.scenario(id)}">${id}</a>`)}.</p>
${known !== undefined && markup`<p class="note">Known, accepted by the baseline: ${known.slice(0, 1000)}</p>`}
${comparison(finding)}
${row?.mend !== undefined && markup`<p><b>To fix:</b> ${row.mend.slice(0, 1000)}</p>`}
${evidence(finding, view)}
${repeated && markup`<details><summary>Repeat the stimulus</summary><pre tabindex="0">${curlLine(repeated).slice(0, 6000)}</pre></details>`}
</article>
`
}

/** One cause, and everything that has to wait for it. */
function notJudged({ until, reason, findings: waiting }: Unjudged, view: View): Markup {
  const checks = waiting.length === 1 ? '1 check' : `${waiting.length} checks`
  const links = waiting.slice(0, limits.findings).map(
    (finding) =>
      markup`<li><a href="#${anchors.finding(view.indexOf(finding))}">${finding.scenario}</a>: ${finding.requirement} <span class="source">${finding.message.slice(0, 600)}</span></li>
`,
  )
  const what =
    until === undefined
      ? markup`${checks} not proven: ${reason.slice(0, 1200)}`
      : 'requirement' in until
        ? markup`${checks} cannot be judged until <a href="#${anchors.requirement(until.requirement)}"><code>${until.requirement}</code></a> works`
        : markup`${checks} cannot be judged until <a href="#${anchors.scenario(until.scenario)}">${until.scenario}</a> works: ${reason.slice(0, 1200)}`
  return markup`<details class="finding"><summary>${badge('inconclusive')} ${what}</summary><ul class="evidence">${links}</ul></details>
`
}

function comparison({ expected, actual }: Numbered['finding']): Markup | undefined {
  if (expected === undefined && actual === undefined) return undefined
  return markup`<dl class="comparison"><div><dt>expected</dt><dd>${(expected ?? '–').slice(0, 1200)}</dd></div><div><dt>found</dt><dd>${(actual ?? '–').slice(0, 1200)}</dd></div></dl>`
}

function evidence(
  { evidence: cited, scenario }: Numbered['finding'],
  view: View,
): Markup | undefined {
  if (cited.length === 0) return undefined
  const items = cited.slice(0, limits.evidence).map((each) => {
    const event = findEvent(view.transcripts, each)
    const place = each.scenario === scenario ? `${each.seq}` : `${each.scenario} ${each.seq}`
    if (!event) return markup`<li>${place}: not in the recording</li>`
    const channel = 'channel' in event ? `${event.channel} ` : ''
    return markup`<li><a href="#${anchors.event(each)}">${place}</a> ${channel}${event.type}: ${labelOf(event)}${againstControl(each, view)}</li>
`
  })
  const rest = cited.length - items.length
  return markup`<p>It rests on</p><ul class="evidence">${items}${rest > 0 ? markup`<li>and ${rest} more</li>` : ''}</ul>`
}

/** How the event differs from the one that corresponds to it in the control. */
function againstControl(
  cited: { readonly scenario: string; readonly seq: number },
  view: View,
): Markup | undefined {
  const control = view.controlOf(cited.scenario)
  const event = findEvent(view.transcripts, cited)
  if (control === undefined || !event) return undefined
  const other = counterpart(event, view.eventsOf(cited.scenario), view.eventsOf(control))
  if (!other)
    return markup` <span class="source">(nothing of its kind in the control, ${control})</span>`
  const found = differences(other, event)
  if (found.length === 0)
    return markup` <span class="source">(as in the control, ${control})</span>`
  return markup`<details><summary>Against the control, ${control}</summary><div class="wide" role="region" aria-label="difference to the control" tabindex="0"><table class="difference"><thead><tr><th scope="col">member</th><th scope="col">${control} <a href="#${anchors.event(other)}">${other.seq}</a></th><th scope="col">${cited.scenario} ${cited.seq}</th></tr></thead><tbody>
${found.map(
  ({
    path,
    control: was,
    own,
  }) => markup`<tr><th scope="row">${path.slice(0, 120)}</th><td>${(was ?? 'absent').slice(0, 400)}</td><td>${(own ?? 'absent').slice(0, 400)}</td></tr>
`,
)}</tbody></table></div></details>`
}
