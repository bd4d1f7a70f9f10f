/** Judgements of what is invoked. */

import { cite, inconclusive, pass, violation } from '../../../../harness/engine/index.ts'
import { callOf, callsOf, fieldsOf, show, textOf, type CallView } from '../view.ts'
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

/** Whoever tries an invocation again says the same again: a tool may take any of the attempts. */
export function sameInEveryAttempt(...fields: readonly string[]): Judge {
  return (t) => {
    const repeated = callsOf(t).filter(({ invocations }) => invocations.length > 1)
    if (repeated.length === 0) return inconclusive('no invocation was sent more than once')
    for (const { invocations } of repeated) {
      const [first, ...others] = invocations
      const said = fieldsOf(first?.body)
      for (const other of others) {
        const says = fieldsOf(other.body)
        const field = fields.find((each) => !sameValue(said[each], says[each]))
        if (field === undefined) continue
        return violation(
          `another attempt at an invocation has another ${field}: send the same message again`,
          { expected: show(said[field]), actual: show(says[field]) },
          cite(first, other),
        )
      }
    }
    const count = repeated.flatMap(({ invocations }) => invocations).length
    return pass(`${count} attempts`, cite(...repeated.flatMap(({ invocations }) => invocations)))
  }
}

/** The thread within which a result is matched by its id: a group, of one instance of the runtime (reading 51). */
function threadOf({ sent }: CallView): unknown {
  const url = textOf(sent['callback_url'])
  return [URL.canParse(url) ? new URL(url).origin : url, sent['group_id']]
}

/** Two calls of one thread never have one id (RAP Tool Invocation, Fields; Tool Result, Routing). */
export function uniqueIds(): Judge {
  return (t) => {
    const known = new Set<string>()
    const scenarios = new Set(t.events.map((event) => event.scenario))
    const calls = [...scenarios].flatMap((name) => callsOf(t.of(name)))
    const made = calls.filter(({ sent }) => sent['id'] !== undefined)
    for (const call of made) {
      const id = call.sent['id']
      const place = JSON.stringify([threadOf(call), id])
      if (known.has(place)) {
        const difference = { expected: 'an id per call', actual: `${show(id)} for two calls` }
        const evidence = cite(call.invocations[0])
        return violation('two calls of one thread have the same id', difference, evidence)
      }
      known.add(place)
    }
    if (made.length < 2) return inconclusive(`${made.length} calls were made`)
    return pass(`${made.length} calls`)
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
