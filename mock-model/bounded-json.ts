/** Parses JSON that may be hostile: nesting and size are bounded before anything is built. */

import { modelLimits } from './limits.ts'

export type ParsedJson =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** Parses a text. Never throws; what is returned can be walked recursively. */
export function parseBoundedJson(text: string): ParsedJson {
  const problem = excess(text)
  if (problem !== undefined) return { ok: false, problem }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, problem: 'it is not valid JSON' }
  }
}

/** The JSON value that a text holds, or the text itself: for arguments, which travel as text. */
export function parsedOrText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const parsed = parseBoundedJson(value)
  return parsed.ok ? parsed.value : value
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

function excess(text: string): string | undefined {
  let depth = 0
  let values = 1
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === backslash) at += 1
      else if (code === quote) quoted = false
    } else if (code === quote) quoted = true
    else if (code === comma) values += 1
    else if (code === 0x5b || code === 0x7b) depth += 1
    else if (code === 0x5d || code === 0x7d) depth -= 1
    if (depth > modelLimits.depth) return `it is nested deeper than ${modelLimits.depth} levels`
    if (values > modelLimits.values) return `it has more than ${modelLimits.values} values`
  }
  return undefined
}
