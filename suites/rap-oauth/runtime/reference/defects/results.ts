/** Defects between a `tool_result` and the model, and between one conversation and another. */

import type { ChatMessage } from '../history.ts'
import { alterCallbacks, alterHistory, parseObject } from './alter.ts'
import type { Defect } from './defect.ts'

export const resultDefects: readonly Defect[] = [
  // ------------------------------------------------------------- whether it arrives
  {
    id: 'results-not-injected',
    description: 'results are noted as "done", and their text goes nowhere',
    parts: (defaults) => ({
      injectResult: (store, call) => defaults.injectResult(store, call, 'done'),
    }),
  },
  {
    id: 'late-results-not-injected',
    description: 'the text of a result goes nowhere when its user had to be asked',
    parts: (defaults) => ({
      injectResult: (store, call, text) =>
        defaults.injectResult(store, call, call.awaitsAuthorization ? 'done' : text),
    }),
  },
  {
    id: 'error-results-not-injected',
    description: 'an error in a result is replaced by a text of the runtime',
    parts: (defaults) => ({
      injectResult: (store, call, text) =>
        defaults.injectResult(store, call, text.replace(/^Error: .*$/s, 'Error: the tool failed')),
    }),
  },
  {
    id: 'content-not-read',
    description: 'of a result only text is read, not content',
    parts: (defaults) =>
      alterCallbacks(defaults, ({ content, ...message }) =>
        content === undefined ? message : { text: '', ...message },
      ),
  },
  {
    id: 'first-item-only',
    description: 'of content only the first item is read',
    parts: (defaults) =>
      alterCallbacks(defaults, ({ content, ...message }) =>
        Array.isArray(content) ? { ...message, content: content.slice(0, 1) } : message,
      ),
  },
  {
    id: 'results-cut-at-fifty-thousand',
    description: 'a result ends after fifty thousand characters',
    parts: (defaults) => ({
      injectResult: (store, call, text) =>
        defaults.injectResult(store, call, text.slice(0, 50_000)),
    }),
  },
  {
    id: 'results-trimmed',
    description: 'a result loses the blanks around it',
    parts: (defaults) => ({
      injectResult: (store, call, text) => defaults.injectResult(store, call, text.trim()),
    }),
  },
  {
    id: 'result-cut-at-four-bytes',
    description:
      'a result ends before its first character of four bytes, as MySQL does to its utf8',
    parts: (defaults) => ({
      injectResult: (store, call, text) =>
        defaults.injectResult(store, call, text.split(/[\u{10000}-\u{10FFFF}]/u)[0] ?? ''),
    }),
  },
  {
    id: 'four-bytes-replaced',
    description: 'characters of four bytes become question marks',
    parts: (defaults) => ({
      injectResult: (store, call, text) =>
        defaults.injectResult(store, call, text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
    }),
  },
  {
    id: 'results-as-replacement',
    description: 'a result takes the place of another text as a replacement, in which "$$" is "$"',
    parts: (defaults) => ({
      injectResult: (store, call, text) =>
        defaults.injectResult(store, call, '(pending)'.replace('(pending)', text)),
    }),
  },
  {
    id: 'text-of-json-texts-alone',
    description: 'of a text that is JSON and has a member "text", that alone reaches the model',
    parts: (defaults) => ({
      injectResult(store, call, text) {
        const member = parseObject(text)?.['text']
        defaults.injectResult(store, call, typeof member === 'string' ? member : text)
      },
    }),
  },
  {
    id: 'empty-members-of-json-texts-dropped',
    description: 'a text that is JSON is written anew, without members that are null or empty',
    parts: (defaults) => ({
      injectResult(store, call, text) {
        const members = Object.entries(parseObject(text) ?? {})
        const filled = members.filter(
          ([, value]) => !['null', '[]'].includes(JSON.stringify(value)),
        )
        const shown = members.length > 0 ? JSON.stringify(Object.fromEntries(filled)) : text
        defaults.injectResult(store, call, shown)
      },
    }),
  },
  // ------------------------------------------------------------- in which form
  {
    id: 'text-over-content',
    description: 'where a result has both text and content, the model gets the text',
    parts: (defaults) =>
      alterCallbacks(defaults, ({ content, ...message }) =>
        content === undefined || message['text'] !== undefined ? message : { ...message, content },
      ),
  },
  {
    id: 'display-as-for-the-model',
    description: 'where a result has display_as, the model gets that',
    parts: (defaults) =>
      alterCallbacks(defaults, ({ content, display_as: shown, ...message }) => {
        if (shown === undefined) return content === undefined ? message : { ...message, content }
        return { ...message, text: JSON.stringify(shown) }
      }),
  },
  {
    id: 'display-as-kept',
    description: 'the model gets the text of a result once, and from then on its display_as',
    parts(defaults) {
      const displayed = new Map<string, string>()
      return {
        ...alterCallbacks(defaults, (message) => {
          const { text, display_as: shown } = message
          if (shown !== undefined) displayed.set(String(text), JSON.stringify(shown))
          return message
        }),
        ...alterHistory(defaults, (history) =>
          history.map((message, index) => {
            const isNews = message.role !== 'tool' || index === history.length - 1
            const kept = isNews ? undefined : displayed.get(message.content)
            return kept === undefined ? message : { ...message, content: kept }
          }),
        ),
      }
    },
  },
  {
    id: 'results-injected-twice',
    description: 'every result is given to the model twice',
    parts: (defaults) => ({
      injectResult(store, call, text) {
        defaults.injectResult(store, call, text)
        defaults.injectResult(store, call, text)
      },
    }),
  },
  {
    id: 'results-under-another-id',
    description: 'results answer a tool call id that the model never gave',
    parts: (defaults) =>
      alterHistory(defaults, (history) =>
        history.map((message) =>
          message.role === 'tool' ? { ...message, tool_call_id: 'call_0' } : message,
        ),
      ),
  },
  // ------------------------------------------------------------- between conversations
  {
    id: 'memory-shared-by-all-users',
    description: 'the model is reminded of what another user said last',
    parts: (defaults) => {
      let last: ChatMessage | undefined
      return alterHistory(defaults, (history) => {
        const own = history.filter(({ role }) => role === 'user')
        const foreign = own.some(({ content }) => content === last?.content) ? undefined : last
        last = own.at(-1)
        return foreign
          ? [{ role: 'system', content: `Known facts: ${foreign.content}` }, ...history]
          : history
      })
    },
  },
  {
    id: 'conversations-of-a-user-mixed',
    description: 'the model gets what a user said last as the end of each of their conversations',
    parts(defaults) {
      const said = new Map<string, ChatMessage>()
      return {
        historyForModel(messages, informModel) {
          const history = defaults.historyForModel(messages, informModel)
          const own = messages.findLast(({ role }) => role === 'user')
          if (!own?.userId) return history
          if (history.at(-1)?.role === 'user') {
            said.set(own.userId, { role: 'user', content: own.text ?? '' })
            return history
          }
          const last = said.get(own.userId)
          const known = history.some(({ content }) => content === last?.content)
          return known || !last ? history : [...history, last]
        },
      }
    },
  },
  {
    id: 'messages-not-queued',
    description: 'what belongs to one conversation is processed all at once',
    parts: () => ({ createQueue: () => (_key, task) => task() }),
  },
]
