/** Defects of the time between: what becomes of a call, and of its conversation, while its user is asked. */

import type { Parts } from '../parts.ts'
import { alterInvocations, answered, rememberInvocations } from './alter.ts'
import type { Defect } from './defect.ts'

export const pendingDefects: readonly Defect[] = [
  // ------------------------------------------------------------- the call ends too early
  {
    id: 'oauth-as-result',
    description: 'an oauth message is given to the model as the result of the call',
    parts: (defaults) => ({
      interpretCallback: (message) =>
        message.type === 'oauth'
          ? { kind: 'settle', text: JSON.stringify(message) }
          : defaults.interpretCallback(message),
    }),
  },
  {
    id: 'second-call-gets-first-result',
    description: 'a conversation that has waited for a result once does not wait for the next one',
    parts: (defaults) => {
      const first = new Map<string, string>()
      return {
        interpretCallback(message) {
          const text = first.get(message.group_id)
          return message.type === 'oauth' && text !== undefined
            ? { kind: 'settle', text }
            : defaults.interpretCallback(message)
        },
        injectResult(store, call, text) {
          if (call.awaitsAuthorization) first.set(call.conversation, text)
          return defaults.injectResult(store, call, text)
        },
      }
    },
  },
  {
    id: 'pending-call-answered-with-error',
    description: 'a pending call stands in the history with an error',
    parts: (defaults) => ({
      historyForModel: (messages, informModel) =>
        defaults.historyForModel(
          messages.map((message) => answered(message, () => 'Error: authorization required')),
          informModel,
        ),
    }),
  },
  {
    id: 'pending-call-answered-empty',
    description: 'a pending call stands in the history with an empty result',
    parts: (defaults) => ({
      historyForModel: (messages, informModel) =>
        defaults.historyForModel(
          messages.map((message) => answered(message, () => '')),
          informModel,
        ),
    }),
  },
  // ------------------------------------------------------------- it is made again
  {
    id: 'invoked-again-after-oauth',
    description: 'an oauth message makes the runtime invoke the tool again',
    parts: (defaults) => {
      const { postInvocation, sendAgain } = rememberInvocations(defaults)
      return {
        postInvocation,
        interpretCallback(message) {
          if (message.type === 'oauth') sendAgain(message.id)
          return defaults.interpretCallback(message)
        },
      }
    },
  },
  {
    id: 'invoked-again-after-repeated-oauth',
    description: 'a repeated oauth message makes the runtime invoke the tool again',
    parts: (defaults) => {
      const { postInvocation, sendAgain } = rememberInvocations(defaults)
      return {
        postInvocation,
        matchCallback(message, call) {
          const match = defaults.matchCallback(message, call)
          if (match === 'duplicate' && message.type === 'oauth') sendAgain(message.id)
          return match
        },
      }
    },
  },
  {
    id: 'invoked-again-after-a-user-message',
    description: 'a message of the user makes the runtime repeat the calls that are pending',
    parts: (defaults) => {
      const { postInvocation, sendAgain } = rememberInvocations(defaults)
      return {
        postInvocation,
        informModel(call) {
          sendAgain(call.id)
          return defaults.informModel(call)
        },
      }
    },
  },
  {
    id: 'invoked-again-after-an-error',
    description: 'an error in a result makes the runtime invoke the tool again',
    parts: (defaults) => {
      const { postInvocation, sendAgain } = rememberInvocations(defaults)
      return {
        postInvocation,
        injectResult(store, call, text) {
          if (call.awaitsAuthorization && text.startsWith('Error: the auth')) sendAgain(call.id)
          return defaults.injectResult(store, call, text)
        },
      }
    },
  },
  {
    id: 'invoked-again-after-a-while',
    description: 'a call without a result is repeated a moment after its user was asked',
    parts: (defaults) => {
      const { postInvocation, sendAgain } = rememberInvocations(defaults)
      return {
        postInvocation,
        surfaceAuthUrl(call, authUrl) {
          // Late enough that a restart in between always comes first.
          setTimeout(sendAgain, 600, call.id).unref()
          return defaults.surfaceAuthUrl(call, authUrl)
        },
      }
    },
  },
  // ------------------------------------------------------------- the conversation
  {
    id: 'model-not-informed',
    description: 'the model is told nothing of a pending call',
    parts: () => ({ informModel: () => undefined }),
  },
  {
    id: 'model-told-of-running-only',
    description: 'the model is told that a call is running, not that its user is asked',
    parts: (defaults) => ({
      informModel: (call) => defaults.informModel({ ...call, awaitsAuthorization: false }),
    }),
  },
  {
    id: 'conversation-blocked',
    description: 'while a call is pending, the model is not asked about what the user says',
    parts: (defaults) => ({
      historyForModel(messages, informModel) {
        if (messages.some(({ calls }) => calls.some(({ state }) => state !== 'settled'))) {
          throw new Error('the conversation is busy')
        }
        return defaults.historyForModel(messages, informModel)
      },
    }),
  },
  // ------------------------------------------------------------- other endings
  {
    id: 'pending-call-dropped-at-restart',
    description: 'a restart ends the calls that were pending',
    parts: () => ({ resumeCall: () => 'interrupted' }),
  },
  {
    id: 'results-joined-over-a-restart',
    description: 'what comes for one call from before a restart is given to the next one, too',
    parts(defaults) {
      const before = new Set<string>()
      const came: string[] = []
      return {
        resumeCall(call) {
          before.add(call.id)
          return defaults.resumeCall(call)
        },
        injectResult(store, call, text) {
          if (!before.has(call.id)) return defaults.injectResult(store, call, text)
          came.push(text)
          return defaults.injectResult(store, call, came.join('\n'))
        },
      }
    },
  },
  {
    id: 'one-user-after-a-restart',
    description: 'after a restart all calls are made for the user of a call from before',
    parts(defaults) {
      let user: string | null = null
      return {
        resumeCall(call) {
          user ??= call.userId
          return defaults.resumeCall(call)
        },
        ...alterInvocations(defaults, ({ user_id }) => ({ user_id: user ?? user_id })),
      }
    },
  },
  {
    id: 'asked-before-a-restart-only',
    description: 'a link for a call from before a restart is refused, its result is not',
    parts(defaults) {
      const begunHere = new Set<string>()
      return {
        buildInvocation(call, args, callbackUrl) {
          begunHere.add(call.id)
          return defaults.buildInvocation(call, args, callbackUrl)
        },
        matchCallback: (message, call) =>
          message.type === 'oauth' && call && !begunHere.has(call.id)
            ? 'unknown'
            : defaults.matchCallback(message, call),
      }
    },
  },
  {
    id: 'timeout-not-applied',
    description: 'the declared timeout ends nothing',
    parts: () => ({ timeLeft: () => 2 ** 31 - 1 }),
  },
  {
    id: 'timeout-lost-at-restart',
    description: 'the declared timeout ends no call from before a restart',
    parts(defaults) {
      const before = new Set<string>()
      return {
        resumeCall(call) {
          before.add(call.id)
          return defaults.resumeCall(call)
        },
        timeLeft: (call, timeoutMs, now) =>
          before.has(call.id) ? 2 ** 31 - 1 : defaults.timeLeft(call, timeoutMs, now),
      }
    },
  },
  {
    id: 'timeout-too-early',
    description: 'a call ends after half of the declared timeout',
    parts: (defaults) => ({
      timeLeft: (call, timeoutMs, now) => defaults.timeLeft(call, timeoutMs / 2, now),
    }),
  },
  {
    id: 'gives-up-after-a-while',
    description: 'a call ends after eighteen seconds, whatever timeout there is or is none',
    parts: ({ timeLeft }) => ({
      timeLeft: (call, timeoutMs, now) => timeLeft(call, Math.min(timeoutMs, 18_000), now),
    }),
  },
  {
    id: 'timeout-reported-as-success',
    description: 'a call that has timed out gets "Done." as its result',
    parts: (defaults) => ({
      syntheticResult: (reason) =>
        reason === 'timed-out'
          ? { text: 'Done.', status: 'completed' }
          : defaults.syntheticResult(reason),
    }),
  },
  {
    id: 'pending-call-cancelled-when-its-user-leaves',
    description: 'when its user closes the stream, a pending call is cancelled',
    parts: () => ({ userLeft: (interrupt) => interrupt() }),
  },
  {
    id: 'cancellation-not-notified',
    description: 'the tool is not told that its call was cancelled',
    parts: () => ({ notifyCancellation: async () => {} }),
  },
  {
    id: 'pending-call-cancelled-by-a-message',
    description:
      'a message of the user makes the runtime tell the tool that its call was cancelled',
    parts: (defaults) => {
      let surroundings: Parameters<Parts['postInvocation']> | undefined
      return {
        postInvocation(...invoked) {
          surroundings = invoked
          return defaults.postInvocation(...invoked)
        },
        informModel(call) {
          const [, , settings, exchange] = surroundings ?? []
          if (settings && exchange) void defaults.notifyCancellation(call, settings, exchange)
          return defaults.informModel(call)
        },
      }
    },
  },
  {
    id: 'cancellation-notified-to-one',
    description: 'of several tool servers one alone is told of a cancellation',
    parts: (defaults) => ({
      notifyCancellation: (call, settings, exchange) =>
        defaults.notifyCancellation(
          call,
          { ...settings, toolsets: settings.toolsets.slice(0, 1) },
          exchange,
        ),
    }),
  },
  {
    id: 'cancellation-of-the-newest-alone',
    description: 'of the calls that an interruption ends, the tools are told of the newest alone',
    parts: (defaults) => {
      const newest = new Map<string, string>()
      return {
        buildInvocation(call, args, callbackUrl) {
          newest.set(call.conversation, call.id)
          return defaults.buildInvocation(call, args, callbackUrl)
        },
        notifyCancellation: async (call, settings, exchange) =>
          newest.get(call.conversation) === call.id
            ? defaults.notifyCancellation(call, settings, exchange)
            : undefined,
      }
    },
  },
  {
    id: 'cancellation-of-all-of-the-user',
    description: 'who interrupts one conversation ends the calls of the others, too',
    parts: () => ({
      callsToCancel(store, conversation) {
        const users = new Set(store.openCalls(conversation).map(({ userId }) => userId))
        return store.openCalls().filter(({ userId }) => users.has(userId))
      },
    }),
  },
  {
    id: 'notifications-as-plain-text',
    description: 'notifications are JSON, and said to be plain text',
    parts: (defaults) => ({
      notifyCancellation: (call, settings, exchange) =>
        defaults.notifyCancellation(call, settings, {
          ...exchange,
          status: ({ url, headers = {}, body }) =>
            // A text is sent as text/plain.
            fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).then(
              ({ status }) => status,
            ),
        }),
    }),
  },
  {
    id: 'cancellation-notified-again',
    description: 'a notification that was answered by a server error is sent again',
    parts: (defaults) => ({
      notifyCancellation: (call, settings, exchange) =>
        defaults.notifyCancellation(call, settings, {
          ...exchange,
          async status(outgoing) {
            const status = await exchange.status(outgoing)
            return status >= 500 ? exchange.status(outgoing) : status
          },
        }),
    }),
  },
  {
    id: 'cancelled-when-tools-know',
    description: 'a call is cancelled once all tool servers have answered the notification',
    parts: () => ({
      async closeCall(end, notify) {
        await notify()
        end()
      },
    }),
  },
  {
    id: 'cancellation-ends-at-a-failure',
    description: 'tool servers are told one after the other, until one does not answer 200',
    parts: (defaults) => ({
      async notifyCancellation(call, settings, exchange) {
        for (const toolset of settings.toolsets) {
          const taken: boolean[] = []
          const status: typeof exchange.status = async (outgoing) => {
            const answer = await exchange.status(outgoing)
            taken.push(answer === 200)
            return answer
          }
          const alone = { ...settings, toolsets: [toolset] }
          await defaults.notifyCancellation(call, alone, { ...exchange, status })
          if (!taken[0]) return
        }
      },
    }),
  },
  {
    id: 'cancellation-of-the-thread-alone',
    description: 'the notification of a cancellation does not name the call',
    parts: (defaults) => ({
      notifyCancellation: (call, settings, exchange) =>
        defaults.notifyCancellation({ ...call, id: '' }, settings, exchange),
    }),
  },
]
