/** Per scenario: its judgements, the sequence diagram, the messages behind it, and how it differs from its control. */

import { runLog } from '../../../harness/engine/index.ts'
import type { ScenarioRecord } from '../../record/run-record.ts'
import { worstVerdict } from '../../record/summarize.ts'
import { anchors } from './anchors.ts'
import { diagram } from './diagram.ts'
import { align, type Aligned } from './difference.ts'
import { findingLine } from './findings.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'
import { message } from './messages.ts'
import { bounded, type Row } from './sequence.ts'
import { limits, type View } from './view.ts'

export function scenarios(view: View): Markup {
  const { record } = view
  return markup`<section aria-labelledby="scenarios"><h2 id="scenarios">Scenarios</h2>
<p>An arrow is a message as it was observed; a sign at the left edge says that a finding rests on it. Messages are folded below each diagram.</p>
${record.scenarios.map((each) => scenario(each, view))}
${log(view)}</section>
`
}

function scenario(each: ScenarioRecord, view: View): Markup {
  const { id, title, control, outcome, reason, transcript, durationMs } = each
  const own = view.findings.filter(({ finding }) => finding.scenario === id)
  const worst = worstVerdict(own.map(({ finding }) => finding.verdict)) ?? 'not-judged'
  const open = worst === 'fail' || worst === 'warn'
  return markup`<details class="scenario"${open ? markup` open` : ''}><summary>${badge(worst)} <code>${id}</code> ${title.slice(0, 300)}</summary>
<div id="${anchors.scenario(id)}"><p>${outcome}${reason === undefined ? '' : `: ${reason.slice(0, 600)}`}, ${(durationMs / 1000).toFixed(2)} s${control === undefined ? '' : markup`, control <a href="#${anchors.scenario(control)}">${control}</a>`}${transcript && `, recorded in ${transcript.file}`}</p>
<ul class="judgements">${own.map((each) => findingLine(each, view))}</ul>
${drawing(id, view)}
${control !== undefined && open ? comparedWith(control, id, view) : ''}</div></details>
`
}

function drawing(id: string, view: View): Markup {
  const rows = view.rowsOf(id)
  if (rows.length === 0) return markup`<p>Nothing was recorded.</p>`
  const { verdictAt } = view.citations
  const shown = bounded(rows, limits.rows, (event) => verdictAt(event) !== undefined)
  const drawn = shown.filter((each): each is Row => 'event' in each)
  return markup`${diagram(id, shown, view.record.diagram, view.citations)}
<div class="messages">${drawn.map((row) => affordable(row, view))}</div>`
}

/** Messages that nothing rests on are the first to be left out when the report grows too large. */
function affordable(row: Row, view: View): Markup | undefined {
  const made = message(row, view.citations)
  return view.afford(made.length) || view.citations.matters(row.event) ? made : undefined
}

function comparedWith(control: string, id: string, view: View): Markup {
  const aligned = align(view.rowsOf(control), view.rowsOf(id)).slice(0, limits.rows)
  return markup`<details><summary>Compared with its control, ${control}</summary><ol class="compared">${aligned.map(line)}</ol></details>`
}

function line({ control, own }: Aligned): Markup {
  if (control && own)
    return markup`<li>${words(own)}</li>
`
  if (own)
    return markup`<li class="added"><b>only here</b> <a href="#${anchors.event(own.event)}">${own.event.seq}</a> ${words(own)}</li>
`
  return markup`<li class="missing"><b>only in the control</b> ${control && words(control)}</li>
`
}

function words({ from, to, label }: Row): string {
  return `${from === to ? from : `${from} → ${to}`} ${label}`
}

/** What belongs to no scenario: only what findings rest on, the rest is output of the implementation. */
function log(view: View): Markup | undefined {
  const cited = view.rowsOf(runLog).filter(({ event }) => view.citations.verdictAt(event))
  if (cited.length === 0) return undefined
  return markup`<details class="scenario" open><summary>Observed outside of any scenario, ${cited.length} of ${view.eventsOf(runLog).length} events</summary><div class="messages">${cited.slice(0, limits.rows).map((row) => message(row, view.citations))}</div></details>`
}
