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
]
