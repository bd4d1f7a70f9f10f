/** Findings: what did not pass in full, what passed as a line of its scenario. */

import type { Verdict } from '../../harness/index.ts'
import { knownReason } from '../baseline.ts'
import { findEvent } from '../evidence.ts'
import { curlLine, stimulusOf } from '../curl.ts'
import { anchors } from './anchors.ts'
import { counterpart, differences } from './difference.ts'
import { labelOf } from './labels.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'
import { limits, type Numbered, type View } from './view.ts'

const toTell: readonly Verdict[] = ['fail', 'warn', 'inconclusive']

/** Failures first, then warnings, then what is unproven. */
export function findings(view: View): Markup {
  const told = toTell.flatMap((verdict) =>
    view.findings.filter(({ finding }) => finding.verdict === verdict),
  )
  const rest = told.length - limits.findings
  return markup`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${told.length === 0 ? markup`<p>Every judgement passed or did not apply. The scenarios below say what each rests on.</p>` : ''}
${told.slice(0, limits.findings).map((each) => article(each, view))}
${rest > 0 ? markup`<p>${rest} more, see results.json.</p>` : ''}</section>
`
}

/** One line for a finding that is told in a scenario. */
export function findingLine({ finding, index }: Numbered): Markup {
  const { verdict, requirement, title, message } = finding
  const told = toTell.includes(verdict)
  const id = told ? undefined : anchors.finding(index)
  const words = told
    ? markup`<a href="#${anchors.finding(index)}">${title.slice(0, 300)}</a>`
    : title.slice(0, 300)
  return markup`<li${id === undefined ? '' : markup` id="${id}"`}>${badge(verdict)} ${words} <a class="source" href="#${anchors.requirement(requirement)}">${requirement}</a>${told ? '' : markup`<span class="found">: ${message.slice(0, 600)}</span>`}</li>
`
}

function article({ finding, index }: Numbered, view: View): Markup {
  const { requirement, scenario, title, verdict, keyword, basis, source, message } = finding
  const known = knownReason(view.record, finding)
  const stimulus = stimulusOf(finding.evidence, view.transcripts)
  return markup`<article id="${anchors.finding(index)}" class="finding">
<h3>${badge(verdict)} ${title.slice(0, 300)}</h3>
<p><a href="#${anchors.requirement(requirement)}"><code>${requirement}</code></a>, ${keyword}, ${basis.replace('-', ' ')}, ${source.slice(0, 200)}. In <a href="#${anchors.scenario(scenario)}">${scenario}</a>.</p>
<p>${view.requirement(requirement)?.text.slice(0, 600)}</p>
<p class="found">${message.slice(0, 1200)}</p>
${known !== undefined && markup`<p class="note">Known, accepted by the baseline: ${known.slice(0, 1000)}</p>`}
${comparison(finding)}
${evidence(finding, view)}
${stimulus && markup`<details><summary>Repeat the stimulus</summary><pre tabindex="0">${curlLine(stimulus).slice(0, 6000)}</pre></details>`}
</article>
`
}

function comparison({ expected, actual }: Numbered['finding']): Markup | undefined {
  if (expected === undefined && actual === undefined) return undefined
  return markup`<dl class="comparison"><div><dt>expected</dt><dd>${(expected ?? '–').slice(0, 1200)}</dd></div><div><dt>actual</dt><dd>${(actual ?? '–').slice(0, 1200)}</dd></div></dl>`
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
