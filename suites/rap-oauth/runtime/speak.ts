/** What a user says that needs no tool. */

import type { Talk } from './instance.ts'
import type { Plan } from './model-script.ts'
import type { SessionParts } from './session-parts.ts'

/** Says it, and gives the reference in it. */
export function speak(
  talk: Talk,
  { attribution, recorder, script, instance }: SessionParts,
  plan: Omit<Plan, 'calls'> = {},
): string {
  const { conversation } = talk
  const reference = attribution.issue('ref', { recorder, conversation })
  script.plan(reference, plan)
  const text = `By the way, how are you today? Reference ${reference}.`
  recorder.record({ type: 'step', action: 'say', detail: { reference, conversation, text } })
  instance.say(talk, text, recorder)
  return reference
}
