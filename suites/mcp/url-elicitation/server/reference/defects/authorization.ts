/** Defects of the way to the provider and back: what is asked for, and whose answer is believed. */

import { getCookie, setCookie } from 'hono/cookie'

import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'
import { alterAuthorizationUrl, alterExchange, forever, withFetch } from './alter.ts'

const constantVerifier = 'a-verifier-that-never-changes-and-is-known-to-all'

export const authorizationDefects: readonly Defect[] = [
  // ------------------------------------------------------------- the request
  {
    id: 'pkce-plain',
    description: 'the code challenge is the verifier itself',
    parts: () => ({
      pkceParameters: async (verifier) => ({
        code_challenge: verifier,
        code_challenge_method: 'plain',
      }),
    }),
  },
  {
    id: 'pkce-missing',
    description: 'there is no code challenge, and no verifier',
    parts: (defaults) => ({
      ...alterAuthorizationUrl(defaults, (query) => {
        query.delete('code_challenge')
        query.delete('code_challenge_method')
      }),
      ...alterExchange(defaults, (form) => form.delete('code_verifier')),
    }),
  },
  {
    id: 'verifier-constant',
    description: 'all flows have the same verifier',
    parts: () => ({ newVerifier: () => constantVerifier }),
  },
  {
    id: 'state-counted',
    description: 'states are counted',
    parts: () => {
      let flows = 0
      return {
        newState() {
          flows += 1
          return `state-${flows}`
        },
      }
    },
  },
  {
    id: 'states-come-again',
    description: 'states are random, but the fifth is the first once more',
    parts: (defaults) => {
      const states: string[] = []
      return {
        newState() {
          const state = states.length === 4 ? states[0]! : defaults.newState()
          states.push(state)
          return state
        },
      }
    },
  },
  {
    id: 'more-scopes-than-needed',
    description: 'writing is asked for, too',
    parts: (defaults) =>
      alterAuthorizationUrl(defaults, (query) => query.set('scope', 'items:read items:write')),
  },
  {
    id: 'resource-not-named',
    description: 'the API is named neither in the request nor at the token endpoint',
    parts: (defaults) => ({
      async discoverProvider(...args) {
        return { ...(await defaults.discoverProvider(...args)), resource: undefined }
      },
    }),
  },
  {
    id: 'client-secret-in-request',
    description: 'the secret of the client is in the authorization request',
    parts: (defaults) => {
      let secret = ''
      return {
        discoverProvider(settings, fetch) {
          secret = settings.clientSecret ?? ''
          return defaults.discoverProvider(settings, fetch)
        },
        ...alterAuthorizationUrl(defaults, (query) => query.set('client_secret', secret)),
      }
    },
  },
  // ------------------------------------------------------------- the answer
  {
    id: 'state-ignored',
    description: 'an answer is taken for that of the browser’s newest flow, whatever its state',
    parts: (defaults) => newestFlow(defaults, () => true),
  },
  {
    id: 'state-compared-when-present',
    description: 'an answer without state is taken for that of the browser’s newest flow',
    parts: (defaults) => newestFlow(defaults, (query) => !query.has('state')),
  },
  {
    id: 'state-with-more',
    description: 'of a state what follows the right one is not looked at',
    parts: (defaults) => newestFlow(defaults, (query, state) => stateOf(query).startsWith(state)),
  },
  {
    id: 'state-in-any-case',
    description: 'upper and lower case of a state are one',
    parts: (defaults) =>
      newestFlow(defaults, (query, state) => stateOf(query).toLowerCase() === state.toLowerCase()),
  },
  {
    id: 'state-reusable',
    description: 'neither a flow nor an elicitation is over when it has been used',
    parts: () => ({ claimFlow: () => true, isPending: () => true, forgetBrowser: () => {} }),
  },
  {
    id: 'denied-state-reusable',
    description: 'a flow goes on after a denial: its state and the browser are known all the same',
    parts: (defaults) => {
      let denied = false
      return {
        isAnswer(query) {
          denied = query.has('error')
          return defaults.isAnswer(query)
        },
        claimFlow: (flow, flows) => denied || defaults.claimFlow(flow, flows),
        forgetBrowser(...args) {
          if (!denied) defaults.forgetBrowser(...args)
        },
        isPending: () => true,
      }
    },
  },
  {
    id: 'issuer-not-compared',
    description: 'the iss of the authorization response is not looked at',
    parts: (defaults) => ({
      validateResponse(provider, query) {
        const known = new URLSearchParams(query)
        known.set('iss', provider.server.issuer)
        return defaults.validateResponse(provider, known)
      },
    }),
  },
  {
    id: 'issuer-missing-accepted',
    description: 'a response without iss is believed, although the metadata promises one',
    parts: (defaults) => ({
      validateResponse(provider, query) {
        const known = new URLSearchParams(query)
        if (!known.has('iss')) known.set('iss', provider.server.issuer)
        return defaults.validateResponse(provider, known)
      },
    }),
  },
  {
    id: 'denial-ignored',
    description: 'a denial is shown in the browser, and the call goes on waiting',
    parts: (defaults) => ({
      isAnswer: (query) => !query.has('error') && defaults.isAnswer(query),
    }),
  },
  {
    id: 'denial-page-unescaped',
    description: 'the page after a denial prints what the provider said as it is',
    parts: (defaults) => ({
      renderPage: (http, page) =>
        page === 'refused' || page === 'unknown'
          ? http.html(`<p>${http.req.query('error_description') ?? http.req.query('state')}</p>`)
          : defaults.renderPage(http, page),
    }),
  },
  {
    id: 'issuer-page-unescaped',
    description: 'the page after an answer that was refused prints its iss as it is',
    parts: (defaults) => printing(defaults, 'iss'),
  },
  {
    id: 'link-page-unescaped',
    description: 'the page for an unknown elicitation prints its id as it is',
    parts: (defaults) => ({
      renderPage(http, page) {
        const id = http.req.query('elicitation')
        return page === 'unknown' && id !== undefined
          ? http.html(`<p>Unknown: ${id}</p>`)
          : defaults.renderPage(http, page)
      },
    }),
  },
  {
    id: 'error-uri-page-unescaped',
    description: 'the page after a denial prints its error_uri as it is',
    parts: (defaults) => printing(defaults, 'error_uri'),
  },
  {
    id: 'login-page-unescaped',
    description: 'the page after a login that failed prints what the provider said as it is',
    parts: (defaults) => {
      const logins = new WeakSet<object>()
      const printed = printing(defaults, 'error_description')
      return {
        isSameBrowser(http, flow) {
          if (flow.purpose.kind === 'login') logins.add(http)
          return defaults.isSameBrowser(http, flow)
        },
        renderPage: (http, page) =>
          logins.has(http) ? printed.renderPage(http, page) : defaults.renderPage(http, page),
      }
    },
  },
  {
    id: 'token-error-page-unescaped',
    description: 'the page after a failed exchange prints what the token endpoint said as it is',
    parts: (defaults) => {
      let said: string | undefined
      return {
        exchangeCode: (provider, grant, now) =>
          defaults.exchangeCode(
            withFetch(provider, async (url, init) => {
              const answer = await provider.fetch(url, init)
              const text = await answer.text()
              said = /"error_description":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
              return new Response(text, answer)
            }),
            grant,
            now,
          ),
        renderPage(http, page) {
          const words = said?.replaceAll('\\"', '"')
          said = undefined
          return page === 'refused' && words !== undefined
            ? http.html(`<p>${words}</p>`)
            : defaults.renderPage(http, page)
        },
      }
    },
  },
  // ------------------------------------------------------------- the exchange
  {
    id: 'code-redeemed-twice',
    description: 'every code is redeemed a second time',
    parts: (defaults) => ({
      async exchangeCode(...args) {
        const tokens = await defaults.exchangeCode(...args)
        await defaults.exchangeCode(...args).catch(() => {})
        return tokens
      },
    }),
  },
  {
    id: 'exchange-repeated',
    description: 'an exchange that failed is tried again with the same code',
    parts: (defaults) => ({
      exchangeCode: (...args) =>
        defaults.exchangeCode(...args).catch(() => defaults.exchangeCode(...args)),
    }),
  },
  {
    id: 'exchange-without-redirect-uri',
    description: 'the token request does not repeat the redirect URI',
    parts: (defaults) => alterExchange(defaults, (form) => form.delete('redirect_uri')),
  },
  {
    id: 'exchange-in-query',
    description: 'the token request has its parameters, the code and the verifier, in the query',
    parts: (defaults) => ({
      exchangeCode: (provider, grant, now) =>
        defaults.exchangeCode(
          withFetch(provider, (url, init = {}) => {
            const form = init.body instanceof URLSearchParams ? init.body : new URLSearchParams()
            return provider.fetch(`${url}?${form.toString()}`, init)
          }),
          grant,
          now,
        ),
    }),
  },
  {
    id: 'exchange-failure-hangs',
    description: 'an exchange that failed ends nothing: the call goes on waiting',
    parts: (defaults) => ({
      async interaction(elicitation) {
        const ending = await defaults.interaction(elicitation)
        return ending.kind === 'refused' && ending.failure.code !== 'authorization-denied'
          ? forever()
          : ending
      },
    }),
  },
]

