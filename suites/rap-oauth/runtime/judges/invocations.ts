/** Judgements of what is invoked. */

import { cite, inconclusive, pass, violation } from '../../../../harness/engine/index.ts'
import { callOf, show } from '../view.ts'
import type { Judge } from './check.ts'

/** It names the tool that the model chose, and has the arguments that the model wrote (RAP Tool Invocation). */
export function faithful(): Judge {
  return (t) => {
    const { invocations, sent, toolCall, tool } = callOf(t)
    if (!invocations[0] || !toolCall) return inconclusive('the tool was not invoked')
    const evidence = cite(toolCall, invocations[0])
    if (sent['operation'] !== tool) {
      const difference = { expected: tool, actual: show(sent['operation']) }
      return violation('operation is not the name of the tool', difference, evidence)
    }
    const expected = toolCall.detail['arguments']
    if (sameValue(sent['arguments'], expected)) return pass('as the model asked', evidence)
    const difference = { expected: show(expected), actual: show(sent['arguments']) }
    return violation('the arguments are not those of the model', difference, evidence)
  }
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), Object.keys(b)]
  return (
    left.length === right.length &&
    left.every(([key, value]) => sameValue(value, (b as Record<string, unknown>)[key]))
  )
}
