/** Defects: calls that are made again, for the error -32042 and with the input of 2026-07-28. */

import { altering, asFields, isRetry, withParams, type Fields } from '../alter.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'

/** What a call waits for is complete when an id comes that is alike, in whichever way. */
const comparingIds =
  (alike: (got: string, own: string) => boolean) =>
  ({ handlesRequired, onComplete }: Parts): Partial<Parts> => {
    const own = new Set<string>()
    return {
      handlesRequired(requests) {
        for (const { elicitationId } of requests) own.add(elicitationId ?? '')
        return handlesRequired(requests)
      },
      onComplete(id, ...rest) {
        onComplete(id, ...rest)
        for (const each of own) if (alike(id, each)) onComplete(each, ...rest)
      },
    }
  }

export const retryingDefects: readonly Defect[] = [
  {
    id: 'required-error-shown-only',
    description: 'the error -32042 is shown like any other, and its URLs are not',
    parts: () => ({ handlesRequired: () => Promise.resolve(false) }),
  },
  {
    id: 'required-error-for-ever',
    description: 'after consent the call is made again at once, as long as it is refused',
    parts: ({ consent }) => {
      const agreed = new Set<string>()
      return {
        async consent(server, request, ...rest) {
          if (agreed.has(request.url)) return 'accept'
          const decision = await consent(server, request, ...rest)
          if (decision === 'accept') agreed.add(request.url)
          return decision
        },
        mostRounds: () => Infinity,
        waitForCompletion: () => new Promise((resolve) => void setTimeout(resolve, 5)),
      }
    },
  },
  {
    id: 'declined-required-error-for-ever',
    description:
      'what -32042 requires is declined, and the call is made again as long as it is refused',
    parts: ({ consent, handlesRequired, waitForCompletion }) => {
      const required = new Set<string>()
      const declined = new Set<string>()
      return {
        handlesRequired(requests) {
          for (const { url } of requests) required.add(url)
          return handlesRequired(requests)
        },
        async consent(server, request, ...rest) {
          const { url } = request
          if (declined.has(url)) return 'accept'
          const decision = await consent(server, request, ...rest)
          if (decision !== 'decline' || !required.has(url)) return decision
          declined.add(url)
          return 'accept'
        },
        mostRounds: () => Infinity,
        waitForCompletion: (completed) =>
          declined.size === 0
            ? waitForCompletion(completed)
            : new Promise((resolve) => void setTimeout(resolve, 5)),
      }
    },
  },
  {
    id: 'first-required-only',
    description: 'of the URLs that the error -32042 requires only the first one is shown',
    parts: () => ({
      asksFor: (requests) => requests.slice(0, 1),
      waitForCompletion: () => Promise.resolve(),
    }),
  },
  {
    id: 'calls-in-turn',
    description: 'no call begins before the one before it has ended, whatever that waits for',
    parts: () => {
      let before: Promise<void> = Promise.resolve()
      return {
        startCall: (call) => (before = before.then(call)),
      }
    },
  },
  {
    id: 'required-call-without-arguments',
    description: 'after the error -32042 the tool is called again by its name alone',
    parts: (defaults) =>
      alteringNext(defaults, (message) =>
        withParams(message, (params) => ({ ...params, arguments: {} })),
      ),
  },
  {
    id: 'required-call-sent-again',
    description: 'after the error -32042 the message is sent again as it was, its id included',
    parts: (defaults) => alteringNext(defaults, (message, id) => ({ ...message, id })),
  },
  {
    id: 'any-completion-retries',
    description: 'a completion of anything stands for the one that a call waits for',
    parts: comparingIds(() => true),
  },
  {
    id: 'completions-of-any-server',
    description: 'what one server says is complete is complete for every server',
    parts: ({ createCompletions }) => {
      const all = createCompletions()
      return { createCompletions: () => all }
    },
  },
  {
    id: 'completion-ids-begin-alike',
    description: 'completions are told apart by the beginnings of their ids',
    parts: comparingIds((got, own) => got.slice(0, 20) === own.slice(0, 20)),
  },
  {
    id: 'completion-ids-in-any-case',
    description: 'capital letters in the id of a completion are taken for small ones',
    parts: comparingIds((got, own) => got.toLowerCase() === own.toLowerCase()),
  },
  {
    id: 'state-normalised',
    description: 'white space in requestState is made alike before it is sent back',
    parts: (defaults) => alteringState(defaults, (state) => state.replace(/\s+/g, ' ')),
  },
  {
    id: 'state-composed',
    description: 'letters and accents in requestState are composed (NFC) before it is sent back',
    parts: (defaults) => alteringState(defaults, (state) => state.normalize('NFC')),
  },
  {
    id: 'empty-state-left-out',
    description: 'a requestState that is empty is taken for none',
    parts: (defaults) => alteringState(defaults, (state) => (state === '' ? undefined : state)),
  },
  {
    id: 'state-trimmed',
    description: 'white space around requestState is taken away before it is sent back',
    parts: (defaults) => alteringState(defaults, (state) => state.trim()),
  },
  {
    id: 'state-cut',
    description: 'of a requestState no more than 2048 characters are kept',
    parts: (defaults) => alteringState(defaults, (state) => state.slice(0, 2048)),
  },
  {
    id: 'state-parsed',
    description: 'a requestState that is JSON is kept as the value that it means',
    parts: (defaults) => alteringState(defaults, (state) => JSON.stringify(JSON.parse(state))),
  },
  {
    id: 'state-of-the-call-before',
    description: 'a retry for which there is no requestState carries the latest one there was',
    parts: (defaults) => {
      let latest: unknown
      return altering(defaults, {
        outgoing(message) {
          if (!isRetry(message)) return message
          latest = asFields(message['params'])['requestState'] ?? latest
          return latest === undefined
            ? message
            : withParams(message, (params) => ({ ...params, requestState: latest }))
        },
      })
    },
  },
  {
    id: 'latest-state-for-all-calls',
    description: 'every retry carries the requestState that came last, whichever call it was for',
    parts: (defaults) => {
      let latest: unknown
      return altering(defaults, {
        incoming(message) {
          const { resultType, requestState } = asFields(message['result'])
          if (resultType === 'input_required') latest = requestState
          return message
        },
        outgoing: (message) =>
          isRetry(message)
            ? withParams(message, (params) => ({ ...params, requestState: latest }))
            : message,
      })
    },
  },
  {
    id: 'last-state-kept',
    description: 'a retry without a state of its own carries that of the round before',
    parts: (defaults) => keepingStates(defaults, (own, before) => own ?? before.at(-1)),
  },
  {
    id: 'first-state-kept',
    description: 'every retry of a call carries the requestState of its first round',
    parts: (defaults) =>
      keepingStates(defaults, (own, before) => (before.length > 0 ? before[0] : own)),
  },
  {
    id: 'state-invented',
    description: 'a retry has a requestState also where the server gave none',
    parts: (defaults) =>
      altering(defaults, {
        outgoing: (message) =>
          isRetry(message)
            ? withParams(message, (params) => ({ requestState: '', ...params }))
            : message,
      }),
  },
  {
    id: 'state-kept',
    description: 'the requestState of one call is sent with the next one, too',
    parts: (defaults) => {
      let kept: unknown
      return altering(defaults, {
        outgoing(message) {
          if (message['method'] !== 'tools/call') return message
          kept = asFields(message['params'])['requestState'] ?? kept
          return kept === undefined || isRetry(message)
            ? message
            : withParams(message, (params) => ({ ...params, requestState: kept }))
        },
      })
    },
  },
  {
    id: 'arguments-left-out',
    description: 'the retry has the input that was asked for, and no arguments',
    parts: (defaults) =>
      altering(defaults, {
        outgoing: (message) =>
          isRetry(message)
            ? withParams(message, (params) => ({ ...params, arguments: {} }))
            : message,
      }),
  },
  {
    id: 'id-reused',
    description: 'the retry has the id of the request that it repeats',
    parts: (defaults) => {
      let first: unknown
      const ids = new Map<unknown, unknown>()
      return altering(defaults, {
        outgoing(message) {
          if (message['method'] !== 'tools/call') return message
          if (!isRetry(message)) {
            first = message['id']
            return message
          }
          ids.set(first, message['id'])
          return { ...message, id: first }
        },
        incoming: (message) =>
          'result' in message && ids.has(message['id'])
            ? { ...message, id: ids.get(message['id']) }
            : message,
      })
    },
  },
  {
    id: 'keys-rewritten',
    description: 'the keys of the answers are rewritten in lower case and with hyphens',
    parts: (defaults) =>
      altering(defaults, {
        outgoing: (message) =>
          isRetry(message)
            ? withParams(message, (params) => ({
                ...params,
                inputResponses: Object.fromEntries(
                  Object.entries(asFields(params['inputResponses'])).map(([key, answer]) => [
                    key.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
                    answer,
                  ]),
                ),
              }))
            : message,
      }),
  },
]

