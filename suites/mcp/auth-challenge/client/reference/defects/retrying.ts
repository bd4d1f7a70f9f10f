/** Defects: when a call is made again, and how. */

import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'

/** Milliseconds between two tries of who does not wait. */
const pause = 200

/** Whether a request calls a tool. */
function isToolCall({ body }: RequestInit = {}): boolean {
  return typeof body === 'string' && body.includes('tools/call')
}

/** Whether a message of JSON-RPC wants an answer (JSON-RPC 2.0 §4). */
function isRequest({ body }: RequestInit): boolean {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message
}

/** Does something more where a step fails, which fails all the same. */
function afterFailure<Given extends readonly unknown[], Result>(
  step: (...given: Given) => Promise<Result>,
  more: () => Promise<unknown>,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    try {
      return await step(...given)
    } catch (error) {
      await more()
      throw error
    }
  }
}

export const retryingDefects: readonly Defect[] = [
  {
    id: 'retry-forgotten',
    description: 'after the flow its user has to call again',
    parts: ({ authorize }) => ({
      async authorize(signIn) {
        await authorize(signIn)
        throw new Error('signed in, please call again')
      },
    }),
  },
  {
    id: 'retried-once-more',
    description: 'a call that was made again is made a third time, to be sure',
    parts: ({ send }) => {
      const sent: RequestInit[] = []
      return {
        async send(url, init) {
          const response = await send(url, init)
          const isRetry = isToolCall(init) && new Headers(init?.headers).has('authorization')
          if (isRetry && sent.push(init ?? {}) === 1) await (await send(url, init)).body?.cancel()
          return response
        },
      }
    },
  },
  {
    id: 'arguments-forgotten',
    description: 'the call is made again without its arguments',
    parts: ({ authorize, argumentsOf }) => {
      let again = false
      return {
        async authorize(signIn) {
          await authorize(signIn)
          again = true
        },
        argumentsOf: (args) => (again ? {} : argumentsOf(args)),
      }
    },
  },
  {
    id: 'one-call-waits',
    description: 'a call that is challenged while its user signs in for another one is dropped',
    parts: ({ authorize }) => {
      let isBusy = false
      return {
        async authorize(signIn) {
          if (isBusy) return new Promise(() => undefined)
          isBusy = true
          await authorize(signIn).finally(() => (isBusy = false))
        },
      }
    },
  },
  {
    id: 'arguments-as-texts',
    description: 'the call is made again with a text in the place of every argument',
    parts: ({ authorize, argumentsOf }) => {
      let again = false
      return {
        async authorize(signIn) {
          await authorize(signIn)
          again = true
        },
        argumentsOf(args) {
          const own = Object.entries(argumentsOf(args))
          return again
            ? Object.fromEntries(own.map(([name, value]) => [name, String(value)]))
            : args
        },
      }
    },
  },
  {
    id: 'token-forgotten',
    description:
      'the token is for the call that was challenged, and its user signs in for every one',
    parts: ({ challengesIn, onTokens, tokenFor }) => {
      let served = false
      return {
        challengesIn(result) {
          const found = challengesIn(result)
          served ||= found.length === 0
          return found
        },
        onTokens(tokens) {
          served = false
          onTokens(tokens)
        },
        tokenFor: (endpoint, own) => (served ? undefined : tokenFor(endpoint, own)),
      }
    },
  },
  {
    id: 'token-for-calls-only',
    description: 'calls of tools carry the token, and nothing else does',
    parts: ({ send }) => ({
      send(url, init) {
        const headers = new Headers(init?.headers)
        if (!isToolCall(init)) headers.delete('authorization')
        return send(url, { ...init, headers })
      },
    }),
  },
  {
    id: 'token-for-requests-only',
    description: 'notifications, and answers to requests of the server, do not carry the token',
    parts: ({ send }) => ({
      send(url, init) {
        const headers = new Headers(init?.headers)
        if (init?.method === 'POST' && !isRequest(init)) headers.delete('authorization')
        return send(url, { ...init, headers })
      },
    }),
  },
  {
    id: 'repeats-with-undefined',
    description: 'the call is repeated at once, with the token that there is not yet',
    parts: ({ authorize, ...defaults }) => {
      const { send, repeat } = remembering(defaults, { authorization: 'Bearer undefined' })
      return {
        send,
        async authorize(signIn) {
          await repeat()
          await authorize(signIn)
        },
      }
    },
  },
  {
    id: 'polls-meanwhile',
    description: 'while its user signs in, the call is tried again and again',
    parts: ({ authorize, ...defaults }) => {
      const { send, repeat } = remembering(defaults)
      return {
        send,
        async authorize(signIn) {
          const timer = setInterval(() => void repeat(), pause)
          try {
            await authorize(signIn)
          } catch (error) {
            // That it has failed is noticed one try later.
            await repeat()
            throw error
          } finally {
            clearInterval(timer)
          }
        },
      }
    },
  },
  {
    id: 'retried-after-failure',
    description: 'a call whose user could not be signed in is made again as it was',
    parts: ({ authorize, ...defaults }) => {
      const { send, repeat } = remembering(defaults)
      return { send, authorize: afterFailure(authorize, repeat) }
    },
  },
  {
    id: 'retried-after-failed-exchange',
    description: 'a call whose code could not be exchanged is made again as it was',
    parts: ({ exchange, ...defaults }) => {
      const { send, repeat } = remembering(defaults)
      return { send, exchange: afterFailure(exchange, repeat) }
    },
  },
  {
    id: 'never-gives-up',
    description: 'a new token is fetched as often as one is refused',
    parts: () => ({ mostRounds: () => Infinity }),
  },
  {
    id: 'denial-asked-again',
    description: 'whoever has denied is sent to sign in once more',
    parts: ({ authorize }) => ({
      authorize: (signIn) => authorize(signIn).catch(() => authorize(signIn)),
    }),
  },
  {
    id: 'denial-untold',
    description: 'a flow that fails leaves its user without a word',
    parts: ({ authorize }) => ({
      authorize: (signIn) => authorize(signIn).catch(() => new Promise(() => undefined)),
    }),
  },
]

/** Sends as before, and can make the last call of a tool once more, as it was. */
function remembering(
  { send }: Pick<Parts, 'send'>,
  further: Readonly<Record<string, string>> = {},
) {
  let last: (() => Promise<Response>) | undefined
  return {
    send: (url, init) => {
      if (isToolCall(init)) {
        const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...further }
        last = () => send(url, { ...init, headers })
      }
      return send(url, init)
    },
    repeat: async (): Promise<void> => (await last?.())?.body?.cancel(),
  } satisfies Pick<Parts, 'send'> & { readonly repeat: () => Promise<void> }
}
