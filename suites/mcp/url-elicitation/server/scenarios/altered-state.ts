/** A requestState with something of it changed, by somebody who can read it or not. */

import { isRecord, jsonIn } from '../../../../../harness/engine/index.ts'

/** Members of which each has another value once; what is longer has more of the same. */
const mostMembers = 8

/**
 * The state with one thing changed: where it can be read, the value of one member after the other, otherwise a character
 * in the middle.
 */
export function altered(state: string): readonly string[] {
  const found = readableIn(state)
  if (!found) return [otherText(state)]
  return leavesOf(found.members)
    .slice(0, mostMembers)
    .map((path) => found.written(changed(found.members, path)))
}

/** The same with one member more, where it can be read: who verifies it notices, and nobody else. */
export function grown(state: string): string {
  const found = readableIn(state)
  return found ? found.written({ ...found.members, altered: true }) : otherText(state)
}

/** The same without what signs it: the part after the last point, and with it the point; of a JWT, as one of "none". */
export function unsigned(state: string): readonly string[] {
  const parts = state.split('.')
  if (parts.length < 2 || !parts.slice(0, -1).some((part) => containerIn(decoded(part)))) return []
  const signed = parts.slice(0, -1)
  const stripped = [[...signed, ''].join('.'), signed.join('.')]
  const header = decoded(parts[0] ?? '')
  if (!isRecord(header) || header['alg'] === undefined) return stripped
  return [...stripped, [encoded({ ...header, alg: 'none' }), ...signed.slice(1), ''].join('.')]
}

type Members = Readonly<Record<string, unknown>>

interface Readable {
  readonly members: Members
  /** The state with other ones in their place. */
  readonly written: (members: Members) => string
}

function readableIn(state: string): Readable | undefined {
  return jsonOf(state) ?? formOf(state) ?? encodedIn(state)
}

/** As JSON that is not encoded at all: an object, or a list. */
function jsonOf(state: string): Readable | undefined {
  const found = containerIn(jsonIn(state))
  if (!found) return undefined
  return { members: found.members, written: (more) => JSON.stringify(found.written(more)) }
}

/** Pairs as a form has them. */
function formOf(state: string): Readable | undefined {
  if (!/^[^=&{}]+=[^&]*(&[^=&]+=[^&]*)+$/.test(state)) return undefined
  return {
    members: Object.fromEntries(new URLSearchParams(state)),
    written: (more) => new URLSearchParams(more as Record<string, string>).toString(),
  }
}

/** As JSON in base64 of either alphabet, in a part of the state. */
function encodedIn(state: string): Readable | undefined {
  const parts = state.split('.')
  for (const [position, part] of parts.entries()) {
    const found = containerIn(decoded(part))
    if (!found) continue
    const written = (more: Members): string =>
      parts.with(position, encoded(found.written(more))).join('.')
    return { members: found.members, written }
  }
  return undefined
}

/** A JSON value with members, by their names or places, and how it is made of others. */
function containerIn(value: unknown) {
  if (Array.isArray(value))
    return {
      members: Object.fromEntries(Object.entries(value)),
      written: (more: Members): unknown => Object.values(more),
    }
  return isRecord(value) ? { members: value, written: (more: Members): unknown => more } : undefined
}

function decoded(part: string): unknown {
  return jsonIn(Buffer.from(part, 'base64url').toString('utf8'))
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

type Path = readonly string[]

/** Where there is a value that is no object. */
function leavesOf(members: Members): Path[] {
  return Object.entries(members).flatMap(([name, value]) =>
    isRecord(value) ? leavesOf(value).map((path) => [name, ...path]) : [[name]],
  )
}

function changed(members: Members, [name = '', ...rest]: Path): Members {
  const value = members[name]
  return { ...members, [name]: isRecord(value) ? changed(value, rest) : otherValue(value) }
}

function otherValue(value: unknown): unknown {
  if (typeof value === 'string') return otherText(value)
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : 'altered'
}

/** Another character in the middle. */
function otherText(text: string): string {
  const at = Math.floor(text.length / 2)
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
}
