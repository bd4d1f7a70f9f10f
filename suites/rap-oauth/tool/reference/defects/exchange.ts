/** Defects of the token exchange and of the operation after it. */

import { CallFailure } from '../failure.ts'
import type { Parts } from '../parts.ts'
import type { Api, Attempt } from '../perform-operation.ts'
import type { FetchInit } from '../upstream.ts'
import { fetchUnverified } from './unverified.ts'
import { alterExchange, followingRedirects, inspectTokenResponse, withFetch } from './alter.ts'
import type { Defect } from './defect.ts'

const knownMembers = new Set([
  'access_token',
  'token_type',
  'expires_in',
  'refresh_token',
  'scope',
  'id_token',
])

export const exchangeDefects: readonly Defect[] = [
  {
    id: 'code-not-exchanged',
    description: 'the code is taken for the access token and never exchanged',
    parts: () => ({
      exchangeCode: async (_provider, { response, scopes }) => ({
        accessToken: response.get('code') ?? '',
        refreshToken: null,
        expiresAt: null,
        scopes: [...scopes],
      }),
    }),
  },
  {
    id: 'redirect-uri-differs-at-exchange',
    description: 'the token request has the redirect URI with a trailing slash',
    parts: (defaults) =>
      alterExchange(defaults, (form) => form.set('redirect_uri', `${form.get('redirect_uri')}/`)),
  },
  {
    id: 'code-decoded-twice',
    description: 'the code is percent-decoded once more than it was encoded',
    parts: (defaults) =>
      alterExchange(defaults, (form) =>
        form.set('code', decodeLoosely((form.get('code') ?? '').replaceAll('+', ' '))),
      ),
  },
  {
    id: 'code-sent-twice',
    description: 'the token request is first made without the verifier, then with it',
    parts: (defaults) => ({
      async exchangeCode(provider, grant, now) {
        const unverified = alterExchange(defaults, (body) => body.delete('code_verifier'))
        await unverified.exchangeCode(provider, grant, now).catch(() => {})
        return defaults.exchangeCode(provider, grant, now)
      },
    }),
  },
  {
    id: 'expires-in-demanded',
    description: 'a token response without expires_in is refused',
    parts: (defaults) =>
      inspectTokenResponse(defaults, (body) => {
        if (!('expires_in' in body)) throw new TypeError('no expires_in')
      }),
  },
  {
    id: 'token-type-case-sensitive',
    description: 'a token type other than "Bearer", letter by letter, is refused',
    parts: (defaults) =>
      inspectTokenResponse(defaults, (body) => {
        if (body['token_type'] !== 'Bearer') throw new TypeError('unknown token type')
      }),
  },
  {
    id: 'token-type-of-two-spellings',
    description: 'a token type other than "Bearer" or "bearer" is refused',
    parts: (defaults) =>
      inspectTokenResponse(defaults, (body) => {
        if (!['Bearer', 'bearer'].includes(String(body['token_type'])))
          throw new TypeError('unknown token type')
      }),
  },
  {
    id: 'token-response-closed',
    description: 'a token response with unknown members is refused',
    parts: (defaults) =>
      inspectTokenResponse(defaults, (body) => {
        if (!Object.keys(body).every((name) => knownMembers.has(name))) {
          throw new TypeError('unknown member')
        }
      }),
  },
  // ------------------------------------------------------------- the operation
  {
    id: 'retry-left-to-the-agent',
    description: 'after the grant a result asks the agent to call again',
    parts: () => ({
      resumeCall: (_retry, sendResult) => sendResult('You are connected now. Please call again.'),
    }),
  },
  {
    id: 'result-before-retry',
    description: 'the result is sent before the operation is retried',
    parts: () => ({
      async resumeCall(retry, sendResult) {
        await sendResult('Done.')
        await retry()
      },
    }),
  },
  {
    id: 'result-of-retry-lost',
    description: 'the operation is retried and its result never sent',
    parts: () => ({
      async resumeCall(retry) {
        await retry()
      },
    }),
  },
  {
    id: 'arguments-lost-in-the-retry',
    description: 'the operation is retried with the arguments that it has by default',
    parts: (defaults) =>
      onceEach((first, api, request, accessToken) =>
        defaults.performOperation(
          api,
          first && request.operation === 'create_item'
            ? { ...request, arguments: { title: 'untitled' } }
            : request,
          accessToken,
        ),
      ),
  },
  {
    id: 'operation-repeated-after-consent',
    description: 'the operation is carried out twice after consent',
    parts: (defaults) =>
      onceEach(async (first, api, request, accessToken) => {
        const attempt = await defaults.performOperation(api, request, accessToken)
        return first && attempt.done
          ? defaults.performOperation(api, request, accessToken)
          : attempt
      }),
  },
  {
    id: 'token-redirect-followed',
    description: 'a redirect of the token endpoint is followed, with code and credentials',
    parts: (defaults) => ({
      exchangeCode: (provider, grant, now) =>
        defaults.exchangeCode(
          withFetch(provider, followingRedirects(provider.fetch, again)),
          grant,
          now,
        ),
    }),
  },
  {
    id: 'refresh-redirect-followed',
    description: 'a redirect of the token endpoint is followed when a token is refreshed',
    parts: (defaults) => ({
      refreshTokens: (provider, tokens, now) =>
        defaults.refreshTokens(
          withFetch(provider, followingRedirects(provider.fetch, again)),
          tokens,
          now,
        ),
    }),
  },
  {
    id: 'api-redirect-followed',
    description: 'a redirect of the API is followed, with the token',
    parts: (defaults) => ({
      performOperation: (api, request, accessToken) =>
        defaults.performOperation(
          { ...api, fetch: followingRedirects(api.fetch, again) },
          request,
          accessToken,
        ),
    }),
  },
  {
    id: 'cancelled-by-id-alone',
    description:
      'a notification of a cancellation ends the call with its id, whatever thread it names',
    parts: () => ({ isCancelled: (call, _, id) => call.id === id }),
  },
  {
    id: 'cancelled-by-thread-alone',
    description:
      'a notification of a cancellation ends every call of its thread, whatever id it names',
    parts: () => ({ isCancelled: (call, groupId) => call.groupId === groupId }),
  },
  {
    id: 'certificate-of-provider-not-checked',
    description: 'the code is exchanged whoever presents whatever certificate',
    parts: (defaults) => ({
      exchangeCode: (provider, grant, now) =>
        defaults.exchangeCode(withFetch(provider, fetchUnverified()), grant, now),
    }),
  },
  {
    id: 'name-in-certificate-not-checked',
    description: 'the code is exchanged whatever name the certificate is for',
    parts: (defaults) => ({
      exchangeCode: (provider, grant, now) =>
        defaults.exchangeCode(
          withFetch(provider, fetchUnverified({ checkServerIdentity: () => undefined })),
          grant,
          now,
        ),
    }),
  },
  {
    id: 'certificate-not-checked-when-refreshing',
    description: 'the token is refreshed whoever presents whatever certificate',
    parts: (defaults) => ({
      refreshTokens: (provider, tokens, now) =>
        defaults.refreshTokens(withFetch(provider, fetchUnverified()), tokens, now),
    }),
  },
  {
    id: 'certificate-of-api-not-checked',
    description: 'the protected API is asked whoever presents whatever certificate',
    parts: (defaults) => ({
      performOperation: (api, request, accessToken) =>
        defaults.performOperation({ ...api, fetch: fetchUnverified() }, request, accessToken),
    }),
  },
  {
    id: 'token-in-query',
    description: 'the access token is a query parameter of the request to the service',
    parts: (defaults) => ({
      performOperation: (api, request, accessToken) =>
        defaults.performOperation(withTokenIn(api, 'query', accessToken), request, accessToken),
    }),
  },
  {
    id: 'retry-without-token',
    description: 'the retried operation is sent without its token',
    parts: (defaults) => ({
      performOperation: (api, request, accessToken) =>
        defaults.performOperation(withTokenIn(api, 'nothing', accessToken), request, accessToken),
    }),
  },
  {
    id: 'broken-after-granting',
    description: 'an internal error after the exchange ends the call before the retry',
    parts: () => ({
      resumeCall() {
        throw new CallFailure('service-failed')
      },
    }),
  },
]

/** Tells an operation whether its token is used for the first time: that is the retry after consent. */
function onceEach(
  perform: (first: boolean, ...given: Parameters<Parts['performOperation']>) => Promise<Attempt>,
): Partial<Parts> {
  const used = new Set<string>()
  return {
    performOperation(api, request, accessToken) {
      const first = !used.has(accessToken)
      used.add(accessToken)
      return perform(first, api, request, accessToken)
    },
  }
}

/** The same request to another address, as a client sends it that follows redirects. */
function again({ method = 'GET', headers = {}, body = null }: FetchInit = {}): RequestInit {
  return { method, headers, body, redirect: 'manual' }
}

/** Moves the token of every request out of its header. */
function withTokenIn(api: Api, place: 'query' | 'nothing', accessToken: string): Api {
  return {
    ...api,
    fetch(url, init = {}) {
      const moved = new URL(url)
      if (place === 'query') moved.searchParams.set('access_token', accessToken)
      const { authorization: _authorization, ...headers } = init.headers ?? {}
      return api.fetch(moved.href, { ...init, headers })
    },
  }
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
