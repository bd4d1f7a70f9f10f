/** Whether a model is told that a tool has failed: in the result of its call, or in an observation that says so. */

import { jsonOf } from '../../../harness/engine/index.ts'
import { fieldsOf, listIn, textIn } from '../view.ts'

type Fields = Readonly<Record<string, unknown>>

const failure = /\b(error|fail(ed|ure)?|exception)\b/i

/** As classes of errors are named. */
const classOfError = /[a-z](Error|Exception)\b/

/** Words that deny one, and a member that has none: `not an error`, `"error": null`. */
const noFailure =
  /\b(no|not|never|without)\s+(an?\s+|any\s+)?(error|fail(ed|ure)?|exception)\b|\b\w*(error|fail(ed|ures?)?|exception)s?["']?\s*[:=]\s*(null|none|false|0|""|''|\[\]|\{\})(?![^\s,}\]])/gi

/** What is said of one of these tools that reads like a failure. */
export function failureIn(messages: unknown, tools: readonly unknown[]): string | undefined {
  const all = listIn(messages).map(fieldsOf)
  const isTool = (name: unknown): boolean =>
    tools.some((tool) => textIn(name)?.endsWith(String(tool)) === true)
  return failedResult(all, isTool) ?? failedObservation(all, isTool)
}

function failedResult(all: readonly Fields[], isTool: (name: unknown) => boolean) {
  const names = new Map(
    all
      .flatMap(({ toolCalls }) => listIn(toolCalls).map(fieldsOf))
      .map(({ id, name }) => [id, name]),
  )
  const results = all.flatMap(({ toolResults }) => listIn(toolResults).map(fieldsOf))
  const failed = results.find(
    ({ callId, text }) => isTool(names.get(callId)) && readsLikeFailure(String(text)),
  )
  return failed && shown(failed['text'])
}

function readsLikeFailure(text: string): boolean {
  const said = text.replaceAll(noFailure, '')
  return failure.test(said) || classOfError.test(said)
}

/** In prompted and in some native modes observations are JSON in messages: an object names the tool beside an error. */
function failedObservation(all: readonly Fields[], isTool: (name: unknown) => boolean) {
  for (const { role, text } of all) {
    if (role === 'assistant' || typeof text !== 'string') continue
    for (const each of objectsIn(jsonOf({ text, bytes: text.length }))) {
      const { error } = each
      if (error && Object.values(each).some(isTool)) return shown(error)
    }
  }
  return undefined
}

function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  return [value as Fields, ...Object.values(value).flatMap(objectsIn)]
}

function shown(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300)
}
