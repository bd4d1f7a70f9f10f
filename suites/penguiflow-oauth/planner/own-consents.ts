/** Whether of two tools that need two providers each ran after a consent of its own. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type Recorded,
  type StepEvent,
} from '../../../harness/engine/index.ts'
import { issuedGrants } from '../../oauth-client/view.ts'
import { toolsAnswered } from '../results-told.ts'
import { asksForConsent, callOf, callsOf, listIn, textIn, type CallView } from '../view.ts'
import type { Judge } from './checks.ts'

/** In a call of two tools: before both of them have run, two consents were given (PenguiFlow, What it is; OAuth manager). */
export const eachAfterItsConsent =
  (name: string): Judge =>
  (t, { declared: { tool, secondProvider = '' } }) => {
    const tools = [tool, secondProvider]
    const call = callOf(t, name)
    const called = call.modelCalled.map(({ detail }) => toolIn(detail['name'], tools))
    if (!tools.every((each) => called.includes(each)))
      return inconclusive('the model did not call two tools')
    const consents = callsOf(t)
      .flatMap(issuedGrants)
      .filter(({ detail }) => detail['grantType'] === 'authorization_code')
    if (consents.length === 0) return inconclusive('no token was issued')
    const ran = bothRan(call, tools)
    const before = consents.filter((grant) => ran && isAfter(ran, grant))
    if (ran && before.length < tools.length) {
      const difference = {
        expected: 'each tool runs after a pause for its own provider',
        actual: `both had run after ${before.length} consent`,
      }
      const what = 'a tool ran with no token of its own provider'
      return violation(what, difference, cite(...before, ran))
    }
    const pauses = callsOf(t).flatMap(({ pauses: all }) => all)
    const asked = pauses.filter(({ payload }) => asksForConsent(payload))
    if (asked.length < tools.length) return inconclusive('no second pause for a consent was seen')
    return pass('each was asked for', cite(...asked.map(({ event }) => event)))
  }

/** What first shows that each of the tools has run: its adapter says so, or its call was answered with data. */
export function bothRan(call: CallView, tools: readonly string[]): Recorded<StepEvent> | undefined {
  const ran = new Set<string | undefined>()
  const steps = [...call.toolRuns, ...call.modelAsked].toSorted((a, b) => a.seq - b.seq)
  return steps.find(({ action, detail }) => {
    const names =
      action === 'tool-run' ? [detail['tool']] : toolsAnswered(listIn(detail['messages']))
    for (const each of names) ran.add(toolIn(each, tools))
    return tools.every((tool) => ran.has(tool))
  })
}

/** The tool that is called by this name: its own, or with something before it. */
function toolIn(name: unknown, tools: readonly string[]): string | undefined {
  const alike = tools.filter((tool) => textIn(name)?.endsWith(tool))
  return alike.toSorted((a, b) => b.length - a.length)[0]
}
