/** Turns a transcript into the rows of a sequence diagram. */

import { endsOf, type Diagram, type RecordedEvent } from '../../../harness/engine/index.ts'
import { labelOf } from './labels.ts'

/** One row: an arrow between two lanes, or a note at one of them. */
export interface Row {
  readonly event: RecordedEvent
  readonly label: string
  readonly from: string
  /** Equal to `from` in a note. */
  readonly to: string
  readonly answer: boolean
  /** The call that it belongs to, where several are under way. */
  readonly call?: string
}

/** Every event that says something of its own, in order; those that are cited in any case. */
export function rowsOf(
  events: readonly RecordedEvent[],
  diagram: Diagram,
  isCited: (event: RecordedEvent) => boolean = () => false,
): Row[] {
  const ends = new Map<string, readonly [string, string]>()
  const calls = events.flatMap(({ call }) => (call === undefined ? [] : [call]))
  const several = new Set(calls).size > 1
  return events.flatMap((event): Row[] => {
    const call = several && event.call !== undefined ? { call: event.call } : {}
    const row = (from: string, to = from, answer = false): Row[] => [
      { event, label: labelOf(event), from, to, answer, ...call },
    ]
    switch (event.type) {
      case 'request': {
        const [from, to] = endsOf(diagram, event)
        ends.set(event.exchange, [from, to])
        return row(from, to)
      }
      case 'response':
      case 'failure': {
        const [from, to] = ends.get(event.exchange) ?? endsOf(diagram, { ...event, url: '' })
        return row(to, from, true)
      }
      case 'provider':
        return row(event.event.startsWith('resource') ? 'resource' : 'provider')
      case 'surface':
        return row(diagram.implementation, diagram.user)
      case 'output':
        return isCited(event) ? row(diagram.implementation) : []
      case 'step':
        return isCited(event) || !diagram.announcements.includes(event.action) ? row('harness') : []
      default:
        return row('harness')
    }
  })
}

/** Rows that are shown, and in their places how many are not. */
export type Shown = Row | { readonly left: number }

/** At most `most` rows: what is cited first, then from the beginning on. */
export function bounded(
  rows: readonly Row[],
  most: number,
  isCited: (event: RecordedEvent) => boolean,
): Shown[] {
  if (rows.length <= most) return [...rows]
  const cited = rows.filter(({ event }) => isCited(event)).slice(0, most)
  const others = rows.filter(({ event }) => !isCited(event)).slice(0, most - cited.length)
  const kept = new Set([...cited, ...others])
  const shown: Shown[] = []
  let left = 0
  for (const row of rows) {
    if (!kept.has(row)) {
      left += 1
      continue
    }
    if (left > 0) shown.push({ left })
    left = 0
    shown.push(row)
  }
  return left > 0 ? [...shown, { left }] : shown
}
