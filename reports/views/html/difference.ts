/** What was different from the undisturbed twin: in the order of messages, and inside one message. */

import type { RecordedEvent } from '../../../harness/engine/index.ts'
import { indentedJson } from '../visible.ts'
import type { Row } from './sequence.ts'

/** A row of both recordings, of the control only, or of the scenario only. */
export interface Aligned {
  readonly control?: Row
  readonly own?: Row
}

/** Rows that are compared; the table of the alignment grows with their square. */
const most = 200
/** Members that are listed. */
const mostMembers = 30

/** Aligns two sequences by a longest common subsequence; equal are rows of the same ends and label. */
export function align(control: readonly Row[], own: readonly Row[]): Aligned[] {
  const a = control.slice(0, most)
  const b = own.slice(0, most)
  const lengths = commonLengths(a, b)
  const aligned: Aligned[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left && right && same(left, right)) {
      aligned.push({ control: left, own: right })
      i += 1
      j += 1
    } else if (right && (!left || (lengths[i]?.[j + 1] ?? 0) > (lengths[i + 1]?.[j] ?? 0))) {
      aligned.push({ own: right })
      j += 1
    } else if (left) {
      aligned.push({ control: left })
      i += 1
    }
  }
  return aligned
}

/** `lengths[i][j]`: the longest common subsequence of what begins at i and at j. */
function commonLengths(a: readonly Row[], b: readonly Row[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [left, right, here] = [a[i], b[j], lengths[i]]
      if (!left || !right || !here) continue
      here[j] = same(left, right)
        ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
        : Math.max(lengths[i + 1]?.[j] ?? 0, here[j + 1] ?? 0)
    }
  }
  return lengths
}

function same(a: Row, b: Row): boolean {
  return a.from === b.from && a.to === b.to && a.label === b.label
}

/** The event of the control that corresponds to this one: the same position among those of its kind. */
export function counterpart(
  event: RecordedEvent,
  own: readonly RecordedEvent[],
  control: readonly RecordedEvent[],
): RecordedEvent | undefined {
  const alike = (other: RecordedEvent): boolean => kindOf(other) === kindOf(event)
  return control.filter(alike)[own.filter(alike).findIndex(({ seq }) => seq === event.seq)]
}

function kindOf(event: RecordedEvent): string {
  if ('channel' in event) return `${event.type} ${event.channel}`
  if (event.type === 'provider') return `provider ${event.event}`
  return event.type === 'step' ? `step ${event.action}` : event.type
}

/** A member that is not the same in both messages. */
export interface Difference {
  readonly path: string
  readonly control: string | undefined
  readonly own: string | undefined
}

/** The members in which two messages differ, bodies in JSON by their members. */
export function differences(control: RecordedEvent, own: RecordedEvent): Difference[] {
  const [a, b] = [membersOf(control), membersOf(own)]
  const paths = new Set([...a.keys(), ...b.keys()])
  return [...paths]
    .filter((path) => a.get(path) !== b.get(path))
    .slice(0, mostMembers)
    .map((path) => ({ path, control: a.get(path), own: b.get(path) }))
}

/** Of a connection, not of a message. */
const ofConnection = ['date', 'connection', 'content-length', 'host', 'keep-alive']

function membersOf(event: RecordedEvent): Map<string, string> {
  const members = new Map<string, string>()
  if (event.type === 'request') members.set('method', event.method).set('url', event.url)
  if (event.type === 'response') members.set('status', String(event.status))
  if (event.type === 'failure') members.set('no answer', event.code)
  if (event.type === 'provider' || event.type === 'step') flatten(event.detail, '', members)
  if (event.type !== 'request' && event.type !== 'response') return members
  for (const [name, value] of Object.entries(event.headers)) {
    if (!ofConnection.includes(name)) members.set(name, value)
  }
  if (event.body && event.body.bytes > 0) addBody(event.body.text, members)
  return members
}

function addBody(text: string, members: Map<string, string>): void {
  try {
    flatten(JSON.parse(text), 'body', members)
  } catch {
    members.set('body', text)
  }
}

/** Members nested deeper than this are compared as a whole. */
const deepest = 8

function flatten(value: unknown, path: string, members: Map<string, string>, depth = 0): void {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0
  if (isLeaf || depth === deepest) {
    members.set(path, isLeaf ? JSON.stringify(value) : indentedJson(value))
    return
  }
  for (const [key, item] of Object.entries(value)) {
    flatten(item, path === '' ? key : `${path}.${key}`, members, depth + 1)
  }
}
