/** What a model was told: whether all of a result is in it, as JSON, as Python or YAML writes it, or in words of whoever speaks to it. */

import { jsonIn } from '../../../harness/engine/index.ts'
import type { ModelMessage } from '../../../harness/parties/index.ts'

/** What stands in the messages of a request to the model that it has not said itself. */
export function toldIn(messages: unknown): string[] {
  const all = Array.isArray(messages) ? (messages as readonly ModelMessage[]) : []
  return all
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ text, toolResults = [] }) => [text, ...toolResults.map((each) => each.text)])
}

/** Whether every text and number of a result stands in one of these texts; true, false and null are written in many ways. */
export function saysAll(texts: readonly string[], result: unknown): boolean {
  const told = texts.map(plain)
  return leavesOf(result).every((leaf) => told.some((text) => text.includes(plain(leaf))))
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'string') return []
  // What is JSON itself may be given in another form as well.
  const structure = jsonIn(value)
  return typeof structure === 'object' && structure !== null ? leavesOf(structure) : [value]
}

/** Without escapes, quotes and spaces. */
function plain(text: string): string {
  return text
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\\+[nrt]/g, '')
    .replaceAll(/[\s\\"'`]/g, '')
}
