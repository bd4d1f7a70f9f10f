/** Oddities of which messages are taken, and of what names a user. */

import { createHash } from 'node:crypto'

import { z } from 'zod'

import { alterContent, alterInvocations, parseObject } from '../defects/alter.ts'
import type { Oddity } from './oddity.ts'

export const messageOddities: readonly Oddity[] = [
  {
    id: 'auth-url-by-rfc-3986',
    description: 'a message whose auth_url has characters beyond ASCII is refused',
    permitted: 'RAP Transport, Security Considerations: callbacks are validated; RFC 3986 §2',
    touches: ['url-unicode', 'authorize-and-complete'],
    parts: ({ validateCallback }) => ({
      validateCallback(body) {
        const message = validateCallback(body)
        return message?.type === 'oauth' && /[^\x20-\x7e]/.test(message.auth_url)
          ? undefined
          : message
      },
    }),
  },
  {
    id: 'messages-validated-strictly',
    description: 'a message is refused where any of its fields has not the type that RAP gives it',
    permitted: 'RAP Lifecycle, Runtime Security: MUST validate against the expected schema',
    touches: ['display-as', 'display-as-with-content', 'content-and-text', 'extra-fields'],
    parts: (defaults) => ({
      validateCallback: (body) =>
        fields.safeParse(parseObject(body)).success ? defaults.validateCallback(body) : undefined,
    }),
  },
  {
    id: 'callbacks-answered-without-an-end',
    description: 'the status that answers a callback comes at once, and its body does not end',
    permitted: 'RAP Tool Result, Response: the tool does not need to interpret the response body',
    touches: ['authorize-and-complete', 'content-result', 'result-unknown-id'],
    parts: (defaults) => ({
      async guardCallback(http, next) {
        const { status } = (await defaults.guardCallback(http, next)) ?? http.res
        const endless = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
        })
        http.res = new Response(endless, { status })
      },
    }),
  },
  {
    id: 'images-named-at-the-end',
    description: 'after the texts of a result the model is told how many images came with them',
    permitted: 'RAP Tool Result, Multimodal Content: a text placeholder, wherever it stands',
    touches: ['content-result', 'large-result'],
    parts: (defaults) =>
      alterContent(defaults, (items) => {
        const texts = items.filter(({ type }) => type !== 'image')
        const images = items.length - texts.length
        return images === 0 ? items : [...texts, { type: 'text', text: `(${images} image)` }]
      }),
  },
  {
    id: 'json-results-written-anew',
    description: 'a result that is JSON reaches the model indented, its members in another order',
    permitted: 'RAP Tool Result, Structured Results: a runtime may parse the text as JSON',
    touches: ['json-result', 'content-result', 'complete-without-oauth'],
    parts: (defaults) => ({
      injectResult(store, call, text) {
        const members = Object.entries(parseObject(text) ?? {}).toReversed()
        const shown =
          members.length > 0 ? JSON.stringify(Object.fromEntries(members), null, 2) : text
        defaults.injectResult(store, call, shown)
      },
    }),
  },
  {
    id: 'history-in-one-message',
    description: 'the model is told the whole conversation in one message of the user',
    permitted: 'RAP Tool Result, Result Content: nothing is said of how a model is given it',
    touches: [
      'authorize-and-complete',
      'duplicate-result',
      'duplicate-while-answering',
      'result-after-completion',
    ],
    parts: (defaults) => ({
      historyForModel(messages, informModel) {
        const history = defaults.historyForModel(messages, informModel)
        const lines = history.map((each) =>
          each.role === 'tool'
            ? `Result of ${each.tool_call_id}: ${each.content}`
            : `${each.role}: ${each.content ?? 'calls a tool'}`,
        )
        return [{ role: 'user', content: lines.join('\n') }]
      },
    }),
  },
  {
    id: 'results-told-last',
    description: 'what has come of the calls stands at the end of all that the model is told',
    permitted: 'RAP Tool Result, Result Content: nothing is said of how a model is given it',
    touches: [
      'authorize-and-complete',
      'duplicate-result',
      'duplicate-while-answering',
      'result-after-completion',
      'authorized-twice',
    ],
    parts: (defaults) => ({
      historyForModel(messages, informModel) {
        const history = defaults.historyForModel(messages, informModel)
        const results = history.flatMap((each): typeof history =>
          each.role === 'tool'
            ? [{ role: 'user', content: `Result of ${each.tool_call_id}: ${each.content}` }]
            : [],
        )
        const rest = history.map((each) =>
          each.role === 'tool' ? { ...each, content: 'The result is told at the end.' } : each,
        )
        return [...rest, ...results]
      },
    }),
  },
  {
    id: 'users-not-named',
    description: 'invocations have no user_id',
    permitted: 'RAP Tool Invocation, Fields: user_id is not required',
    touches: ['user-identity', 'two-conversations'],
    parts: (defaults) => alterInvocations(defaults, () => ({ user_id: undefined })),
  },
  {
    id: 'users-under-pseudonyms',
    description: 'user_id is a pseudonym that is the same within a conversation',
    permitted: 'RAP Tool Invocation, Fields: user_id is a string',
    touches: ['user-identity', 'two-conversations'],
    parts: (defaults) =>
      alterInvocations(defaults, ({ group_id: group }) => ({
        user_id: createHash('sha256').update(group).digest('hex'),
      })),
  },
  {
    id: 'remembers-its-users',
    description: 'the model is reminded of what the same user said last in another conversation',
    permitted: 'RAP Tool Result, Routing: about results alone; RAP says nothing of memories',
    touches: ['one-user-two-conversations', 'two-conversations', 'whole-run'],
    parts(defaults) {
      const said = new Map<string, string>()
      return {
        historyForModel(messages, informModel) {
          const history = defaults.historyForModel(messages, informModel)
          const own = messages.findLast(({ role }) => role === 'user')
          const last = said.get(own?.userId ?? '')
          if (own?.userId && own.text) said.set(own.userId, own.text)
          if (last === undefined || last === own?.text) return history
          return [{ role: 'system', content: `Known facts: ${last}` }, ...history]
        },
      }
    },
  },
]

/** RAP Tool Result, Fields and Display Segments. */
const fields = z.object({
  display_as: z
    .array(z.object({ type: z.string(), content: z.union([z.string(), z.looseObject({})]) }))
    .optional(),
  subscription: z.boolean().optional(),
  content: z
    .array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.literal('image'), data: z.base64(), mediaType: z.string() }),
      ]),
    )
    .optional(),
})
