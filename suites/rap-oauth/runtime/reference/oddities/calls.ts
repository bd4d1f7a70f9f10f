/** Oddities of how calls go on: one after the other, ended by what their user says, or late. */

import { AsyncLocalStorage } from 'node:async_hooks'

import { backoff, pause } from '../deadline.ts'
import { answered, parseObject } from '../defects/alter.ts'
import type { Exchange } from '../exchange.ts'
import type { Parts } from '../parts.ts'
import type { Queue } from '../queue.ts'
import type { Call } from '../records.ts'
import type { Oddity } from './oddity.ts'

export const callOddities: readonly Oddity[] = [
  {
    id: 'calls-one-after-the-other',
    description: 'of the calls of one turn each is made when the one before has its result',
    permitted: 'RAP Lifecycle, Runtime Concurrency: single-threaded processing per thread',
    touches: ['parallel-calls', 'reopened-while-pending', 'acknowledged-with-503', 'user-identity'],
    parts: (defaults) => {
      const last = new Map<string, Promise<void>>()
      const ends = new Map<string, () => void>()
      return {
        async postInvocation(...invoked) {
          const [{ id, group_id: group }] = invoked
          const before = last.get(group)
          // Another attempt at the same invocation has had its turn.
          if (!ends.has(id)) {
            last.set(group, new Promise((resolve) => ends.set(id, resolve)))
            await before
          }
          return defaults.postInvocation(...invoked)
        },
        injectResult(store, call, text) {
          defaults.injectResult(store, call, text)
          ends.get(call.id)?.()
        },
      }
    },
  },
  {
    id: 'calls-last-first',
    description: 'the calls of one turn are made one after the other, the last one first',
    permitted: 'RAP Lifecycle, Runtime Concurrency: nothing is said of the order within a thread',
    touches: ['parallel-calls', 'result-other-group'],
    parts: (defaults) => {
      const waiting = new Map<string, (() => void)[]>()
      const known = new Set<string>()
      const next = (group: string): void => waiting.get(group)?.pop()?.()
      return {
        async postInvocation(...invoked) {
          const [{ id, group_id: group }] = invoked
          const others = waiting.get(group)
          if (known.has(id)) return defaults.postInvocation(...invoked)
          known.add(id)
          if (!others) {
            waiting.set(group, [])
            // The others of its turn are planned before this one is made.
            setTimeout(() => next(group), 100)
          }
          await new Promise<void>((resolve) => {
            waiting.get(group)?.push(resolve)
          })
          return defaults.postInvocation(...invoked)
        },
        injectResult(store, call, text) {
          defaults.injectResult(store, call, text)
          if (waiting.get(call.conversation)?.length === 0) waiting.delete(call.conversation)
          else next(call.conversation)
        },
      }
    },
  },
  {
    id: 'attempts-far-apart',
    description: 'the second attempt at an invocation comes after 2.5 s, the third after 5 s more',
    permitted: 'RAP Transport, Delivery Requirements: exponential backoff, of whatever length',
    touches: ['acknowledged-with-503', 'invocation-reset'],
    parts: () => ({ retryDelay: (attempt) => 2_500 * 2 ** (attempt - 1) }),
    configuration: { timing: { step: '2s', concurrency: 4 } },
  },
  {
    id: 'three-attempts',
    description: 'after three attempts at an invocation the model is told that it failed',
    permitted: 'RAP Transport, Delivery Requirements: how often it is retried is not said',
    touches: ['acknowledged-with-503', 'invocation-reset', 'acknowledged-with-503-for-good'],
    parts: (defaults) => ({
      shouldRetryInvocation: (acknowledgement, attempt) =>
        attempt < 3 && defaults.shouldRetryInvocation(acknowledgement, attempt),
    }),
  },
  {
    id: 'backoff-with-a-floor',
    description: 'delays between attempts double from 260 ms on, and are never below 1100 ms',
    permitted: 'RAP Transport, Delivery Requirements: exponential backoff, of whatever length',
    touches: ['acknowledged-with-503', 'invocation-reset'],
    parts: () => ({ retryDelay: (attempt) => Math.max(1100, 130 * 2 ** attempt) }),
  },
  {
    id: 'one-tool-call-per-response',
    description: 'parallel calls are forbidden to the model, and of several the first one is made',
    permitted: 'RAP Tool Invocation: nothing is said of how many calls a model makes at once',
    touches: ['parallel-calls', 'two-tools', 'complete-without-oauth'],
    parts: ({ askModel }) => ({
      async askModel(messages, tools, settings, exchange, closing) {
        const text: Exchange['text'] = (request) =>
          exchange.text({
            ...request,
            body: { ...(request.body as object), parallel_tool_calls: false },
          })
        const reply = await askModel(messages, tools, settings, { ...exchange, text }, closing)
        return reply && { ...reply, calls: reply.calls.slice(0, 1) }
      },
    }),
  },
  {
    id: 'messages-interrupt',
    description:
      'what the user says ends the calls that wait for nobody, also between two attempts, and their tools are told',
    permitted: 'RAP Tool Cancellation: typically because the user interrupted the agent',
    touches: [
      'talk-while-running',
      'talk-while-pending',
      'acknowledged-with-400',
      'acknowledged-with-503',
      'acknowledged-with-503-for-good',
      'invocation-reset',
    ],
    parts: (defaults) => {
      let surroundings: Parameters<Parts['postInvocation']> | undefined
      return {
        retryDelay: (attempt) => backoff(800, attempt),
        postInvocation(...invoked) {
          surroundings = invoked
          return defaults.postInvocation(...invoked)
        },
        openStore(dataDir) {
          const store = defaults.openStore(dataDir)
          return {
            ...store,
            addMessage(conversation, body, unseen) {
              const open = body.role === 'user' ? store.openCalls(conversation) : []
              const [, , settings, exchange] = surroundings ?? []
              for (const call of open.filter((each) => !each.awaitsAuthorization)) {
                defaults.injectResult(store, call, 'Error: Interrupted by a message of the user.')
                if (settings && exchange) void defaults.notifyCancellation(call, settings, exchange)
              }
              return store.addMessage(conversation, body, unseen)
            },
          }
        },
      }
    },
  },
  {
    id: 'dispatched-successfully',
    description:
      'until its result comes, a call is answered with "Tool call dispatched successfully"',
    permitted:
      'RAP OAuth, Runtime Behavior: the call is kept pending; the text says so (reading 13)',
    touches: ['authorize-and-complete', 'talk-while-running', 'talk-while-pending'],
    parts: (defaults) => ({
      historyForModel: (messages, informModel) =>
        defaults.historyForModel(
          messages.map((message) => answered(message, dispatched)),
          informModel,
        ),
    }),
  },
  {
    id: 'slow-backoff-in-other-words',
    description:
      'attempts come ever later, for twelve seconds; meanwhile the model is told in German what the call waits for',
    permitted:
      'RAP Transport, Delivery Requirements: with exponential backoff, of any length (reading 43); OAuth, Runtime Behavior',
    touches: ['acknowledged-with-503-for-good', 'acknowledged-with-503', 'invocation-reset'],
    parts: (defaults) => ({
      retryDelay: (attempt) => backoff(800, attempt),
      historyForModel: (messages, informModel) =>
        defaults.historyForModel(
          messages.map((message) => answered(message, inGerman)),
          informModel,
        ),
    }),
  },
  {
    id: 'busy-conversations-answer-503',
    description: 'a callback is answered 503 while its conversation is being worked on',
    permitted:
      'RAP Transport, Delivery Requirements: tools retry HTTP 5xx; Lifecycle, Runtime Concurrency: database-level locks',
    touches: [
      'authorize-and-complete',
      'busy-conversation',
      'duplicate-while-answering',
      'duplicate-while-busy',
      'parallel-calls',
    ],
    parts: (defaults) => {
      const queue = defaults.createQueue()
      const busy = new Set<unknown>()
      return {
        createQueue: () => (key, task) =>
          queue(key, async () => {
            busy.add(key)
            await task().finally(() => busy.delete(key))
          }),
        guardCallback: (http, next) =>
          defaults.guardCallback(http, async () => {
            const { group_id: group } = parseObject(await http.req.text()) ?? {}
            if (!busy.has(group)) return next()
            http.res = new Response(null, { status: 503 })
          }),
      }
    },
  },
  {
    id: 'one-worker',
    description: 'one worker takes one turn at a time, whatever conversation it is of',
    permitted: 'RAP Lifecycle, Runtime Concurrency: threads MAY be processed concurrently',
    touches: ['authorize-and-complete', 'two-conversations', 'complete-without-oauth'],
    parts(defaults) {
      const queue = defaults.createQueue()
      return { createQueue: () => (_, task) => queue('all', task) }
    },
  },
  {
    id: 'two-workers',
    description: 'two workers take two turns at a time, of whatever conversations they are',
    permitted: 'RAP Lifecycle, Runtime Concurrency: threads MAY be processed concurrently',
    touches: ['authorize-and-complete', 'two-conversations', 'complete-without-oauth'],
    parts({ createQueue }) {
      const workers = ['one', 'other'].map(() => ({ queue: createQueue(), busy: 0 }))
      return {
        createQueue() {
          const ofConversation = createQueue()
          const take = async (task: () => Promise<void>): Promise<void> => {
            const [first, second] = workers
            const worker = first!.busy <= second!.busy ? first! : second!
            worker.busy += 1
            await worker.queue('all', task).finally(() => (worker.busy -= 1))
          }
          return (key, task) => ofConversation(key, () => take(task))
        },
      }
    },
  },
  {
    id: 'optimistic-concurrency',
    description:
      'messages of one conversation are processed at once, and one whose version is outdated by then is processed anew',
    permitted:
      'RAP Lifecycle, Runtime Concurrency: optimistic concurrency control with retry logic',
    touches: [
      'busy-conversation',
      'duplicate-while-busy',
      'duplicate-while-answering',
      'talk-while-pending',
      'parallel-calls',
    ],
    parts({ askModel }) {
      const versions = new Map<string, number>()
      const current = new AsyncLocalStorage<string>()
      const outdated = new Error('the conversation has changed meanwhile')
      const versionOf = (key: string): number => versions.get(key) ?? 0
      return {
        createQueue() {
          const run: Queue = (key, task) =>
            current.run(key, task).catch((error: unknown) => {
              if (error !== outdated) throw error
              return run(key, task)
            })
          return run
        },
        async askModel(...asked) {
          const key = current.getStore() ?? ''
          const version = versionOf(key)
          const reply = await askModel(...asked)
          if (versionOf(key) !== version) throw outdated
          versions.set(key, version + 1)
          return reply
        },
      }
    },
  },
  {
    id: 'asks-for-titles',
    description: 'before each turn the model is asked for a title as well, with the same tools',
    permitted:
      'RAP Lifecycle, Runtime Concurrency: messages are processed serially; a title is none',
    touches: [
      'complete-without-oauth',
      'busy-conversation',
      'talk-while-pending',
      'duplicate-while-answering',
    ],
    parts: (defaults) => ({
      async askModel(messages, ...rest) {
        const instruction = { role: 'user', content: 'Give this conversation a title.' } as const
        void defaults.askModel([...messages, instruction], ...rest).catch(() => undefined)
        return defaults.askModel(messages, ...rest)
      },
    }),
  },
  {
    id: 'asks-whether-harmless',
    description:
      'before each turn the model is asked, without tools, whether the words are harmless',
    permitted: 'RAP Lifecycle, Runtime Concurrency: a turn begins when the runtime begins it',
    touches: ['busy-conversation', 'duplicate-while-answering', 'talk-while-pending'],
    parts: (defaults) => ({
      async askModel(messages, tools, ...rest) {
        const instruction = { role: 'system', content: 'Say whether this is harmless.' } as const
        await defaults.askModel([instruction, ...messages], [], ...rest)
        return defaults.askModel(messages, tools, ...rest)
      },
    }),
  },
  {
    id: 'pending-notice-names-url',
    description: 'a pending call is answered by a text that says so and names the URL',
    permitted:
      'RAP OAuth, Runtime Behavior: for example by injecting a status message (readings 13 and 16)',
    touches: ['talk-while-pending', 'parallel-calls', 'authorize-and-complete'],
    parts: (defaults) => ({
      historyForModel: (messages, informModel) =>
        defaults.historyForModel(
          messages.map((message) => answered(message, namingUrl)),
          informModel,
        ),
    }),
  },
  {
    id: 'slow-to-invoke',
    description: 'an invocation is sent one and a half seconds after the model has asked for it',
    permitted: 'RAP Lifecycle, Timeouts: the protocol defines none',
    touches: ['complete-without-oauth', 'acknowledged-with-400', 'invocation-reset'],
    parts: (defaults) => ({
      async postInvocation(...invoked) {
        await pause(1_500, new AbortController().signal)
        return defaults.postInvocation(...invoked)
      },
    }),
    configuration: { timing: { step: '1s', concurrency: 4 } },
  },
  {
    id: 'escaped-messages',
    description: 'every letter of every string that is sent to a tool is escaped',
    permitted: 'RFC 8259 §7: any character may be escaped',
    touches: ['complete-without-oauth', 'cancelled-while-pending', 'restart-while-pending'],
    parts: (defaults) => ({
      postInvocation: (invocation, target, settings, exchange) =>
        defaults.postInvocation(invocation, target, settings, escaping(exchange)),
      notifyCancellation: (call, settings, exchange) =>
        defaults.notifyCancellation(call, settings, escaping(exchange)),
    }),
  },
]

function dispatched({ awaitsAuthorization }: Call): string {
  const signIn = awaitsAuthorization ? ' A sign-in was started.' : ''
  return `Tool call dispatched successfully.${signIn}`
}

function namingUrl({ awaitsAuthorization, authUrl }: Call): string {
  return awaitsAuthorization
    ? `The user has been asked to grant access (${authUrl}). The result will follow.`
    : 'The call is running.'
}

function inGerman({ awaitsAuthorization }: Call): string {
  return awaitsAuthorization ? 'Der Benutzer muss noch zustimmen.' : 'Der Aufruf läuft noch.'
}

/** Sends the same JSON in other words. */
function escaping(exchange: Exchange): Exchange {
  return {
    ...exchange,
    async status({ url, headers, body, timeoutMs }) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body).replace(/"(?:[^"\\]|\\.)*"/g, escaped),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return answer.status
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[a-z]/gi, (letter, at: number) => {
    const code = letter.charCodeAt(0).toString(16).padStart(4, '0')
    return text[at - 1] === '\\' ? letter : `\\u${code}`
  })
}