/** The state of every retry comes back as `alter` makes it. */
function alteringState(
  defaults: Parts,
  alter: (state: string) => string | undefined,
): Partial<Parts> {
  return altering(defaults, {
    outgoing: (message) =>
      isRetry(message)
        ? withParams(message, ({ requestState, ...params }) => ({
            ...params,
            ...(typeof requestState === 'string' ? { requestState: alter(requestState) } : {}),
          }))
        : message,
  })
}

/** The next call of a tool after one that was refused with -32042 goes out as `alter` makes it; whatever its id is, it is answered. */
function alteringNext(
  defaults: Parts,
  alter: (message: Fields, refused: unknown) => Fields,
): Partial<Parts> {
  let refused: unknown
  const ids = new Map<unknown, unknown>()
  return altering(defaults, {
    outgoing(message) {
      if (message['method'] !== 'tools/call' || refused === undefined) return message
      const altered = alter(message, refused)
      refused = undefined
      ids.set(altered['id'], message['id'])
      return altered
    },
    incoming(message) {
      if ('method' in message) return message
      if (asFields(message['error'])['code'] === -32042) refused = message['id']
      return ids.has(message['id']) ? { ...message, id: ids.get(message['id']) } : message
    },
  })
}

/** A retry carries what is chosen of its own state and those that the retries of its call have carried before. */
function keepingStates(
  defaults: Parts,
  choose: (own: unknown, before: readonly unknown[]) => unknown,
): Partial<Parts> {
  const carried = new Map<string, unknown[]>()
  return altering(defaults, {
    outgoing(message) {
      if (!isRetry(message)) return message
      return withParams(message, (params) => {
        const call = JSON.stringify(params['arguments'])
        const before = carried.get(call) ?? []
        const state = choose(params['requestState'], before)
        carried.set(call, [...before, state])
        return state === undefined ? params : { ...params, requestState: state }
      })
    },
  })
}
