/** Defects of the messages to the runtime: what they say, where they go, how often. */

import type { Address, Call } from '../call.ts'
import { CallFailure } from '../failure.ts'
import {
  alterCallbackUrl,
  alterMessages,
  alterResults,
  isResult,
  pause,
  type Message,
} from './alter.ts'
import type { Defect } from './defect.ts'
import type { Parts } from '../parts.ts'

export const messageDefects: readonly Defect[] = [
  // ------------------------------------------------------------- what they say
  {
    id: 'asks-in-a-result',
    description: 'the authorization URL is sent as the text of a tool_result',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        if (isResult(message)) return message
        const { auth_url: url, ...ids } = message
        return { ...ids, type: 'tool_result', text: `Please open ${String(url)} and try again.` }
      }),
  },
  {
    id: 'auth-url-misnamed',
    description: 'the oauth message calls the URL authUrl',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        if (isResult(message)) return message
        const { auth_url: authUrl, ...rest } = message
        return { ...rest, authUrl }
      }),
  },
  {
    id: 'result-content-not-a-list',
    description: 'a successful result has an object as content, and no text',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        const { text, ...rest } = message
        if (!isResult(message) || String(text).startsWith('Error')) return message
        return { ...rest, content: { type: 'text', text } }
      }),
  },
  {
    id: 'result-displayed-as-text',
    description: 'display_as of a result is a text in place of a list of segments',
    parts: (defaults) =>
      alterMessages(defaults, (message) =>
        isResult(message) ? { ...message, display_as: 'done' } : message,
      ),
  },
  {
    id: 'subscription-as-text',
    description: 'a result says "no" where it tells whether it begins a subscription',
    parts: (defaults) =>
      alterMessages(defaults, (message) =>
        isResult(message) ? { ...message, subscription: 'no' } : message,
      ),
  },
  {
    id: 'two-hundred-thousand-lists',
    description: 'before each result something else is sent: a list in a list, 200,000 deep',
    parts: (defaults) => ({
      async deliver(delivery, means) {
        if (isResult(delivery.message)) {
          const body = '['.repeat(200_000) + ']'.repeat(200_000)
          const headers = { 'content-type': 'application/json' }
          await means.post({ url: delivery.url, headers, body }, means.signal).catch(() => {})
        }
        return defaults.deliver(delivery, means)
      },
    }),
  },
  {
    id: 'result-without-text',
    description: 'a result has neither text nor content, only an outcome field',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        const { text, ...rest } = message
        return isResult(message) ? { ...rest, outcome: text } : message
      }),
  },
  {
    id: 'error-without-prefix',
    description: 'error texts do not begin with "Error: "',
    parts: (defaults) => ({
      describeError: (error) => defaults.describeError(error).replace(/^Error: /, ''),
    }),
  },
  {
    id: 'failing-api-without-prefix',
    description: 'what the API answers instead of data is told without "Error: "',
    parts: (defaults) => ({
      describeError(error) {
        const text = defaults.describeError(error)
        const isOfApi = error instanceof CallFailure && error.code.startsWith('service-')
        return isOfApi ? text.replace(/^Error: /, '') : text
      },
    }),
  },
  {
    id: 'stack-trace-in-error',
    description: 'error texts end with a stack trace',
    parts: (defaults) => ({
      describeError: (error) =>
        `${defaults.describeError(error)}\n${error instanceof Error ? error.stack : ''}`,
    }),
  },
  // ------------------------------------------------------------- their ids
  {
    id: 'group-id-dropped',
    description: 'results carry no group_id',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        const { group_id: _groupId, ...rest } = message
        return isResult(message) ? rest : message
      }),
  },
  {
    id: 'group-id-trimmed',
    description: 'group_id comes back without the blanks around it',
    parts: (defaults) =>
      alterMessages(defaults, (message) => ({
        ...message,
        group_id: String(message['group_id']).trim(),
      })),
  },
  {
    id: 'id-normalised',
    description: 'id comes back in the composed form of Unicode',
    parts: (defaults) =>
      alterMessages(defaults, (message) => ({
        ...message,
        id: String(message['id']).normalize('NFC'),
      })),
  },
  {
    id: 'group-id-in-ascii',
    description: 'group_id comes back without its non-ASCII characters',
    parts: (defaults) =>
      alterMessages(defaults, (message) => ({
        ...message,
        group_id: String(message['group_id'])
          .normalize('NFD')
          .replace(/[^ -~]/g, ''),
      })),
  },
  {
    id: 'id-dropped',
    description: 'results carry no id',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        const { id: _id, ...rest } = message
        return isResult(message) ? rest : message
      }),
  },
  {
    id: 'id-made-anew',
    description: 'messages carry an id of the tool in place of that of the invocation',
    parts: (defaults) =>
      alterMessages(defaults, (message) => ({ ...message, id: crypto.randomUUID() })),
  },
  {
    id: 'ids-cut-at-255',
    description: 'ids are kept in columns of 255 characters',
    parts: (defaults) =>
      alterMessages(defaults, (message) => ({
        ...message,
        ...Object.fromEntries(
          ['id', 'call_id', 'group_id'].flatMap((name) => {
            const value = message[name]
            return typeof value === 'string' ? [[name, value.slice(0, 255)]] : []
          }),
        ),
      })),
  },
  {
    id: 'call-id-dropped',
    description: 'call_id is not echoed',
    parts: (defaults) => ({
      echoIds: (address) => defaults.echoIds({ ...address, callId: null }),
    }),
  },
  {
    id: 'call-id-dropped-in-results',
    description: 'call_id is echoed in the oauth message, not in the result after it',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        const { call_id: _callId, ...rest } = message
        return isResult(message) ? rest : message
      }),
  },
  {
    id: 'call-id-dropped-when-empty',
    description: 'a call_id that is an empty text is taken for none',
    parts: (defaults) => ({
      echoIds: (address) => defaults.echoIds({ ...address, callId: address.callId || null }),
    }),
  },
  {
    id: 'call-id-dropped-when-zero',
    description: 'a call_id that is the text "0" is taken for none',
    parts: (defaults) => ({
      echoIds: (address) =>
        defaults.echoIds({ ...address, callId: address.callId === '0' ? null : address.callId }),
    }),
  },
  {
    id: 'call-id-invented',
    description: 'an invocation without call_id gets its id as call_id',
    parts: (defaults) => ({
      echoIds: (address) => defaults.echoIds({ ...address, callId: address.callId ?? address.id }),
    }),
  },
  {
    id: 'call-id-as-text-null',
    description: 'a missing call_id comes back as the text "null"',
    parts: (defaults) => ({
      echoIds: (address) => defaults.echoIds({ ...address, callId: String(address.callId) }),
    }),
  },
  {
    id: 'group-of-the-last-call',
    description: 'a result carries the group_id of the last call of its user',
    parts: (defaults) =>
      withLastCall(defaults, (message, last) => ({
        message: { ...message, group_id: last.groupId },
      })),
  },
  {
    id: 'group-of-the-call-before',
    description: 'a result carries the group_id of the call before, whoever made it',
    parts: (defaults) => {
      const before = new Map<unknown, string>()
      let last: string | undefined
      return {
        addressOf(invocation) {
          const address = defaults.addressOf(invocation)
          before.set(address.id, last ?? address.groupId)
          last = address.groupId
          return address
        },
        ...alterMessages(defaults, (message) =>
          isResult(message)
            ? { ...message, group_id: before.get(message['id']) ?? message['group_id'] }
            : message,
        ),
      }
    },
  },
  {
    id: 'ids-of-the-last-call',
    description: 'a result carries the id of the last call of its user',
    parts: (defaults) =>
      withLastCall(defaults, (message, last) => ({
        message: { ...message, id: last.id },
      })),
  },
  {
    id: 'url-of-the-last-call',
    description: 'a result goes to the callback URL of the last call of its user',
    parts: (defaults) =>
      withLastCall(defaults, (message, last) => ({
        message,
        url: last.callbackUrl,
      })),
  },
  {
    id: 'calls-kept-by-id',
    description:
      'a call that waits is kept under its id: a later one of another thread takes its place',
    parts: (defaults) => keptBy(defaults, ({ id }) => id),
  },
  {
    id: 'calls-kept-by-thread-and-user',
    description:
      'a call that waits is kept under its thread and its user: a later one of the same turn takes its place',
    parts: (defaults) =>
      keptBy(defaults, ({ groupId, userId }) => JSON.stringify([groupId, userId])),
  },
  // ------------------------------------------------------------- how they travel
  {
    id: 'callback-without-content-type',
    description: 'messages have no content type',
    parts: (defaults) => ({
      post: (message, signal) => defaults.post({ ...message, headers: {} }, signal),
    }),
  },
  {
    id: 'callback-as-plain-text',
    description: 'messages are sent as text/plain',
    parts: (defaults) => ({
      post: (message, signal) =>
        defaults.post({ ...message, headers: { 'content-type': 'text/plain' } }, signal),
    }),
  },
  {
    id: 'callback-by-put',
    description: 'messages are sent by PUT',
    parts: () => ({
      async post({ url, headers, body }, signal) {
        return (await fetch(url, { method: 'PUT', headers, body, signal })).status
      },
    }),
  },
  {
    id: 'callback-url-normalised',
    description: 'the query of the callback URL is parsed and put together again',
    parts: (defaults) =>
      alterCallbackUrl(defaults, (text) => {
        const url = new URL(text)
        url.search = new URLSearchParams(url.search).toString()
        return url.href
      }),
  },
  {
    id: 'callback-url-decoded',
    description: 'the path of the callback URL is percent-decoded',
    parts: (defaults) => alterCallbackUrl(defaults, (text) => text.replaceAll('%2F', '/')),
  },
  {
    id: 'callback-url-without-query',
    description: 'the query of the callback URL is left out',
    parts: (defaults) => alterCallbackUrl(defaults, (text) => text.split('?')[0] ?? ''),
  },
  {
    id: 'callback-never-retried',
    description: 'a message that could not be delivered is given up',
    parts: () => ({ shouldRetry: () => false }),
  },
  {
    id: 'callback-not-retried-on-503',
    description: 'a message is sent again after a lost connection, not after 5xx',
    parts: () => ({ shouldRetry: (status) => status === 'unreachable' }),
  },
  {
    id: 'callback-not-retried-when-cut',
    description: 'a message is sent again after 5xx, not after a lost connection',
    parts: () => ({ shouldRetry: (status) => status !== 'unreachable' && status >= 500 }),
  },
  {
    id: 'error-not-redelivered',
    description: 'an error result whose delivery fails is not sent again',
    parts: ({ deliver }) => ({
      deliver: (delivery, means) =>
        deliver(
          delivery,
          String(delivery.message['text']).startsWith('Error')
            ? { ...means, shouldRetry: () => false }
            : means,
        ),
    }),
  },
  {
    id: 'callback-retried-on-conflict',
    description: 'a delivery is repeated after 409, as after an upstream conflict',
    parts: (defaults) => ({
      shouldRetry: (status) => status === 409 || defaults.shouldRetry(status),
    }),
  },
  {
    id: 'callback-retried-on-404-and-429',
    description: 'a delivery is repeated after answers that seem to be passing: 404, 408, 425, 429',
    parts: (defaults) => ({
      shouldRetry: (status) =>
        [404, 408, 425, 429].includes(Number(status)) || defaults.shouldRetry(status),
    }),
  },
  {
    id: 'oauth-message-retried-on-410',
    description: 'an oauth message is delivered again whatever error it is answered with',
    parts: (defaults) => ({
      deliver: (delivery, means) =>
        defaults.deliver(delivery, {
          ...means,
          shouldRetry: (status) =>
            delivery.message['type'] === 'oauth'
              ? status === 'unreachable' || status >= 400
              : means.shouldRetry(status),
        }),
    }),
  },
  {
    id: 'callback-retried-without-backoff',
    description: 'a delivery that fails is repeated every 400 milliseconds',
    parts: (defaults) => ({
      async deliver(delivery, means) {
        const refused = { ...means, shouldRetry: () => false }
        for (let attempt = 0; attempt < 15; attempt += 1) {
          let failed = false
          const post: typeof means.post = async (message, signal) => {
            const status = await means.post(message, signal).catch(() => 'unreachable' as const)
            failed = means.shouldRetry(status)
            return status === 'unreachable' ? 503 : status
          }
          if (await defaults.deliver(delivery, { ...refused, post })) return true
          if (!failed || means.signal.aborted) return false
          await pause(400)
        }
        return false
      },
    }),
  },
  {
    id: 'error-in-content-only',
    description: 'errors are described in content, and there is no text',
    parts: (defaults) =>
      alterMessages(defaults, ({ text, ...message }) =>
        isResult(message) && String(text).startsWith('Error')
          ? { ...message, content: [{ type: 'text', text }] }
          : { ...message, ...(text === undefined ? {} : { text }) },
      ),
  },
  {
    id: 'callback-retried-on-410',
    description: 'a message that was refused with 4xx is sent again',
    parts: () => ({ shouldRetry: () => true }),
  },
  // ------------------------------------------------------------- how many there are
  {
    id: 'result-sent-twice',
    description: 'the result of the retried operation is sent twice',
    parts: (defaults) => ({
      resumeCall: (retry, sendResult) => defaults.resumeCall(retry, twice(sendResult)),
    }),
  },
  {
    id: 'failure-sent-twice',
    description: 'an error result is sent twice',
    parts: (defaults) => ({
      reportFailure: (error, describeError, sendResult) =>
        defaults.reportFailure(error, describeError, twice(sendResult)),
    }),
  },
  {
    id: 'retried-twice-at-once',
    description:
      'what could not be delivered is tried again by two timers, until each has delivered it',
    parts: (defaults) => ({
      async deliver(delivery, means) {
        let attempts = 0
        const post: typeof means.post = (...request) => {
          attempts += 1
          return means.post(...request)
        }
        const delivered = await defaults.deliver(delivery, { ...means, post })
        if (delivered && attempts > 1) await defaults.deliver(delivery, means)
        return delivered
      },
    }),
  },
  {
    id: 'asks-again-after-failure',
    description: 'the oauth message of a call is sent once more after its error result',
    parts: (defaults) => {
      const asked = new Map<unknown, Message>()
      return {
        async deliver(delivery, means) {
          const { message, url } = delivery
          if (!isResult(message)) asked.set(message['id'], message)
          const delivered = await defaults.deliver(delivery, means)
          const question = asked.get(message['id'])
          if (String(message['text']).startsWith('Error') && question) {
            await defaults.deliver({ url, message: question }, means)
          }
          return delivered
        },
      }
    },
  },
  {
    id: 'denial-remembered',
    description: 'a user who has denied once gets an error instead of being asked again',
    parts: (defaults) => {
      const users = new Map<string, string | null>()
      const denied = new Set<string | null>()
      return {
        newState(call) {
          const state = defaults.newState(call)
          users.set(state, call.userId)
          return state
        },
        validateResponse(provider, query) {
          if (query.get('error') === 'access_denied') {
            denied.add(users.get(query.get('state') ?? '') ?? null)
          }
          return defaults.validateResponse(provider, query)
        },
        checkCall(invocation) {
          const call = defaults.checkCall(invocation)
          if (denied.has(call.userId)) throw new CallFailure('authorization-denied')
          return call
        },
      }
    },
  },
  {
    id: 'empty-error-text',
    description: 'error results have an empty text',
    parts: (defaults) => alterResults(defaults, (text) => (text.startsWith('Error') ? '' : text)),
  },
  {
    id: 'error-is-an-object',
    description: 'error results say what a program writes for an object',
    parts: (defaults) =>
      alterResults(defaults, (text) =>
        text.startsWith('Error') ? 'Error: [object Object]' : text,
      ),
  },
]

