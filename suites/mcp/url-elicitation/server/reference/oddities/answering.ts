/** Oddities of what the client is told in the end. */

import { alterMessages, alterResults, fieldsOf } from '../defects/alter.ts'
import { CallFailure } from '../failure.ts'
import type { Parts } from '../parts.ts'
import type { Oddity } from './oddity.ts'

const spec = 'MCP 2025-11-25 Elicitation'

export const answeringOddities: readonly Oddity[] = [
  {
    id: 'refusal-as-plain-text',
    description: 'a user who refuses is no error: the result says so in plain text',
    permitted: `${spec}, Response Actions: servers should handle each, for example offer alternatives`,
    touches: ['answered-with-decline', 'answered-with-cancel', 'denied-at-the-provider'],
    parts: (defaults) => inPlainText(defaults, 'declined', 'cancelled', 'authorization-denied'),
  },
  {
    id: 'unusable-token-in-words',
    description:
      'that the provider gave no usable token is no error: the result says so in plain text',
    permitted: 'MCP Tools, Error Handling: what counts as an error is left to the tool',
    touches: ['exchange-token-numeric-access-token', 'exchange-token-null-access-token'],
    parts: (defaults) => inPlainText(defaults, 'token-request-failed'),
  },
  {
    id: 'failure-as-error',
    description: 'a call that failed is answered by a JSON-RPC error',
    permitted: 'MCP Tools, Error Handling: protocol errors and tool execution errors',
    touches: [
      'answered-with-decline',
      'answered-with-cancel',
      'answered-with-error',
      'denied-at-the-provider',
      'form-only',
    ],
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        const { result, ...rest } = message
        const { isError, content } = fieldsOf(result)
        if (isError !== true) return message
        const text = Array.isArray(content) ? fieldsOf(content[0])['text'] : ''
        return { ...rest, error: { code: -32_000, message: String(text) } }
      }),
  },
  {
    id: 'results-with-more',
    description: 'results have more content than the text, and _meta',
    permitted: 'MCP Tools, Tool Result: several content items of several types; _meta is reserved',
    touches: ['connect-and-complete'],
    parts: (defaults) => ({
      describeItems(call, items) {
        const { content } = defaults.describeItems(call, items)
        const note = { type: 'text' as const, text: `${items.length} in all` }
        const link = { type: 'resource_link' as const, uri: 'items://all', name: 'all' }
        return { content: [note, ...content, link], _meta: { 'items.example/total': items.length } }
      },
    }),
  },
  {
    id: 'results-as-a-list',
    description: 'a result names each item in a line of its own',
    permitted: 'MCP Tools, Tool Result: text of any form',
    touches: ['connect-and-complete'],
    parts: (defaults) =>
      alterResults(defaults, (text) => {
        const items: readonly { readonly title: string }[] = JSON.parse(text)
        return items.map(({ title }) => `- ${title}`).join('\n')
      }),
  },
]

/** Says of these failures that they are none. */
function inPlainText(defaults: Parts, ...codes: readonly CallFailure['code'][]): Partial<Parts> {
  return {
    describeFailure(error) {
      const described = defaults.describeFailure(error)
      const isOne = error instanceof CallFailure && codes.includes(error.code)
      return isOne ? { content: described.content } : described
    },
  }
}
