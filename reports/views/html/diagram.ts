/**
 * Draws a sequence diagram as SVG. Lanes stand at percentages and text has a size in pixels, so that the same drawing
 * is legible on a wide screen and on a narrow one without being scaled.
 */

import type { Diagram } from '../../../harness/engine/index.ts'
import { anchors } from './anchors.ts'
import type { Citations } from './citations.ts'
import { labelOf } from './labels.ts'
import { markup, type Markup } from './markup.ts'
import { marks } from './marks.ts'
import type { Row, Shown } from './sequence.ts'

/** Pixels. */
const top = 30
const arrowHeight = 36
const noteHeight = 26
/** Percentages of the first and last lane. */
const first = 12
const last = 90

/** The arrow head, once per page: every diagram refers to it. */
export const arrowHead = markup`<svg class="defs" width="0" height="0" aria-hidden="true">
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>
</svg>`

/** The drawing. What a finding rests on is marked by the sign of its verdict at the left edge. */
export function diagram(
  title: string,
  shown: readonly Shown[],
  { lanes }: Diagram,
  citations: Citations,
): Markup {
  const place = placesOf(lanes)
  let y = top
  const drawn = shown.map((item) => {
    if ('left' in item) {
      y += noteHeight
      return markup`<text class="left" x="50%" y="${y - 8}">… ${item.left} more, see the transcript</text>`
    }
    y += isNote(item) ? noteHeight : arrowHeight
    return drawRow(item, y, place, citations)
  })
  const height = y + 12
  return markup`<svg class="diagram" width="100%" height="${height}" role="group" aria-label="sequence diagram: ${title}">
${lanes.map((lane) => drawLane(lane, place(lane) ?? 50, height))}
${drawn}
</svg>`
}

function placesOf(lanes: readonly string[]) {
  const step = (last - first) / Math.max(1, lanes.length - 1)
  return (lane: string): number | undefined => {
    const index = lanes.indexOf(lane)
    return index < 0 ? undefined : Math.round((first + index * step) * 10) / 10
  }
}

function drawLane(lane: string, x: number, height: number): Markup {
  return markup`<line class="lane" x1="${x}%" x2="${x}%" y1="22" y2="${height}"/><text class="name" x="${x}%" y="15">${lane}</text>
`
}

function isNote({ from, to }: Row): boolean {
  return from === to
}

function drawRow(
  row: Row,
  y: number,
  place: (lane: string) => number | undefined,
  { verdictAt }: Citations,
): Markup {
  const verdict = verdictAt(row.event)
  const from = place(row.from)
  const to = place(row.to)
  const drawing =
    from === undefined || to === undefined || isNote(row)
      ? drawNote(row, y, from)
      : drawArrow(row, y, from, to)
  const height = isNote(row) ? noteHeight : arrowHeight
  const mark = verdict === undefined ? undefined : marks[verdict]
  const background =
    mark &&
    markup`<rect class="mark ${mark.tone}" x="0" y="${y - height + 4}" width="100%" height="${height}"/><text class="sign ${mark.tone}" x="1%" y="${y - 4}"><title>a finding rests on this: ${verdict}</title>${mark.sign}</text>`
  return markup`<g>${background}${drawing}</g>
`
}

function drawArrow(row: Row, y: number, from: number, to: number): Markup {
  const { x, anchor } = labelPlace(Math.min(from, to), Math.max(from, to))
  const kind = row.answer ? 'answer' : 'request'
  return markup`<line class="${kind}" x1="${from}%" y1="${y}" x2="${to}%" y2="${y}" marker-end="url(#head)"/>${label(row, x, y - 7, anchor)}`
}

function drawNote(row: Row, y: number, lane: number | undefined): Markup {
  const { x, anchor } =
    lane === undefined ? ({ x: 50, anchor: 'middle' } as const) : labelPlace(lane, lane)
  return label(row, x, y - 6, anchor, 'note')
}

/** Text starts or ends at a lane where it would leave the drawing if it stood in the middle. */
function labelPlace(low: number, high: number) {
  const middle = (low + high) / 2
  if (middle < 36) return { x: low + 1, anchor: 'start' } as const
  if (middle > 64) return { x: high - 1, anchor: 'end' } as const
  return { x: middle, anchor: 'middle' } as const
}

function label(
  { event, call }: Row,
  x: number,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  kind = '',
): Markup {
  return markup`<a href="#${anchors.event(event)}"><text class="label ${kind} ${anchor}" x="${x}%" y="${y}">${event.seq} ${labelOf(event, call)}</text></a>`
}
