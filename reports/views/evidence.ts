/** Shows the events that a finding rests on as a short, readable exchange. */

import {
  printable,
  type Body,
  type Evidence,
  type RecordedEvent,
  type Transcript,
} from '../../harness/engine/index.ts'

/** The recordings of a run, by scenario. */
export type Transcripts = ReadonlyMap<string, Transcript>

/** Events that are shown of one finding unless told otherwise; the rest stands in the transcripts. */
const mostEvents = 8
/** Characters of a body or of a detail that are shown. */
const excerpt = 400

/** The event that a piece of evidence points at. */
export function findEvent(transcripts: Transcripts, evidence: Evidence): RecordedEvent | undefined {
  const events = transcripts.get(evidence.scenario)?.events
  return events?.find(({ seq, scenario }) => seq === evidence.seq && scenario === evidence.scenario)
}

/** Lines of plain text, exchanges with both halves, in the order in which they happened. */
export function evidenceLines(
  evidence: readonly Evidence[],
  transcripts: Transcripts,
  scenario: string,
  limit = mostEvents,
): string[] {
  const cited = evidence
    .map((each) => findEvent(transcripts, each))
    .filter((event) => event !== undefined)
  const shown = new Map<string, RecordedEvent>()
  for (const event of cited) {
    for (const each of wholeExchange(event, transcripts))
      shown.set(`${each.scenario} ${each.seq}`, each)
  }
  const events = [...shown.values()].sort((a, b) => a.t - b.t || a.seq - b.seq)
  const lines = events.slice(0, limit).flatMap((event) => eventLines(event, scenario))
  const rest = events.length - limit
  return rest > 0 ? [...lines, `and ${rest} more events, see the transcripts`] : lines
}

function wholeExchange(event: RecordedEvent, transcripts: Transcripts): RecordedEvent[] {
  if (event.type !== 'request' && event.type !== 'response' && event.type !== 'failure')
    return [event]
  const all = transcripts.get(event.scenario)?.events ?? []
  return all.filter(
    (each) =>
      (each.type === 'request' || each.type === 'response' || each.type === 'failure') &&
      each.exchange === event.exchange,
  )
}

function eventLines(event: RecordedEvent, scenario: string): string[] {
  const place = event.scenario === scenario ? `#${event.seq}` : `${event.scenario}#${event.seq}`
  const [first = '', ...more] = describe(event)
  const head = `${place} +${(event.t / 1000).toFixed(2)}s  `
  const indent = ' '.repeat(Math.min(head.length, 14))
  return [head + first, ...more.map((line) => indent + line)]
}

function describe(event: RecordedEvent): string[] {
  if (event.type === 'request') {
    const target = `${printable(event.method, 20)} ${printable(event.url, 600)}`
    return [`${event.channel}: ${target}`, ...bodyLines(event.body)]
  }
  if (event.type === 'response') {
    const type = printable(event.headers['content-type'] ?? '', 60)
    const location = event.headers['location']
    const to = location === undefined ? '' : ` → ${printable(location, 600)}`
    return [`${event.channel}: ← ${event.status} ${type}`.trim() + to, ...bodyLines(event.body)]
  }
  if (event.type === 'failure') {
    const why = `${printable(event.code, 60)}: ${printable(event.message, excerpt)}`
    return [`${event.channel}: ← no answer (${why})`]
  }
  if (event.type === 'provider') return [`provider: ${event.event}`, compact(event.detail)]
  if (event.type === 'step') {
    return [`harness: ${event.action} ${compact(event.detail)}`.replace(/ \{\}$/, '')]
  }
  if (event.type === 'output') {
    return [`output, ${printable(event.source, 120)}: ${printable(event.text, excerpt)}`]
  }
  if (event.type === 'surface') {
    const whose = event.conversation === undefined ? '' : `, in ${event.conversation}`
    return [`shown, ${printable(event.source + whose, 120)}: ${printable(event.text, excerpt)}`]
  }
  const why = event.reason ? ` (${printable(event.reason, excerpt)})` : ''
  return [`the scenario ended: ${event.outcome}${why}`]
}

function bodyLines(body: Body | undefined): string[] {
  if (!body || body.bytes === 0) return []
  return [printable(body.text, excerpt)]
}

function compact(detail: Readonly<Record<string, unknown>>): string {
  return printable(JSON.stringify(detail), excerpt)
}
