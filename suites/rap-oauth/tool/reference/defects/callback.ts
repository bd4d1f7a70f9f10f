/** Defects of the callback endpoint: whose answer it takes an answer for, and what it shows. */

import { html } from 'hono/html'

import { CallFailure } from '../failure.ts'
import { flowKey, type Flow, type FlowStore } from '../flow-store.ts'
import type { Parts } from '../parts.ts'
import { withHead } from './alter.ts'
import type { Defect } from './defect.ts'

export const callbackDefects: readonly Defect[] = [
  // ------------------------------------------------------------- state
  {
    id: 'state-ignored',
    description: 'the call is named in the redirect URI, and state is never looked at',
    parts: (defaults) => ({
      ...callInRedirectUri(defaults),
      validateState: (query, flows, now) => flowOfCall(query, flows, now),
    }),
  },
  {
    id: 'state-compared-when-present',
    description:
      'the call is named in the redirect URI, and state is compared only when there is one',
    parts: (defaults) => ({
      ...callInRedirectUri(defaults),
      async validateState(query, flows, now) {
        const flow = await flowOfCall(query, flows, now)
        const state = query.get('state')
        return state && flow && flowKey(state) !== flow.key ? undefined : flow
      },
    }),
  },
  {
    id: 'state-ignored-in-errors',
    description:
      'the call is named in the redirect URI, and an error is believed whatever its state',
    parts: (defaults) => ({
      ...callInRedirectUri(defaults),
      validateState: (query, flows, now) =>
        query.has('error')
          ? flowOfCall(query, flows, now)
          : defaults.validateState(query, flows, now),
    }),
  },
  {
    id: 'state-compared-in-part',
    description: 'of state only the first half is looked at',
    parts: (defaults) => comparingStates(defaults, (state, known) => half(state) === half(known)),
  },
  {
    id: 'state-with-more',
    description: 'a state that begins with that of a flow is taken for it',
    parts: (defaults) => comparingStates(defaults, (state, known) => state.startsWith(known)),
  },
  {
    id: 'state-in-any-case',
    description: 'upper and lower case of a state are one',
    parts: (defaults) =>
      comparingStates(defaults, (state, known) => state.toLowerCase() === known.toLowerCase()),
  },
  {
    id: 'wrong-state-ends-the-call',
    description: 'the call is named in the redirect URI, and a wrong state ends it with an error',
    parts: (defaults) => {
      const wrong = new WeakSet<URLSearchParams>()
      return {
        ...callInRedirectUri(defaults),
        async validateState(query, flows, now) {
          const flow = await flowOfCall(query, flows, now)
          if (flow?.key !== flowKey(query.get('state') ?? '')) wrong.add(query)
          return flow
        },
        validateResponse(provider, query) {
          if (wrong.has(query)) throw new CallFailure('authorization-rejected')
          return defaults.validateResponse(provider, query)
        },
      }
    },
  },
  {
    id: 'pending-entry-kept',
    description: 'a pending authorization is not removed when it is used',
    parts: () => ({ claimFlow: async () => true }),
  },
  {
    id: 'denial-ends-the-thread',
    description: 'whoever denies does so for everybody who is asked in that thread',
    parts: (defaults) => ({
      async validateState(query, flows, now) {
        const flow = await defaults.validateState(query, flows, now)
        if (flow === undefined || query.get('error') !== 'access_denied') return flow
        const others = (await flows.pending()).filter(
          ({ key, call }) => key !== flow.key && call.groupId === flow.call.groupId,
        )
        await Promise.all(others.map((other) => flows.claim(other)))
        return flow
      },
    }),
  },
  {
    id: 'callback-without-code-approves',
    description: 'a callback with the right state and no code counts as consent',
    parts: (defaults) => ({
      isAnswer: () => true,
      validateResponse: (provider, query) =>
        query.has('code') || query.has('error')
          ? defaults.validateResponse(provider, query)
          : query,
      exchangeCode: async (provider, grant, now) =>
        grant.response.has('code')
          ? defaults.exchangeCode(provider, grant, now)
          : { accessToken: 'none', refreshToken: null, expiresAt: null, scopes: [] },
      performOperation: async (api, request, accessToken) =>
        accessToken === 'none'
          ? { done: true, text: '[]' }
          : defaults.performOperation(api, request, accessToken),
    }),
  },
  {
    id: 'unknown-error-is-no-answer',
    description: 'an error that RFC 6749 does not know is taken for no answer at all',
    parts: ({ isAnswer }) => ({
      isAnswer: (query) => isAnswer(query) && query.get('error') !== 'login_required',
    }),
  },
  {
    id: 'late-callback-accepted',
    description: 'a call that has timed out is completed when its user comes after all',
    parts: (defaults) => ({
      validateState: (query, flows) => defaults.validateState(query, flows, 0),
      expireFlow: async (_flow, _flows, fail) => fail(new CallFailure('authorization-expired')),
    }),
  },
  // ------------------------------------------------------------- whose tokens
  {
    id: 'identity-from-the-callback',
    description:
      'tokens are stored for the user_id in the query of the callback, where there is one',
    parts: (defaults) => ({
      async validateState(query, flows, now) {
        const flow = await defaults.validateState(query, flows, now)
        const userId = query.get('user_id') ?? flow?.call.userId ?? null
        return flow && { ...flow, call: { ...flow.call, userId } }
      },
    }),
  },
  {
    id: 'user-in-the-redirect-uri',
    description:
      'the redirect URI names request and user; the request is compared, the user believed',
    parts: (defaults) => ({
      redirectUri: (publicUrl, call) =>
        `${defaults.redirectUri(publicUrl, call)}?${new URLSearchParams({ rid: call.id, for: call.userId ?? '' }).toString()}`,
      async validateState(query, flows, now) {
        const flow = await defaults.validateState(query, flows, now)
        if (flow === undefined || query.get('rid') !== flow.call.id) return undefined
        return { ...flow, call: { ...flow.call, userId: query.get('for') || null } }
      },
    }),
  },
  {
    id: 'issuer-missing-accepted',
    description:
      'an authorization response without iss is believed, although the metadata promises one',
    parts: (defaults) => ({
      validateResponse(provider, query) {
        const known = new URLSearchParams(query)
        if (!known.has('iss')) known.set('iss', provider.server.issuer)
        return defaults.validateResponse(provider, known)
      },
    }),
  },
  {
    id: 'issuer-ignored-in-errors',
    description: 'the iss of an error response is not looked at',
    parts: (defaults) => ({
      validateResponse(provider, query) {
        const known = new URLSearchParams(query)
        if (known.has('error')) known.set('iss', provider.server.issuer)
        return defaults.validateResponse(provider, known)
      },
    }),
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
    id: 'issuer-compared-at-its-beginning',
    description: 'an iss that begins like the right one is taken for it',
    parts: (defaults) => ({
      validateResponse(provider, query) {
        const known = new URLSearchParams(query)
        const { issuer } = provider.server
        if (known.get('iss')?.startsWith(issuer)) known.set('iss', issuer)
        return defaults.validateResponse(provider, known)
      },
    }),
  },
  // ------------------------------------------------------------- the page
  {
    id: 'callback-page-500',
    description: 'the browser gets an internal error although the code was taken',
    parts: (defaults) => ({
      renderPage: (http, page) =>
        page === 'approved'
          ? http.text('Internal Server Error', 500)
          : defaults.renderPage(http, page),
    }),
  },
  {
    id: 'callback-page-not-found',
    description: 'the browser gets 404 although the code was taken',
    parts: (defaults) => ({
      renderPage: (http, page) =>
        page === 'approved' ? http.notFound() : defaults.renderPage(http, page),
    }),
  },
  {
    id: 'font-from-elsewhere',
    description: 'the page after consent takes its typeface from a font service',
    parts: (defaults) => ({
      renderPage: async (http, page) =>
        withHead(
          await defaults.renderPage(http, page),
          '<link rel="stylesheet" href="https://fonts.example/css">',
        ),
    }),
  },
  {
    id: 'error-page-unescaped',
    description: 'a page prints the parameters of the callback as they are',
    parts: () => ({
      renderPage: (http, page) => {
        const { error = '', error_description: description = '' } = http.req.query()
        return http.html(`<h1>${page}</h1><p>${error} ${description}</p>`)
      },
    }),
  },
  {
    id: 'state-page-unescaped',
    description: 'the page about an unknown state prints that state as it is',
    parts: (defaults) => ({
      renderPage: (http, page) =>
        page === 'unknown'
          ? http.html(`<p>There is nothing for ${http.req.query('state')}</p>`, 400)
          : defaults.renderPage(http, page),
    }),
  },
  {
    id: 'error-uri-linked',
    description: 'the page about a refusal links to the error_uri, whatever its scheme is',
    parts: (defaults) => ({
      renderPage: (http, page) =>
        page === 'refused'
          ? http.html(html`<p>Refused. <a href="${http.req.query('error_uri') ?? ''}">More</a></p>`)
          : defaults.renderPage(http, page),
    }),
  },
  {
    id: 'description-in-an-attribute',
    description:
      'the page about a refusal has its description in an attribute, angle brackets escaped',
    parts: (defaults) => ({
      renderPage(http, page) {
        const { error_description: description = '' } = http.req.query()
        const escaped = description.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
        return page === 'refused'
          ? http.html(`<p>Refused.</p><input readonly value="${escaped}">`)
          : defaults.renderPage(http, page)
      },
    }),
  },
  {
    id: 'description-in-a-script',
    description: 'the page about a refusal has its description in a script, angle brackets escaped',
    parts: (defaults) => ({
      renderPage(http, page) {
        const { error_description: description = '' } = http.req.query()
        const escaped = description.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
        return page === 'refused'
          ? http.html(`<p>Refused.</p><script>const why = "${escaped}"</script>`)
          : defaults.renderPage(http, page)
      },
    }),
  },
]

/** The redirect URI carries the id of its call. */
export function callInRedirectUri(defaults: Parts) {
  return {
    redirectUri: (publicUrl, call) =>
      `${defaults.redirectUri(publicUrl, call)}?call=${encodeURIComponent(call.id)}`,
  } satisfies Partial<Parts>
}

export async function flowOfCall(
  query: URLSearchParams,
  flows: FlowStore,
  now: number,
): Promise<Flow | undefined> {
  const pending = await flows.pending()
  return pending.find(({ call, expiresAt }) => call.id === query.get('call') && now < expiresAt)
}

/** Finds flows by another comparison of states than that they are the same. */
function comparingStates(
  defaults: Parts,
  areAlike: (state: string, known: string) => boolean,
): Partial<Parts> {
  const states: string[] = []
  return {
    newState(call) {
      const state = defaults.newState(call)
      states.push(state)
      return state
    },
    validateState(query, flows, now) {
      const known = states.find((each) => areAlike(query.get('state') ?? '', each))
      if (known === undefined) return Promise.resolve(undefined)
      return defaults.validateState(new URLSearchParams({ state: known }), flows, now)
    },
  }
}

function half(state: string): string {
  return state.slice(0, state.length / 2)
}
