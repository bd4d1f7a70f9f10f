/** Defects of when and how the client is asked. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { CallFailure } from '../failure.ts'
import type { Flow } from '../oauth.ts'
import type { Defect } from '../variation.ts'
import { alterRequest, alterUrl, forever } from './alter.ts'

export const askingDefects: readonly Defect[] = [
  {
    id: 'asks-everybody',
    description: 'clients are asked whatever they have declared',
    parts: () => ({ canAsk: () => true }),
  },
  {
    id: 'capability-of-any-session',
    description: 'what one client has declared counts for all',
    parts: (defaults) => {
      let declared = false
      return { canAsk: (capabilities) => (declared ||= defaults.canAsk(capabilities)) }
    },
  },
  {
    id: 'capability-of-an-earlier-session',
    description: 'what one client of a user has declared counts for all of that user',
    parts: ({ attempt, canAsk }) => {
      const declared = new Set<string>()
      const calling = new AsyncLocalStorage<string>()
      return {
        attempt: (authorize, call) => calling.run(call.subject, () => attempt(authorize, call)),
        canAsk(capabilities) {
          const user = calling.getStore() ?? ''
          if (canAsk(capabilities)) declared.add(user)
          return declared.has(user)
        },
      }
    },
  },
  {
    id: 'errors-of-its-own-hang',
    description: 'an error of the client whose code JSON-RPC leaves to it ends nothing',
    parts: ({ sendAuthRequest }) => ({
      sendAuthRequest: (...asked) =>
        sendAuthRequest(...asked).catch((error: unknown) => {
          const { code } = error as { readonly code?: unknown }
          if (code === -32000) return forever()
          throw error
        }),
    }),
  },
  {
    id: 'hangs-without-capability',
    description: 'a call whose client cannot be asked is never answered',
    parts: (defaults) => ({
      attempt: (authorize, call) => (defaults.canAsk(call.capabilities) ? authorize() : forever()),
    }),
  },
  {
    id: 'request-without-message',
    description: 'auth/request says nothing to the user',
    parts: (defaults) => alterRequest(defaults, (params) => ({ ...params, message: undefined })),
  },
  {
    id: 'options-as-text',
    description: 'redirect_uri_options is a text, not a list',
    parts: (defaults) =>
      alterRequest(defaults, ({ redirect_uri_options: options = [], ...others }) => ({
        ...others,
        redirect_uri_options: options.join(' '),
      })),
  },
  {
    id: 'connect-page',
    description: 'the url is a page of the server that leads on to the provider',
    parts: (defaults) => {
      const pages = new Map<string, string>()
      let publicUrl = ''
      return {
        discoverProvider(config, fetch) {
          ;({ publicUrl } = config)
          return defaults.discoverProvider(config, fetch)
        },
        async authorizationUrl(...args) {
          const path = `/connect/${pages.size + 1}`
          pages.set(path, await defaults.authorizationUrl(...args))
          return publicUrl + path
        },
        openPage(request) {
          const location = pages.get(new URL(request.url).pathname)
          return location === undefined
            ? defaults.openPage(request)
            : new Response(null, { status: 302, headers: { location } })
        },
      }
    },
  },
  {
    id: 'option-not-registered',
    description: 'a redirect URI is offered that the provider does not know',
    parts: (defaults) => ({
      redirectOptions: (uris) => [
        ...defaults.redirectOptions(uris),
        'https://items.example/callback',
      ],
    }),
  },
  {
    id: 'errors-of-clients-ignored',
    description: 'a client that answers with an error is waited for all the same',
    parts: (defaults) => ({
      sendAuthRequest: (...args) => defaults.sendAuthRequest(...args).catch(() => forever()),
    }),
  },
  {
    id: 'knows-one-error',
    description: 'of the errors of clients only -32601 ends the call',
    parts: (defaults) => ({
      sendAuthRequest: (...args) =>
        defaults
          .sendAuthRequest(...args)
          .catch((error: unknown) =>
            error instanceof Error && 'code' in error && error.code === -32601
              ? Promise.reject(error)
              : forever(),
          ),
    }),
  },
  {
    id: 'deaf-after-error',
    description: 'after an error of its client no call of that user is answered',
    parts: () => {
      const lost = new Set<string>()
      return {
        attempt(authorize, { subject }) {
          if (lost.has(subject)) return forever()
          return authorize().catch((error: unknown) => {
            if (error instanceof CallFailure && error.code === 'cannot-ask') lost.add(subject)
            throw error
          })
        },
      }
    },
  },
  {
    id: 'client-secret-in-url',
    description: 'the secret of the client is in the authorization URL',
    parts: (defaults) => {
      let secret = ''
      return {
        discoverProvider(config, fetch) {
          secret = config.clientSecret
          return defaults.discoverProvider(config, fetch)
        },
        ...alterUrl(defaults, (query) => query.set('client_secret', secret)),
      }
    },
  },
  {
    id: 'verifier-in-request',
    description: 'auth/request has the code verifier as another member',
    parts: (defaults) => {
      const verifiers: string[] = []
      return {
        pkceParameters(verifier) {
          verifiers.push(verifier)
          return defaults.pkceParameters(verifier)
        },
        ...alterRequest(defaults, (params) => ({ ...params, code_verifier: verifiers.at(-1) })),
      }
    },
  },
  {
    id: 'pkce-missing',
    description: 'there is no code challenge, and no verifier',
    parts: (defaults) => ({
      ...alterUrl(defaults, (query) => {
        query.delete('code_challenge')
        query.delete('code_challenge_method')
      }),
      async exchangeCode(provider, grant) {
        const fetch: typeof provider.fetch = (url, init = {}) => {
          const form = new URLSearchParams(init.body instanceof URLSearchParams ? init.body : '')
          form.delete('code_verifier')
          return provider.fetch(url, { ...init, body: form })
        }
        return defaults.exchangeCode({ ...provider, fetch }, grant)
      },
    }),
  },
  {
    id: 'state-counted',
    description: 'states are counted, from the time of the start',
    parts: (defaults) => {
      // By thousands: processes that count beside each other never meet.
      let flows = Date.now() * 1000
      return { newFlow: () => ({ ...defaults.newFlow(), state: `state-${++flows}` }) }
    },
  },
  {
    id: 'state-of-the-session',
    description: 'each session has a state, which all of its flows use',
    parts: (defaults) => {
      const states = new WeakMap<object, string>()
      return {
        async sendAuthRequest(call, params, timeout) {
          const url = new URL(params.url)
          const own = url.searchParams.get('state') ?? ''
          const kept = states.get(call.server) ?? own
          states.set(call.server, kept)
          url.searchParams.set('state', kept)
          const answer = await defaults.sendAuthRequest(call, { ...params, url: url.href }, timeout)
          if (answer.url === undefined || !URL.canParse(answer.url)) return answer
          const callback = new URL(answer.url)
          if (callback.searchParams.get('state') !== kept) return answer
          callback.searchParams.set('state', own)
          return { ...answer, url: callback.href }
        },
      }
    },
  },
  {
    id: 'flow-kept-for-the-session',
    description: 'each session has a flow, with which it asks again after it was redeemed',
    parts: (defaults) => {
      const asking = new AsyncLocalStorage<object>()
      const flows = new WeakMap<object, Flow>()
      return {
        attempt: (authorize, { server }) => asking.run(server, authorize),
        newFlow() {
          const session = asking.getStore() ?? {}
          const flow = flows.get(session) ?? defaults.newFlow()
          flows.set(session, flow)
          return flow
        },
      }
    },
  },
  {
    id: 'more-scopes-than-needed',
    description: 'writing is asked for, too',
    parts: (defaults) =>
      alterUrl(defaults, (query) => query.set('scope', 'items:read items:write')),
  },
]
