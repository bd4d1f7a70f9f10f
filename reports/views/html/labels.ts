/** Says in a few words what an event is: the text at an arrow or in a note. */

import {
  printable,
  type Body,
  type FailureEvent,
  type RecordedEvent,
  type RequestEvent,
  type ResponseEvent,
} from '../../../harness/engine/index.ts'

/** Characters of a label; wide ones count twice. At 12 pixels, with its number, this fits a screen of 390. */
const longest = 34

/** A long segment of a path is a name made for one run; it says nothing, and differs from run to run. */
const longSegment = 20

/** What an event is, on one line; `call` names the one that it belongs to, where there are several. */
export function labelOf(event: RecordedEvent, call?: string): string {
  const mark = call === undefined ? '' : `${printable(call, 12).replace('-', ' ')}: `
  return mark + clip(describe(event), longest - mark.length)
}

function describe(event: RecordedEvent): string {
  switch (event.type) {
    case 'request':
      return requestLabel(event)
    case 'response':
      return responseLabel(event)
    case 'failure':
      return failureLabel(event)
    case 'step':
      return detailed(event.action, event.detail)
    case 'provider':
      return detailed(event.event, event.detail)
    case 'output':
      return `${event.source}: ${event.text}`
    case 'surface':
      return `shows: ${event.text}`
    default:
      return event.reason === undefined ? event.outcome : `${event.outcome}: ${event.reason}`
  }
}

function requestLabel({ method, url, body }: RequestEvent): string {
  const kind = kindOf(body)
  return `${kind === undefined ? '' : `${kind}: `}${method} ${shortPath(url)}`
}

function responseLabel({ status, headers, body }: ResponseEvent): string {
  const error = membersOf(body)['error']
  if (typeof error === 'string') return `${status} ${error}`
  const location = headers['location']
  if (location !== undefined) return `${status} to ${shortPath(location)}`
  const type = headers['content-type']?.split(';')[0] ?? ''
  return `${status} ${type}`.trim()
}

function failureLabel({ code }: FailureEvent): string {
  return `no answer: ${code}`
}

/** How messages of the known protocols say what they are. */
const kinds = ['type', 'method', 'operation', 'grant_type'] as const

function kindOf(body: Body | undefined): string | undefined {
  const members = membersOf(body)
  const values = kinds.map((name) => members[name])
  return values.find((value): value is string => typeof value === 'string')
}

/** The members of a JSON object or of a form. */
function membersOf(body: Body | undefined): Readonly<Record<string, unknown>> {
  if (!body || body.truncated) return {}
  try {
    const value = JSON.parse(body.text) as unknown
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    if (/^[\w.]+=/.test(body.text)) return Object.fromEntries(new URLSearchParams(body.text))
  }
  return {}
}

function shortPath(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : (url.split('?')[0] ?? '')
  return path
    .split('/')
    .map((segment) => (segment.length > longSegment ? '…' : segment))
    .join('/')
}

const telling = ['action', 'outcome', 'error', 'status', 'reason', 'ms', 'name', 'change']

function detailed(name: string, detail: Readonly<Record<string, unknown>>): string {
  const key = telling.find((each) => detail[each] !== undefined && typeof detail[each] !== 'object')
  return key === undefined ? name : `${name}: ${String(detail[key])}${key === 'ms' ? ' ms' : ''}`
}

function clip(text: string, longest: number): string {
  const clean = printable(text, longest * 2)
  let width = 0
  let kept = ''
  for (const character of clean) {
    width += (character.codePointAt(0) ?? 0) > 0x2ff && character !== '…' ? 2 : 1
    if (width > longest) return `${kept.trimEnd()}…`
    kept += character
  }
  return kept
}
