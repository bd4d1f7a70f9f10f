/** Defects of the exchange, of what is done with tokens, and of where they get to. */

import { TokenRefused } from '../api.ts'
import { CallFailure } from '../failure.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from '../variation.ts'
import { alterExchange, followingRedirects } from './alter.ts'

/** Remembers the token that was used last. */
function watching(defaults: Parts) {
  const seen = { token: '' }
  const fetchItems: Parts['fetchItems'] = (base, fetch, token) => {
    seen.token = token
    return defaults.fetchItems(base, fetch, token)
  }
  return { seen, fetchItems }
}

export const tokenDefects: readonly Defect[] = [
  {
    id: 'redirects-followed',
    description: 'the token request follows redirects',
    parts: (defaults) =>
      alterExchange(defaults, () => (url, init = {}) => {
        const { method = 'GET', headers = {}, body = null } = init
        return fetch(url, { method, headers, body })
      }),
  },
  {
    id: 'second-consent-fails',
    description: 'what a user authorizes for the second time is thrown away, and the call hangs',
    parts: () => {
      const authorized = new Set<string>()
      return {
        async attempt(authorize, { subject }) {
          const credential = await authorize()
          if (authorized.has(subject)) return new Promise(() => {})
          authorized.add(subject)
          return credential
        },
      }
    },
  },
  {
    id: 'refresh-token-forgotten-unless-replaced',
    description: 'a refresh that brings no new refresh token loses the old one',
    parts: (defaults) => ({
      async refresh(provider, stale) {
        const fresh = await defaults.refresh(provider, stale)
        return fresh?.refreshToken === stale.refreshToken ? { ...fresh, refreshToken: null } : fresh
      },
    }),
  },
  {
    id: 'api-redirect-followed',
    description: 'a redirect of the API is followed, with the token',
    parts: (defaults) => ({
      fetchItems: (base, fetch, token) =>
        defaults.fetchItems(base, followingRedirects(fetch), token),
    }),
  },
  {
    id: 'bearer-tried-at-the-api',
    description: 'the API is asked with the token of the MCP client first',
    parts: (defaults) => {
      let bearer = ''
      return {
        verifyToken(provider, token) {
          bearer = token
          return defaults.verifyToken(provider, token)
        },
        async fetchItems(base, fetch, token) {
          await fetch(`${base}/items`, { headers: { authorization: `Bearer ${bearer}` } })
          return defaults.fetchItems(base, fetch, token)
        },
      }
    },
  },
  {
    id: 'subjects-in-any-case',
    description: 'names of users that differ in case are one',
    parts: (defaults) => ({ recordOf: (subject) => defaults.recordOf(subject.toLowerCase()) }),
  },
  {
    id: 'subjects-cut-at-the-end',
    description: 'of the name of a user only the first 40 characters are kept',
    parts: (defaults) => ({ recordOf: (subject) => defaults.recordOf(subject.slice(0, 40)) }),
  },
  {
    id: 'credentials-not-kept',
    description: 'credentials are thrown away after use',
    parts: (defaults) => ({
      recordOf: (subject) => `${defaults.recordOf(subject)} ${crypto.randomUUID()}`,
    }),
  },
  {
    id: 'credentials-in-the-clear',
    description: 'what is kept is kept as it is',
    parts: () => ({
      createCipher: () => ({ seal: (_name, text) => text, open: (_name, text) => text }),
    }),
  },
  {
    id: 'refused-token-is-the-end',
    description: 'when the API refuses a token the call fails, now and ever after',
    parts: (defaults) => ({
      fetchItems: (...args) =>
        defaults.fetchItems(...args).catch((error: unknown) => {
          throw error instanceof TokenRefused ? new CallFailure('token-refused') : error
        }),
    }),
  },
  // ------------------------------------------------------------- leaks
  {
    id: 'token-in-result',
    description: 'the result has the token that it was made with',
    parts: (defaults) => {
      const { seen, fetchItems } = watching(defaults)
      return {
        fetchItems,
        describeItems: (items) => ({ ...defaults.describeItems(items), _meta: { t: seen.token } }),
      }
    },
  },
  {
    id: 'client-secret-in-failures',
    description: 'a failed call is described with the secret of the client',
    parts: (defaults) => {
      let secret = ''
      return {
        discoverProvider(config, fetch) {
          secret = config.clientSecret
          return defaults.discoverProvider(config, fetch)
        },
        describeFailure: () => ({
          isError: true,
          content: [{ type: 'text', text: `failed as the client with the secret ${secret}` }],
        }),
      }
    },
  },
  {
    id: 'token-in-notification',
    description: 'before each result its client is notified of the token that was used last',
    parts: (defaults) => {
      const { seen, fetchItems } = watching(defaults)
      return {
        fetchItems,
        createTransport(options) {
          const transport = defaults.createTransport(options)
          const send = transport.send.bind(transport)
          transport.send = async (message, sending) => {
            const params = { data: `listed with ${seen.token}` }
            const told = { jsonrpc: '2.0', method: 'notifications/items/listed', params } as const
            if ('result' in message && seen.token !== '')
              await send(told, { relatedRequestId: message.id ?? '' })
            return send(message, sending)
          }
          return transport
        },
      }
    },
  },
  {
    id: 'callback-logged',
    description: 'callbacks are logged as they came',
    parts: (defaults) => ({
      callbackIn(answer) {
        process.stderr.write(`returned: ${String(answer.url)}\n`)
        return defaults.callbackIn(answer)
      },
    }),
  },
]
