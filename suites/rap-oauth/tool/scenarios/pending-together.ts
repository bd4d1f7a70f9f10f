/** Two calls of one user: what a tool makes of them is its own affair, as long as each gets its answer. */

import type { Timing } from '../../../../harness/engine/index.ts'
import type { Call } from '../call.ts'

type Pair = readonly [Call, Call]

/** Waits until both are answered; a tool may have one wait for what becomes of the other, so only one has to be. */
export async function pendingTogether([one, other]: Pair, { observeMs }: Timing): Promise<void> {
  await one.awaitAnswer(other)
  await Promise.all([one.mayAnswer(observeMs), other.mayAnswer(observeMs)])
}

/** Goes through them, those first whose user is asked already; told of each whether it is the first with its URL. */
export async function eachInTurn(
  calls: Pair,
  act: (call: Call, isFirst: boolean) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>()
  const isAsked = (call: Call): number => Number(call.hasMessage('oauth'))
  for (const call of calls.toSorted((a, b) => isAsked(b) - isAsked(a))) {
    if (!call.hasMessage('oauth')) await call.awaitAnswer()
    if (call.hasMessage('tool_result')) continue
    const url = await call.asked()
    await act(call, !seen.has(url))
    seen.add(url)
  }
}
