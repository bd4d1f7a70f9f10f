/** Says to the author of a runtime why its tool was not invoked, as far as that can be seen. */

import type { Transcript } from '../../../harness/engine/index.ts'
import { askedOf, callOf } from './view.ts'

/** How far the user's message came on its way to the tool. */
export function whyNotInvoked(t: Transcript, name: string): string {
  const { conversation, tool, toolCall } = callOf(t, name)
  const misplaced = t.requests('invocation').find((each) => each.call === undefined)
  if (toolCall && misplaced) {
    return `it was invoked at ${misplaced.url}, where nothing takes invocations; does the runtime use the endpoint of the discovery document?`
  }
  if (toolCall) return 'the model asked for the tool, and the runtime did not invoke it'
  const [message] = t.requests('message', name)
  const answer = message && t.answer(message)
  if (answer?.type === 'failure') {
    return `the user's message to ${message?.url} failed: ${answer.message}`
  }
  if (answer && answer.status >= 400) {
    return `the user's message to ${message?.url} was answered HTTP ${answer.status}; see messages in the configuration`
  }
  const asked = askedOf(t, conversation)
  if (asked.length === 0) {
    return 'the model was not asked; does the model client of the runtime use {model.url}, {model.origin} or the port in listen.model?'
  }
  const tools = new Set(asked.flatMap((each) => each.tools))
  const offered = tools.size === 0 ? 'no tools' : [...tools].join(', ')
  return `the model was offered ${offered}, but not ${tool}; does the runtime read {toolset.url}/.well-known/rap-toolset?`
}