/** Prints a parameter of the answer where it was refused. */
function printing(defaults: Parts, parameter: string) {
  return {
    renderPage(http, page) {
      const value = http.req.query(parameter)
      return page === 'refused' && value !== undefined
        ? http.html(`<p>${value}</p>`)
        : defaults.renderPage(http, page)
    },
  } satisfies Partial<Parts>
}

/** Gives some answers whose state is unknown the state of the newest flow of their browser. */
function newestFlow(defaults: Parts, when: (query: URLSearchParams, state: string) => boolean) {
  return {
    rememberBrowser(http, state, browser, settings) {
      defaults.rememberBrowser(http, state, browser, settings)
      setCookie(http, 'newest', state, { path: '/' })
    },
    renderPage(http, page) {
      const url = new URL(http.req.url)
      const newest = getCookie(http, 'newest')
      const known = newest === undefined || stateOf(url.searchParams) === newest
      if (
        page !== 'unknown' ||
        url.pathname !== '/callback' ||
        known ||
        !when(url.searchParams, newest)
      ) {
        return defaults.renderPage(http, page)
      }
      url.searchParams.set('state', newest)
      return http.redirect(`${url.pathname}${url.search}`)
    },
  } satisfies Partial<Parts>
}

function stateOf(query: URLSearchParams): string {
  return query.get('state') ?? ''
}
