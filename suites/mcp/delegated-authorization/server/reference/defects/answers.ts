/** Defects of what is made of the client's answer. */

import type { AuthResult } from '../ask-client.ts'
import { CallFailure, type FailureCode } from '../failure.ts'
import type { Flow } from '../oauth.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from '../variation.ts'
import { alterCallback, alterForm, alterRequest, alterUrl, forever } from './alter.ts'

/** Calls that fail for one of these reasons are never answered. */
const hanging = (...codes: readonly FailureCode[]): Pick<Parts, 'attempt'> => ({
  attempt: (authorize) =>
    authorize().catch((error: unknown) =>
      error instanceof CallFailure && codes.includes(error.code)
        ? forever()
        : Promise.reject(error),
    ),
})

/** Calls that fail with one of these errors are never answered. */
const hangingAt = (lost: WeakSet<object>): Pick<Parts, 'attempt'> => ({
  attempt: (authorize) =>
    authorize().catch((error: unknown) =>
      error instanceof CallFailure && lost.has(error) ? forever() : Promise.reject(error),
    ),
})

/** Calls whose callback is refused, and is such a one, are never answered. */
function hangingWhere(
  defaults: Parts,
  isSuch: (query: URLSearchParams, flow: Flow, issuer: string) => boolean,
): Partial<Parts> {
  const lost = new WeakSet<object>()
  return {
    readCallback(provider, flow, query) {
      try {
        return defaults.readCallback(provider, flow, query)
      } catch (error) {
        if (error instanceof CallFailure && isSuch(query, flow, provider.server.issuer))
          lost.add(error)
        throw error
      }
    },
    ...hangingAt(lost),
  }
}

