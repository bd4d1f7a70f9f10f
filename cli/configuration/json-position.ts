/** Finds where a text stops being JSON (RFC 8259): the parser of Node 20 does not always say. */

const blank = /[ \t\n\r]*/y
// oxlint-disable-next-line no-control-regex -- control characters cannot stand in a string (RFC 8259 §7)
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y

/** Line and column, from 1, of the first character that cannot stand where it stands. */
export function jsonErrorPosition(text: string): {
  readonly line: number
  readonly column: number
} {
  const before = text.slice(0, Math.min(firstError(text), text.length))
  return {
    line: before.split('\n').length,
    column: before.length - before.lastIndexOf('\n'),
  }
}

function firstError(text: string): number {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found !== null
  }
  const next = (character: string): boolean => {
    take(blank)
    if (text[at] !== character) return false
    at += 1
    return true
  }
  const members = (end: string, member: () => boolean): boolean => {
    if (next(end)) return true
    do if (!member()) return false
    while (next(','))
    return next(end)
  }
  const key = (): boolean => {
    take(blank)
    return take(string) && next(':')
  }
  const value = (): boolean => {
    if (next('{')) return members('}', () => key() && value())
    if (next('[')) return members(']', value)
    return take(string) || take(scalar)
  }
  if (value()) take(blank)
  return at
}
