/** Requests to the model beside a turn, such as for a title or for follow-ups; some offer the tools all the same. */

import type { Transcript } from '../../../harness/engine/index.ts'
import type { ModelMessage } from '../../../harness/parties/index.ts'
import { tokensIn } from './attribution.ts'
import { askedOf, isAfter, type Asked } from './view.ts'

/** The requests that carry a conversation on: they offer tools, and stand beside no other one. */
export function turnsOf(t: Transcript, conversation?: string): Asked[] {
  const offering = askedOf(t, conversation).filter(({ tools }) => tools.length > 0)
  return offering.filter((asked) => !offering.some((turn) => isBeside(asked, turn)))
}

/** Whether a request says what another one says, with an instruction of its own. */
function isBeside(asked: Asked, turn: Asked): boolean {
  return (
    asked.conversation === turn.conversation &&
    (addsInstruction(turn.messages, asked.messages) || hasOtherSystem(turn, asked))
  )
}

/** Whether the second messages are the first ones and an instruction after them: no word of a user, and no result. */
export function addsInstruction(
  first: readonly ModelMessage[],
  second: readonly ModelMessage[],
): boolean {
  const added = second.slice(first.length)
  const same = JSON.stringify(second.slice(0, first.length)) === JSON.stringify(first)
  const texts = first.map(({ text }) => text)
  return (
    same &&
    added.length > 0 &&
    added.every(({ role, text }) => /^(user|system)$/.test(role) && saysNothingNew(texts, text))
  )
}

/** Of two requests that differ in their system prompts alone, numbers apart, the later one counts as the one beside. */
function hasOtherSystem(turn: Asked, asked: Asked): boolean {
  const texts = [turn.system, ...turn.messages.map(({ text }) => text)]
  return (
    wordsOf(turn.system) !== wordsOf(asked.system) &&
    JSON.stringify(turn.messages) === JSON.stringify(asked.messages) &&
    isAfter(asked.step, turn.step) &&
    saysNothingNew(texts, asked.system)
  )
}

function wordsOf(text: string): string {
  return text.replace(/\d+/g, '#')
}

function saysNothingNew(known: readonly string[], text: string): boolean {
  return tokensIn(text).every((token) => known.some((each) => each.includes(token)))
}
