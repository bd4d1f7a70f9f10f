/**
 * Plays the user whom a tool asks to choose before it goes on (RAP User Choice): takes what is chosen for who dismisses the
 * question, or the first.
 */

import type { Body } from '../../../harness/engine/index.ts'
import type { ReplyPlan } from '../../../harness/parties/index.ts'
import { fieldsOf } from './view.ts'

/** What is posted to answer a question, and where to. */
export interface Choice {
  readonly url: string
  readonly body: string
  /** The question, as it came. */
  readonly question: Body
}

/** Has each question answered once, however often it comes; the plan is for the other messages, and counts only them. */
export function answeringChoices(plan: ReplyPlan, answer: (choice: Choice) => void): ReplyPlan {
  const answered = new Set<string>()
  let others = 0
  return (body) => {
    const choice = choiceIn(body)
    if (!choice) return plan(body, others++)
    if (!answered.has(body.text)) answer(choice)
    answered.add(body.text)
    return 200
  }
}

function choiceIn(question: Body): Choice | undefined {
  const { type, id, choices, default: usual, response_url: url } = fieldsOf(question) ?? {}
  if (type !== 'user_choice' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  const isIndex = Array.isArray(choices) && Number.isInteger(usual) && Number(usual) in choices
  return { url, question, body: JSON.stringify({ id, selected: isIndex ? usual : 0 }) }
}
