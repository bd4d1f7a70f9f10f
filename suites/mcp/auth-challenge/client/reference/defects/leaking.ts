/** Defects: secrets where they must not be. */

import type { Tokens } from '../work.ts'
import type { Defect } from './defect.ts'

export const leakingDefects: readonly Defect[] = [
  {
    id: 'token-for-every-server',
    description: 'there is one token, which every server gets',
    parts: ({ onTokens }) => {
      let last: string | undefined
      return {
        onTokens(tokens) {
          last = tokens.access_token
          onTokens(tokens)
        },
        tokenFor: () => last,
      }
    },
  },
  {
    id: 'token-by-host',
    description: 'a server without a token gets that of another one at its host',
    parts: ({ tokenFor }) => {
      const known = new Map<string, string>()
      return {
        tokenFor(endpoint, own) {
          const { host } = new URL(endpoint)
          const token = tokenFor(endpoint, own)
          if (token !== undefined) known.set(host, token)
          return known.get(host)
        },
      }
    },
  },
  {
    id: 'metadata-by-host',
    description: 'the metadata of one server is taken for that of another one at its host',
    parts: ({ coversEndpoint, fetchMetadata }) => {
      const known = new Map<string, { readonly at: string; readonly text: string }>()
      let isOfAnother = false
      return {
        async fetchMetadata(url, init) {
          const { href, host, pathname } = new URL(url)
          const before = known.get(host)
          if (!pathname.includes('oauth-protected-resource')) return fetchMetadata(url, init)
          isOfAnother = before !== undefined && before.at !== href
          if (isOfAnother) return new Response(before?.text)
          const response = await fetchMetadata(url, init)
          const text = await response.text()
          if (response.ok) known.set(host, { at: href, text })
          return new Response(text, response)
        },
        coversEndpoint: (resource, endpoint) => isOfAnother || coversEndpoint(resource, endpoint),
      }
    },
  },
  {
    id: 'token-by-issuer',
    description: 'whoever has a token of the issuer is not sent there for another server',
    parts: ({ onTokens, refresh }) => {
      const known = new Map<string, Tokens>()
      const used = new Set<string>()
      let latest = ''
      return {
        async refresh(authority, tokens, client, challenge) {
          latest = authority.issuer
          const before = known.get(latest)
          const isNew = !used.has(authority.resource.resource)
          used.add(authority.resource.resource)
          return (isNew && before) || refresh(authority, tokens, client, challenge)
        },
        onTokens(tokens) {
          known.set(latest, tokens)
          onTokens(tokens)
        },
      }
    },
  },
  {
    id: 'token-for-metadata',
    description: 'the token that was refused is sent along when metadata is fetched',
    parts: ({ fetchMetadata, onTokens }) => {
      let last: string | undefined
      return {
        onTokens(tokens) {
          last = tokens.access_token
          onTokens(tokens)
        },
        fetchMetadata(url, init) {
          const headers = new Headers(init?.headers)
          if (last !== undefined) headers.set('authorization', `Bearer ${last}`)
          return fetchMetadata(url, { ...init, headers })
        },
      }
    },
  },
  {
    id: 'token-shown',
    description: 'its user reads the token',
    parts: () => ({
      onTokens: (tokens) => void process.stdout.write(`signed in: ${tokens.access_token}\n`),
    }),
  },
  {
    id: 'token-logged',
    description: 'the answer of the token endpoint is logged',
    parts: () => ({
      onTokens: (tokens) => void process.stderr.write(`tokens ${JSON.stringify(tokens)}\n`),
    }),
  },
  {
    id: 'verifier-logged',
    description: 'the code verifier is logged',
    parts: () => ({
      verifierFor(verifier) {
        process.stderr.write(`verifier ${verifier}\n`)
        return verifier
      },
    }),
  },
  {
    id: 'code-sent-to-server',
    description: 'requests to the MCP server have the code of the last flow in a header',
    parts: ({ checkIssuer, send }) => {
      let code: string | null = null
      return {
        checkIssuer(returned, authority) {
          checkIssuer(returned, authority)
          code = returned.get('code')
        },
        send(url, init) {
          const headers = new Headers(init?.headers)
          if (code !== null) headers.set('x-trace', code)
          return send(url, { ...init, headers })
        },
      }
    },
  },
  {
    id: 'token-follows-redirects',
    description: 'where the endpoint redirects, the request is made again with all its headers',
    parts: ({ send }) => ({
      async send(url, init) {
        const response = await send(url, { ...init, redirect: 'manual' })
        const location = response.headers.get('location')
        if (response.status !== 307 || location === null) return response
        await response.body?.cancel()
        return send(new URL(location, url), init)
      },
    }),
  },
  {
    id: 'secret-in-authorization-url',
    description: 'the authorization request has the client secret',
    parts: () => ({
      authorizationUrl(url) {
        url.searchParams.set('client_secret', process.env['OAUTH_CLIENT_SECRET'] ?? '')
        return url
      },
    }),
  },
  {
    id: 'code-in-request-url',
    description: 'the provider is asked for its metadata once more, with the code in the URL',
    parts: ({ exchange, fetchMetadata }) => ({
      async exchange(issuer, options) {
        const url = new URL('/.well-known/oauth-authorization-server', issuer)
        url.searchParams.set('trace', options.authorizationCode)
        await (await fetchMetadata(url)).body?.cancel()
        return exchange(issuer, options)
      },
    }),
  },
  {
    id: 'tokens-kept-in-clear',
    description: 'tokens stand in their file as they are',
    parts: () => ({ seal: (text) => text, unseal: (text) => text }),
  },
]
