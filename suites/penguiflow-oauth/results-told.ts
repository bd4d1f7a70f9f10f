/** Whether a model was given a result of each tool that it has called: data of its user's account. */

import { fieldsOf, listIn, textIn } from './view.ts'

/** Every result of the provider's API names the account that it is from. */
const data = /subject-of-/

/**
 * A result may be told twice, as text and as structured content, so results are counted by the calls that they answer.
 * In prompted frameworks nothing answers a call: there messages are counted, or the tokens that the API was asked with,
 * as one message may tell of all tools of a step.
 */
export function resultsTold(
  messages: readonly unknown[],
  tools: readonly string[],
  tokensUsed: number,
): boolean {
  const given = givenIn(messages)
  const answered = toolsAnswered(messages)
  if (answered.length > 0)
    return tools.every((tool) => answered.some((name) => name.endsWith(tool)))
  const telling = given.filter(({ text }) => data.test(String(text))).length
  return telling >= tools.length || (telling > 0 && tokensUsed >= tools.length)
}

/** The tools whose calls were answered with data of an account. */
export function toolsAnswered(messages: readonly unknown[]): string[] {
  const names = new Map(
    messages
      .flatMap((each) => listIn(fieldsOf(each)['toolCalls']).map(fieldsOf))
      .map(({ id, name }) => [id, textIn(name)]),
  )
  return givenIn(messages)
    .flatMap(({ toolResults }) => listIn(toolResults).map(fieldsOf))
    .filter(({ text }) => data.test(String(text)))
    .flatMap(({ callId }) => names.get(callId) ?? [])
}

/** What the model did not write itself. */
function givenIn(messages: readonly unknown[]) {
  return messages.map(fieldsOf).filter(({ role }) => role !== 'assistant')
}
