/** The wire messages behind the arrows: folded, complete up to a stated length. */

import type { Body, RecordedEvent } from '../../../harness/engine/index.ts'
import { anchors } from './anchors.ts'
import { markup, type Markup } from './markup.ts'
import { badge } from './marks.ts'
import type { Citations } from './citations.ts'
import type { Row } from './sequence.ts'
import { indentedJson, visible } from '../visible.ts'

/** Characters that are shown; the transcript has the rest. */
const messageLimits = { url: 2000, header: 500, headers: 60, body: 4000, detail: 2000 }

/** One folded message. */
export function message({ event, label, from, to, call }: Row, { verdictAt }: Citations): Markup {
  const verdict = verdictAt(event)
  const who = from === to ? from : `${from} → ${to}`
  return markup`<details class="message"><summary><span class="seq">${event.seq}</span> <span class="who">${who}${call && `, ${call}`}</span> ${label}${verdict && markup` ${badge(verdict)}`}</summary>
<div id="${anchors.event(event)}"><p class="time">+${(event.t / 1000).toFixed(3)} s${event.call === undefined ? '' : `, ${event.call}`}${secretsIn(event)}</p><pre tabindex="0">${wire(event)}</pre></div></details>
`
}

function secretsIn({ secrets }: RecordedEvent): string {
  if (!secrets || secrets.length === 0) return ''
  const names = [...new Set(secrets.map(({ id, encoding }) => `${id} (${encoding})`))].slice(0, 8)
  return `, contains ${names.join(', ')}`
}

/** The event as text: an HTTP message as on the wire, anything else by its members. */
function wire(event: RecordedEvent): string {
  switch (event.type) {
    case 'request':
      return httpMessage(`${event.method} ${visible(event.url, messageLimits.url)}`, event)
    case 'response':
      return httpMessage(`${event.status}`, event)
    case 'failure':
      return visible(`no answer\n${event.code}: ${event.message}`, messageLimits.detail)
    case 'provider':
    case 'step':
      return visible(indentedJson(event.detail), messageLimits.detail)
    case 'output':
    case 'surface':
      return visible(`${event.source}\n${event.text}`, messageLimits.body)
    default:
      return visible(`${event.outcome} ${event.reason ?? ''}`.trim(), messageLimits.detail)
  }
}

function httpMessage(
  start: string,
  {
    headers,
    body,
  }: { readonly headers: Readonly<Record<string, string>>; readonly body?: Body | undefined },
): string {
  const named = Object.entries(headers)
  const lines = named
    .slice(0, messageLimits.headers)
    .map(([name, value]) => visible(`${name}: ${value}`, messageLimits.header))
  const rest = named.length - lines.length
  const more = rest > 0 ? [`… ${rest} more headers`] : []
  return [start, ...lines, ...more, ...bodyLines(body)].join('\n')
}

function bodyLines(body: Body | undefined): string[] {
  if (!body || body.bytes === 0) return []
  const cut = body.truncated ? [`(cut while recording; ${body.bytes} bytes came)`] : []
  return ['', visible(indented(body), messageLimits.body), ...cut]
}

/** JSON is easier to read with line breaks; whether it had any does not matter to a reader. */
function indented({ text }: Body): string {
  if (text.length > messageLimits.body) return text
  try {
    return indentedJson(JSON.parse(text))
  } catch {
    return text
  }
}
