/** Shared ways to change what passes through a step, so that each defect states the change alone. */

import type { ShownEvent } from '../events.ts'
import type { ChatMessage } from '../history.ts'
import type { Invocation } from '../invocation.ts'
import type { Parts } from '../parts.ts'
import type { Call, Message } from '../records.ts'
import type { Store } from '../store.ts'

/** Changes every invocation on its way out. */
export function alterInvocations(
  defaults: Parts,
  change: (invocation: Invocation, call: Call) => object,
) {
  return {
    buildInvocation(call, args, callbackUrl) {
      const invocation = defaults.buildInvocation(call, args, callbackUrl)
      return { ...invocation, ...change(invocation, call) }
    },
  } satisfies Partial<Parts>
}

/** Changes the authorization URL that the user is shown. */
export function alterShownUrl(defaults: Parts, change: (url: string) => string) {
  return {
    surfaceAuthUrl: (call, authUrl) => defaults.surfaceAuthUrl(call, change(authUrl)),
  } satisfies Partial<Parts>
}

/** Changes some of what the store does. */
export function alterStore(defaults: Parts, change: (store: Store) => Partial<Store>) {
  return {
    openStore(dataDir) {
      const store = defaults.openStore(dataDir)
      return { ...store, ...change(store) }
    },
  } satisfies Partial<Parts>
}

/** Changes what who comes back is shown, knowing the link that came while no stream was open, if there was one. */
export function alterReplay(
  defaults: Parts,
  change: (events: readonly ShownEvent[], missed: ShownEvent | undefined) => readonly ShownEvent[],
) {
  const streams = new Map<string, number>()
  const missed = new Map<string, ShownEvent>()
  const count = (conversation: string, by: number): void =>
    void streams.set(conversation, (streams.get(conversation) ?? 0) + by)
  return {
    ...alterStore(defaults, (store) => ({
      eventsAfter(conversation, after) {
        count(conversation, 1)
        const link = missed.get(conversation)
        missed.delete(conversation)
        return [...change(store.eventsAfter(conversation, after), link)]
      },
    })),
    userLeft: (_, conversation) => count(conversation, -1),
    surfaceAuthUrl(call, url) {
      const surfaced = defaults.surfaceAuthUrl(call, url)
      const { conversation, event } = surfaced
      if (!streams.get(conversation)) missed.set(conversation, { seq: 0, ...event, url })
      return surfaced
    },
  } satisfies Partial<Parts>
}

/** Changes what the model gets to read. */
export function alterHistory(
  defaults: Parts,
  change: (history: readonly ChatMessage[]) => readonly ChatMessage[],
) {
  return {
    historyForModel: (messages, informModel) => [
      ...change(defaults.historyForModel(messages, informModel)),
    ],
  } satisfies Partial<Parts>
}

/** The message with a made-up result for each of its calls that has none. */
export function answered(message: Message, textFor: (call: Call) => string): Message {
  return {
    ...message,
    calls: message.calls.map((call) =>
      call.state === 'settled' ? call : { ...call, state: 'settled', results: [textFor(call)] },
    ),
  }
}

/** Changes the body of a callback before it is validated; one that is no JSON object stays as it is. */
export function alterCallbacks(
  defaults: Parts,
  change: (message: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
) {
  return {
    validateCallback(body) {
      const message = parseObject(body)
      return defaults.validateCallback(message ? JSON.stringify(change(message)) : body)
    },
  } satisfies Partial<Parts>
}

/** Changes the items of a result with content before they are looked at. */
export function alterContent(
  defaults: Parts,
  change: (items: readonly ContentItem[]) => readonly ContentItem[],
): Partial<Parts> {
  return alterCallbacks(defaults, (message) =>
    Array.isArray(message['content'])
      ? { ...message, content: change(message['content'] as readonly ContentItem[]) }
      : message,
  )
}

interface ContentItem {
  readonly type: string
  readonly text?: string
}

/** Keeps every invocation that was sent, so that it can be sent once more by the id of its call. */
export function rememberInvocations(defaults: Parts) {
  const sent = new Map<string, Parameters<Parts['postInvocation']>>()
  const postInvocation: Parts['postInvocation'] = (...invoked) => {
    sent.set(invoked[0].id, invoked)
    return defaults.postInvocation(...invoked)
  }
  const sendAgain = (id: string): void => {
    const invoked = sent.get(id)
    if (invoked) void defaults.postInvocation(...invoked)
  }
  return { postInvocation, sendAgain }
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Ids of calls that count from one wherever something new begins. */
export function countIds(
  beginning: (...of: Parameters<Parts['newId']>) => unknown,
  prefix = 'call',
) {
  const counts = new Map<unknown, number>()
  return {
    newId(of) {
      const count = (counts.get(beginning(of)) ?? 0) + 1
      counts.set(beginning(of), count)
      return `${prefix}_${count}`
    },
  } satisfies Partial<Parts>
}
