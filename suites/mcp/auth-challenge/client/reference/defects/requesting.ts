/** Defects: the authorization request, the redirect and the exchange. */

import { createHash, randomBytes } from 'node:crypto'
import { exchangeAuthorization } from '@modelcontextprotocol/client'
import { refreshTokens } from '../refresh.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'

const constantVerifier = 'verifier'.repeat(6)

export const requestingDefects: readonly Defect[] = [
  {
    id: 'resource-omitted',
    description: 'neither request says which server the token is for',
    parts: () => ({ resourceFor: () => undefined }),
  },
  {
    id: 'resource-omitted-at-exchange',
    description: 'the token request does not say which server the token is for',
    parts: ({ exchange }) => ({
      exchange(issuer, options) {
        const { resource: _, ...others } = options
        return exchange(issuer, others)
      },
    }),
  },
  {
    id: 'resource-omitted-at-refresh',
    description: 'a token is refreshed without saying which server it is for',
    parts: ({ scopeFor }) => ({
      scopeFor: (...parts) => `${scopeFor(...parts)} offline_access`,
      refresh: (authority, tokens, client, challenge) =>
        challenge.get('error') === 'insufficient_scope'
          ? Promise.resolve(undefined)
          : refreshTokens(authority, tokens, client, (url, init) => {
              if (init?.body instanceof URLSearchParams) init.body.delete('resource')
              return fetch(url, init)
            }),
    }),
  },
  {
    id: 'refreshes-at-any-issuer',
    description: 'a token is refreshed wherever the metadata leads, whoever has issued it',
    parts: ({ scopeFor }) => ({
      scopeFor: (...parts) => `${scopeFor(...parts)} offline_access`,
      refresh: (authority, tokens, client, challenge) =>
        challenge.get('error') === 'insufficient_scope'
          ? Promise.resolve(undefined)
          : refreshTokens(authority, tokens && { ...tokens, issuer: authority.issuer }, client),
    }),
  },
  {
    id: 'resource-of-first-server',
    description: 'the server for which a token was wanted first is named for every other one, too',
    parts: ({ resourceFor }) => {
      let first: string | undefined
      return { resourceFor: (authority) => (first ??= resourceFor(authority)) }
    },
  },
  {
    id: 'scope-ignored',
    description: 'no scope is requested',
    parts: () => ({ scopeFor: () => undefined }),
  },
  {
    id: 'scopes-of-metadata-ignored',
    description: 'where the challenge names no scope, none is requested',
    parts: () => ({ scopeFor: (challenge) => challenge.get('scope') }),
  },
  {
    id: 'every-scope-requested',
    description: 'everything that the metadata offers is requested',
    parts: () => ({ scopeFor: (_, { resource }) => resource.scopes_supported?.join(' ') }),
  },
  {
    id: 'scope-remembered',
    description: 'the scope of the first challenge is requested for every later one',
    parts: ({ scopeFor }) => {
      let first: string | undefined
      return { scopeFor: (...parts) => (first ??= scopeFor(...parts)) }
    },
  },
  {
    id: 'refreshes-for-scope',
    description: 'a token that lacks a scope is refreshed',
    parts: ({ scopeFor }) => ({
      scopeFor: (...parts) => `${scopeFor(...parts)} offline_access`,
      refresh: refreshTokens,
    }),
  },
  {
    id: 'client-misnamed',
    description: 'the authorization request names a client that is not registered',
    parts: () => ({
      authorizationUrl(url) {
        url.searchParams.set('client_id', 'somebody-else')
        return url
      },
    }),
  },
  {
    id: 'state-constant',
    description: 'every client of this kind sends the same state',
    parts: () => ({ newState: () => 'mcp-client-sign-in-7f3a9c51e2' }),
  },
  {
    id: 'state-short',
    description: 'states have four characters',
    parts: () => ({ newState: () => randomBytes(3).toString('base64url') }),
  },
  {
    id: 'verifier-constant',
    description: 'every client of this kind has the same verifier',
    parts: () => ({
      verifierFor: () => constantVerifier,
      authorizationUrl(url) {
        const challenge = createHash('sha256').update(constantVerifier).digest('base64url')
        url.searchParams.set('code_challenge', challenge)
        return url
      },
    }),
  },
  {
    id: 'pkce-omitted',
    description: 'there is no code challenge',
    parts: (defaults) => withoutPkce(defaults, () => true),
  },
  {
    id: 'pkce-omitted-later',
    description: 'only the first flow of a client has a code challenge',
    parts: (defaults) => withoutPkce(defaults, (flows) => flows > 1),
  },
  {
    id: 'null-token-used',
    description: 'a token that is null is read as its text',
    parts: ({ exchange }) => ({
      exchange: (issuer, options) =>
        exchange(issuer, {
          ...options,
          async fetchFn(url, init) {
            const answer = await fetch(url, init)
            const text = await answer.text()
            return new Response(
              text.replace(/"access_token":\s*null/, '"access_token":"null"'),
              answer,
            )
          },
        }),
    }),
  },
  {
    id: 'state-unchecked',
    description: 'every redirect with a code is taken for the one that is waited for',
    parts: () => ({ isOwnState: (returned) => returned.has('code') }),
  },
  {
    id: 'state-unchecked-later',
    description: 'the state is looked at in the first flow of a client alone',
    parts: ({ isOwnState }) => {
      const first: { state?: string } = {}
      return {
        isOwnState(returned, state) {
          first.state ??= state
          return first.state === state ? isOwnState(returned, state) : returned.has('code')
        },
      }
    },
  },
  {
    id: 'used-state-taken-again',
    description: 'the listener stays, and redeems the code of every redirect with the state',
    parts({ exchange, isOwnState }) {
      const used = new Set<string>()
      let redeem: ((code: string) => Promise<unknown>) | undefined
      return {
        stopListening: () => undefined,
        exchange(issuer, options) {
          redeem = (authorizationCode) => exchange(issuer, { ...options, authorizationCode })
          return exchange(issuer, options)
        },
        isOwnState(returned, state) {
          const isOwn = isOwnState(returned, state)
          if (isOwn && used.has(state)) redeem?.(returned.get('code') ?? '').catch(() => undefined)
          if (isOwn) used.add(state)
          return isOwn
        },
      }
    },
  },
  {
    id: 'denial-with-any-state',
    description: 'a redirect with an error ends the flow, whatever its state is',
    parts: ({ isOwnState }) => ({
      isOwnState: (returned, state) => returned.has('error') || isOwnState(returned, state),
    }),
  },
  {
    id: 'state-begins-alike',
    description: 'a state with more behind it is taken for the right one',
    parts: ({ isOwnState }) => ({
      isOwnState: (returned, state) =>
        isOwnState(returned, state) || (returned.get('state') ?? '').startsWith(state),
    }),
  },
  {
    id: 'state-by-its-beginning',
    description: 'what a state begins with is taken for it, where it is long enough',
    parts: ({ isOwnState }) => ({
      isOwnState(returned, state) {
        const given = returned.get('state') ?? ''
        return isOwnState(returned, state) || (given.length >= 16 && state.startsWith(given))
      },
    }),
  },
  {
    id: 'issuer-in-any-case',
    description: 'the issuer that the response names is compared without regard to case',
    parts: ({ checkIssuer, exchange }) => ({
      checkIssuer(returned, authority) {
        const { issuer } = authority.server
        const alike = new URLSearchParams(returned)
        if (returned.get('iss')?.toLowerCase() === issuer.toLowerCase()) alike.set('iss', issuer)
        checkIssuer(alike, authority)
      },
      exchange(issuer, options) {
        const { iss, ...others } = options
        return exchange(issuer, iss === undefined ? others : { ...others, iss: String(issuer) })
      },
    }),
  },
  {
    id: 'state-in-any-case',
    description: 'the state is compared without regard to case',
    parts: () => ({
      isOwnState: (returned, state) =>
        (returned.get('state') ?? '').toLowerCase() === state.toLowerCase(),
    }),
  },
  {
    id: 'forged-callback-ends-flow',
    description: 'a redirect with another state ends the flow',
    parts: ({ checkIssuer }) => {
      let own = ''
      return {
        isOwnState(_, state) {
          own = state
          return true
        },
        checkIssuer(returned, authority) {
          if (returned.get('state') !== own) throw new Error('the state is wrong')
          checkIssuer(returned, authority)
        },
      }
    },
  },
  {
    id: 'issuer-unchecked',
    description: 'whichever issuer the response names, its code is redeemed',
    parts: ({ exchange }) => ({
      checkIssuer: () => undefined,
      exchange(issuer, options) {
        const { iss: _, metadata, ...others } = options
        if (!metadata) return exchange(issuer, others)
        const promisesNothing = { authorization_response_iss_parameter_supported: false }
        return exchange(issuer, { ...others, metadata: { ...metadata, ...promisesNothing } })
      },
    }),
  },
  {
    id: 'issuer-checked-where-promised',
    description: 'the issuer of a response is compared only where the metadata promises one',
    parts: ({ checkIssuer, exchange }) => ({
      checkIssuer(returned, authority) {
        const { authorization_response_iss_parameter_supported: isPromised } = authority.server
        if (isPromised === true) checkIssuer(returned, authority)
      },
      exchange(issuer, { iss, ...others }) {
        const isPromised = others.metadata?.authorization_response_iss_parameter_supported === true
        return exchange(issuer, isPromised && iss !== undefined ? { ...others, iss } : others)
      },
    }),
  },
  {
    id: 'issuer-unchecked-in-errors',
    description: 'the issuer of a response is compared where that has a code',
    parts: ({ checkIssuer }) => ({
      checkIssuer(returned, authority) {
        if (returned.has('code')) checkIssuer(returned, authority)
      },
    }),
  },
  {
    id: 'issuer-compared-as-url',
    description:
      'the issuer that the response names is compared as a URL, by which a slash is nothing',
    parts({ checkIssuer, exchange }) {
      const normalized = (iss: string, issuer: string): string =>
        URL.canParse(iss) && new URL(iss).href === new URL(issuer).href ? issuer : iss
      return {
        checkIssuer(returned, authority) {
          const alike = new URLSearchParams(returned)
          const iss = alike.get('iss')
          if (iss !== null) alike.set('iss', normalized(iss, authority.server.issuer))
          checkIssuer(alike, authority)
        },
        exchange: (issuer, options) =>
          exchange(issuer, {
            ...options,
            ...(options.iss === undefined ? {} : { iss: normalized(options.iss, String(issuer)) }),
          }),
      }
    },
  },
  {
    id: 'callback-fails',
    description: 'the browser that comes back gets an error page',
    parts: () => ({ pageFor: () => ({ status: 500, text: 'Internal Server Error' }) }),
  },
  {
    id: 'token-type-ignored',
    description: 'a token of whichever type is used as a bearer token, as the SDK gives it',
    parts: () => ({
      async exchange(issuer, options) {
        const tokens = await exchangeAuthorization(issuer, options).catch(() => undefined)
        if (!tokens?.access_token) throw new Error('there is no token')
        return tokens
      },
    }),
  },
  {
    id: 'token-redirect-followed',
    description: 'the token request follows redirects, secrets and all',
    parts: ({ exchange }) => ({
      exchange: (issuer, options) =>
        exchange(issuer, {
          ...options,
          fetchFn: (url, init) => fetch(url, { ...init, redirect: 'follow' }),
        }),
    }),
  },
  {
    id: 'code-not-exchanged',
    description: 'the code is thrown away',
    parts: () => ({ exchange: () => Promise.reject(new Error('not implemented')) }),
  },
  {
    id: 'code-redeemed-twice',
    description: 'the token request is sent once more',
    parts: ({ exchange }) => ({
      async exchange(issuer, options) {
        const tokens = await exchange(issuer, options)
        await exchange(issuer, options).catch(() => undefined)
        return tokens
      },
    }),
  },
]

/** Neither challenge nor verifier in some of the flows, which are counted from one. */
function withoutPkce({ exchange }: Parts, isBare: (flows: number) => boolean): Partial<Parts> {
  let flows = 0
  return {
    authorizationUrl(url) {
      flows += 1
      if (!isBare(flows)) return url
      url.searchParams.delete('code_challenge')
      url.searchParams.delete('code_challenge_method')
      return url
    },
    exchange: (issuer, options) =>
      exchange(issuer, {
        ...options,
        fetchFn(url, init) {
          if (isBare(flows) && init?.body instanceof URLSearchParams)
            init.body.delete('code_verifier')
          return fetch(url, init)
        },
      }),
  }
}