export const answerDefects: readonly Defect[] = [
  {
    id: 'declined-call-hangs',
    description: 'a call whose user declines is never answered',
    parts: () => hanging('declined'),
  },
  {
    id: 'denied-call-hangs',
    description: 'a call whose user denies at the provider is never answered',
    parts: () => hanging('denied'),
  },
  {
    id: 'asks-until-granted',
    description: 'whoever declines or denies is asked again, until they grant it',
    parts: () => ({
      async attempt(authorize) {
        for (;;) {
          try {
            return await authorize()
          } catch (error) {
            const isRefusal =
              error instanceof CallFailure && ['declined', 'denied'].includes(error.code)
            if (!isRefusal) throw error
          }
        }
      },
    }),
  },
  {
    id: 'errors-of-the-provider-hang',
    description: 'a call that the provider ends by another error is never answered',
    parts: () => hanging('authorization-failed'),
  },
  {
    id: 'refusals-as-empty-lists',
    description: 'where nothing is granted, the result is that of a user who has no items',
    parts: (defaults) => ({
      describeFailure(error) {
        const refusals = ['declined', 'denied', 'cannot-ask']
        return error instanceof CallFailure && refusals.includes(error.code)
          ? defaults.describeItems([])
          : defaults.describeFailure(error)
      },
    }),
  },
  // ------------------------------------------------------------- what is refused
  {
    id: 'mismatched-callback-hangs',
    description: 'a call whose callback has not its state is never answered',
    parts: (defaults) => hangingWhere(defaults, (query, { state }) => query.get('state') !== state),
  },
  {
    id: 'wrong-issuer-hangs',
    description: 'a call whose callback does not name the provider is never answered',
    parts: (defaults) =>
      hangingWhere(defaults, (query, { state }, issuer) => {
        return query.get('state') === state && query.get('iss') !== issuer
      }),
  },
  {
    id: 'unreadable-callback-hangs',
    description: 'a call whose callback has neither code nor error is never answered',
    parts: (defaults) =>
      hangingWhere(defaults, (query, { state }) => {
        return query.get('state') === state && !query.has('code') && !query.has('error')
      }),
  },
  {
    id: 'callback-elsewhere-hangs',
    description:
      'options have their ports, and a call whose callback came elsewhere is never answered',
    parts: (defaults) => {
      const lost = new WeakSet<object>()
      return {
        redirectOptions: (uris) => [...uris],
        selectedRedirect(...args) {
          const selected = defaults.selectedRedirect(...args)
          if (selected !== undefined) return selected
          const refused = new CallFailure('callback-refused')
          lost.add(refused)
          throw refused
        },
        ...hangingAt(lost),
      }
    },
  },
  // ------------------------------------------------------------- where it came to
  {
    id: 'callback-anywhere',
    description: 'a callback is redeemed wherever it came to',
    parts: (defaults) => ({
      selectedRedirect: (callback, options, requested) =>
        defaults.selectedRedirect(callback, options, requested) ?? requested,
    }),
  },
  {
    id: 'callback-of-the-same-origin',
    description: 'of the callback only the origin is compared',
    parts: (defaults) => ({
      selectedRedirect: (callback, options, requested) =>
        defaults.selectedRedirect(callback, options, requested) ??
        (new URL(callback).origin === new URL(requested).origin ? requested : undefined),
    }),
  },
  {
    id: 'callback-in-any-case',
    description: 'the callback is compared without regard to case',
    parts: (defaults) => ({
      selectedRedirect: (callback, options, requested) =>
        defaults.selectedRedirect(callback, options, requested) ??
        defaults.selectedRedirect(callback.toLowerCase(), options, requested),
    }),
  },
  {
    id: 'callback-by-host-and-path',
    description:
      'options have their ports, and of the callback only host name and path are compared',
    parts: (defaults) => ({
      redirectOptions: (uris) => [...uris],
      selectedRedirect(callback, options, requested) {
        const [came, due] = [new URL(callback), new URL(requested)]
        const isAlike = came.hostname === due.hostname && came.pathname === due.pathname
        return (
          defaults.selectedRedirect(callback, options, requested) ??
          (isAlike ? requested : undefined)
        )
      },
    }),
  },
  {
    id: 'callback-that-begins-alike',
    description: 'of the callback only the path is compared, and how its origin begins',
    parts: (defaults) => ({
      selectedRedirect(callback, options, requested) {
        const { origin, pathname } = new URL(requested)
        const isAlike = callback.startsWith(origin) && new URL(callback).pathname === pathname
        return (
          defaults.selectedRedirect(callback, options, requested) ??
          (isAlike ? requested : undefined)
        )
      },
    }),
  },
  {
    id: 'localhost-for-loopback',
    description: 'a callback at localhost is taken for one at 127.0.0.1',
    parts: (defaults) => ({
      selectedRedirect: (callback, ...offered) =>
        defaults.selectedRedirect(callback.replace('//localhost', '//127.0.0.1'), ...offered),
    }),
  },
  {
    id: 'callback-anywhere-without-options',
    description: 'no options are offered, and a callback is redeemed wherever it came to',
    parts: (defaults) => ({
      ...alterRequest(defaults, (params) => ({ ...params, redirect_uri_options: undefined })),
      selectedRedirect: (_callback, _options, requested) => requested,
    }),
  },
  {
    id: 'own-redirect-uri-repeated',
    description: 'the token request names the redirect URI of the request, whatever was selected',
    parts: (defaults) => ({
      selectedRedirect: (...args) => defaults.selectedRedirect(...args) && args[2],
    }),
  },
  // ------------------------------------------------------------- whose it is
  {
    id: 'one-flow-per-session',
    description: 'what a session asks for takes the place of what it has asked for before',
    parts: (defaults) => {
      const latest = new WeakMap<object, string>()
      return {
        async sendAuthRequest(call, params, timeout) {
          latest.set(call.server, params.url)
          const answer = await defaults.sendAuthRequest(call, params, timeout)
          if (latest.get(call.server) !== params.url) throw new CallFailure('callback-refused')
          return answer
        },
      }
    },
  },
  {
    id: 'flows-by-state',
    description: 'a callback is redeemed for the flow that its state belongs to, whoever brings it',
    parts: (defaults) => {
      const flows = new Map<string, Flow>()
      return {
        newFlow() {
          const flow = defaults.newFlow()
          flows.set(flow.state, flow)
          return flow
        },
        flowOf(asked, query) {
          const state = query.get('state') ?? ''
          const found = flows.get(state)
          flows.delete(state)
          return found ?? asked
        },
      }
    },
  },
  {
    id: 'callback-goes-by-state',
    description:
      'without PKCE, a callback ends the call that its state belongs to, whoever brings it',
    parts: (defaults) => {
      const waiting = new Map<string, (answer: AuthResult) => void>()
      return {
        ...alterUrl(defaults, (query) => {
          query.delete('code_challenge')
          query.delete('code_challenge_method')
        }),
        ...alterForm(defaults, (form) => form.delete('code_verifier')),
        async sendAuthRequest(call, params, timeout) {
          const own = new URL(params.url).searchParams.get('state') ?? ''
          const other = new Promise<AuthResult>((resolve) => waiting.set(own, resolve))
          const answering = defaults.sendAuthRequest(call, params, timeout).then((answer) => {
            const state = answer.url && new URL(answer.url).searchParams.get('state')
            const owner = state && state !== own ? waiting.get(state) : undefined
            owner?.(answer)
            return owner ? {} : answer
          })
          return Promise.race([answering, other])
        },
      }
    },
  },
  {
    id: 'state-ignored',
    description: 'the state of the callback is not looked at',
    parts: (defaults) => alterCallback(defaults, (query, state) => query.set('state', state)),
  },
  {
    id: 'state-ignored-after-denial',
    description: 'of users who have denied once the state of callbacks is not looked at any more',
    parts: ({ sendAuthRequest }) => {
      const denied = new Set<string>()
      return {
        async sendAuthRequest(call, params, timeout) {
          const answer = await sendAuthRequest(call, params, timeout)
          if (answer.url === undefined) return answer
          const url = new URL(answer.url)
          const own = new URL(params.url).searchParams.get('state') ?? ''
          if (denied.has(call.subject)) url.searchParams.set('state', own)
          if (url.searchParams.has('error')) denied.add(call.subject)
          return { ...answer, url: url.href }
        },
      }
    },
  },
  {
    id: 'state-ignored-at-options',
    description: 'the state of a callback that came to another option is not looked at',
    parts: ({ sendAuthRequest }) => ({
      async sendAuthRequest(call, params, timeout) {
        const answer = await sendAuthRequest(call, params, timeout)
        if (answer.url === undefined) return answer
        const url = new URL(answer.url)
        const own = new URL(params.url).searchParams
        if (!answer.url.startsWith(`${own.get('redirect_uri')}?`))
          url.searchParams.set('state', own.get('state') ?? '')
        return { ...answer, url: url.href }
      },
    }),
  },
  {
    id: 'state-compared-when-present',
    description: 'a callback without state is taken for the right one',
    parts: (defaults) =>
      alterCallback(defaults, (query, state) => {
        if (!query.has('state')) query.set('state', state)
      }),
  },
  {
    id: 'state-with-more',
    description: 'of a state what follows the right one is not looked at',
    parts: (defaults) =>
      alterCallback(defaults, (query, state) => {
        if (query.get('state')?.startsWith(state)) query.set('state', state)
      }),
  },
  {
    id: 'state-in-any-case',
    description: 'upper and lower case of a state are one',
    parts: (defaults) =>
      alterCallback(defaults, (query, state) => {
        if (query.get('state')?.toLowerCase() === state.toLowerCase()) query.set('state', state)
      }),
  },
  {
    id: 'code-before-error',
    description: 'a callback that has a code is redeemed, whether or not it has an error as well',
    parts: (defaults) =>
      alterCallback(defaults, (query) => {
        if (query.has('code')) query.delete('error')
      }),
  },
  {
    id: 'issuer-not-compared',
    description: 'the iss of the callback is not looked at',
    parts: (defaults) => alterCallback(defaults, (query, _, issuer) => query.set('iss', issuer)),
  },
  {
    id: 'issuer-compared-once',
    description: 'the iss of a callback is compared until a user has authorized',
    parts: ({ sendAuthRequest }) => {
      const seen = new Map<string, string>()
      return {
        async sendAuthRequest(call, params, timeout) {
          const answer = await sendAuthRequest(call, params, timeout)
          if (answer.url === undefined) return answer
          const url = new URL(answer.url)
          const known = seen.get(call.subject) ?? url.searchParams.get('iss')
          if (known === null) return answer
          seen.set(call.subject, known)
          url.searchParams.set('iss', known)
          return { ...answer, url: url.href }
        },
      }
    },
  },
]