function twice(send: (text: string) => Promise<void>): (text: string) => Promise<void> {
  return async (text) => {
    await send(text)
    await send(text)
  }
}

/** Completes the last of the calls that have one key, whichever of them its user has consented to. */
function keptBy(defaults: Parts, keyOf: (call: Call) => string): Partial<Parts> {
  const kept = new Map<string, Call>()
  return {
    newState(call) {
      kept.set(keyOf(call), call)
      return defaults.newState(call)
    },
    async validateState(query, flows, now) {
      const flow = await defaults.validateState(query, flows, now)
      return flow && { ...flow, call: kept.get(keyOf(flow.call)) ?? flow.call }
    },
  }
}

/** Readdresses results with the last call of their user: a session that is kept per user. */
function withLastCall(
  defaults: Parts,
  readdress: (message: Message, last: Address) => { message: Message; url?: string },
): Partial<Parts> {
  const userOf = new Map<unknown, unknown>()
  const lastOf = new Map<unknown, Address>()
  return {
    addressOf(invocation) {
      const address = defaults.addressOf(invocation)
      userOf.set(invocation.id, invocation.user_id)
      lastOf.set(invocation.user_id, address)
      return address
    },
    deliver(delivery, means) {
      const last = lastOf.get(userOf.get(delivery.message['id']))
      if (last === undefined || !isResult(delivery.message))
        return defaults.deliver(delivery, means)
      return defaults.deliver({ ...delivery, ...readdress(delivery.message, last) }, means)
    },
  }
}
