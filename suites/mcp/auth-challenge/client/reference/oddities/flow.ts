/** Oddities: on the way from a challenge to a token. */

import { createHash } from 'node:crypto'
import { dirname } from 'node:path'

import { refreshTokens } from '../refresh.ts'
import type { Oddity } from './oddity.ts'

const wellKnown =
  'MCP Authorization, Protected Resource Metadata Discovery Requirements: both ways are to be supported'

export const flowOddities: readonly Oddity[] = [
  {
    id: 'registers-itself',
    description: 'it registers dynamically for every flow',
    permitted: 'MCP Authorization, Dynamic Client Registration',
    touches: ['array', 'token-refused-later', 'issuer-missing'],
    parts: () => ({
      async clientFor(_, { server }, redirectUri) {
        const response = await fetch(String(server.registration_endpoint), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'none',
            application_type: 'native',
          }),
        })
        const { client_id } = (await response.json()) as { client_id: string }
        return { client_id }
      },
    }),
  },
  {
    id: 'public-client',
    description: 'it is registered without a secret',
    permitted: 'RFC 8252 §8.4: native apps are public clients',
    touches: ['array', 'state-missing'],
    env: { OAUTH_CLIENT_SECRET: '' },
    configuration: { provider: { client: { auth: ['none'] } } },
  },
  {
    id: 'fixed-redirect-port',
    description:
      'it waits for the browser at a port that is always the same, for one flow at a time',
    permitted: 'RFC 6749 §3.1.2.2: the complete redirection URI is registered',
    touches: ['array', 'denied', 'string', 'list', 'state-missing', 'state-altered'],
    parts: () => {
      let last: Promise<void> = Promise.resolve()
      return {
        authorize: (signIn) => (last = last.then(signIn, signIn)),
        redirectPort: fixedPort,
      }
    },
  },
  {
    id: 'challenge-in-place-of-state',
    description: 'its authorization requests have a code challenge, and no state',
    permitted: 'RFC 9700 §2.1: who has ensured that PKCE is supported may rely on it against CSRF',
    touches: [
      'state-missing',
      'state-altered',
      'state-shortened',
      'error-with-state-missing',
      'state-altered-after-denial',
      'whole-run',
    ],
    parts: () => ({
      authorizationUrl(url) {
        url.searchParams.delete('state')
        return url
      },
      isOwnState: (returned) => returned.has('code') || returned.has('error'),
    }),
  },
  {
    id: 'refreshes',
    description: 'a token that is refused is refreshed, and nobody is asked but for another scope',
    permitted: 'RFC 6749 §6; MCP Authorization, Token Theft: refresh tokens may be used',
    touches: ['token-refused-later', 'more-scope', 'for-ever', 'array'],
    parts: ({ scopeFor }) => ({
      scopeFor: (...parts) => `${scopeFor(...parts)} offline_access`,
      refresh: (authority, tokens, client, challenge) =>
        challenge.get('error') === 'insufficient_scope'
          ? Promise.resolve(undefined)
          : refreshTokens(authority, tokens, client),
    }),
  },
  {
    id: 'well-known-instead',
    description: 'where the named metadata is not https, that at the well-known URL is fetched',
    permitted: wellKnown,
    touches: ['insecure-metadata'],
    parts: ({ bearerAmong }) => ({
      bearerAmong(values) {
        const challenge = bearerAmong(values)
        const named = challenge?.get('resource_metadata')
        if (!challenge || named?.startsWith('https:') !== false) return challenge
        return new Map([...challenge].filter(([name]) => name !== 'resource_metadata'))
      },
    }),
  },
  {
    id: 'metadata-before-challenge',
    description: 'the metadata is looked at before anything is called',
    permitted: `${wellKnown}; when is not said`,
    touches: ['array', 'later-challenge', 'foreign-scheme'],
    parts: ({ fetchMetadata }) => ({
      async mayCall() {
        const servers = JSON.parse(process.env['MCP_SERVERS'] ?? '{}') as Record<string, string>
        for (const url of Object.values(servers)) {
          const { origin, pathname } = new URL(url)
          const at = `${origin}/.well-known/oauth-protected-resource${pathname}`
          await fetchMetadata(at).then(
            (response) => response.body?.cancel(),
            () => undefined,
          )
        }
        return true
      },
    }),
  },
  {
    id: 'other-schemes-lead-to-well-known',
    description: 'for a challenge of another scheme the metadata at the well-known URI is tried',
    permitted: `${wellKnown}; SEP-1489, Client Behavior: the key is handled as HTTP 401 is`,
    touches: ['foreign-scheme', 'list', 'array'],
    parts: ({ bearerAmong }) => ({
      bearerAmong: (values) =>
        bearerAmong(values) ?? (values.length > 0 ? new Map<string, string>() : undefined),
    }),
  },
  {
    id: 'configured-issuer-one-call-at-a-time',
    description:
      'where the metadata cannot be read its user signs in as configured, before another call is taken',
    permitted:
      'MCP Authorization, Authorization Flow Steps: abort, or use pre-configured values; SEP-1489 does not ask for calls at the same time',
    touches: ['metadata-500', 'metadata-malformed', 'metadata-truncated', 'array', 'denied'],
    env: { CONFIGURED_ISSUER: '{provider.issuer}' },
    parts: ({ authorize, fetchMetadata }) => {
      let isFree = Promise.resolve()
      return {
        async mayCall() {
          await isFree
          return true
        },
        authorize(signIn) {
          const signedIn = authorize(signIn)
          isFree = signedIn.catch(() => undefined)
          return signedIn
        },
        async fetchMetadata(url, init) {
          const response = await fetchMetadata(url, init)
          if (!String(url).includes('oauth-protected-resource')) return response
          const text = await response.text()
          const [resource, issuer] = [new URL('/mcp', url).href, process.env['CONFIGURED_ISSUER']]
          const isUsable = response.ok && text.includes(`"${issuer}"`)
          if (response.status === 404 || isUsable) return new Response(text, response)
          return Response.json({ resource, authorization_servers: [issuer] })
        },
      }
    },
  },
  {
    id: 'resource-with-slash',
    description: 'the resource parameter has a slash at its end',
    permitted: 'MCP Authorization, Canonical Server URI: both forms are valid',
    touches: ['array'],
    parts: ({ resourceFor }) => ({ resourceFor: (authority) => `${resourceFor(authority)}/` }),
  },
  {
    id: 'more-parameters',
    description: 'the authorization request has parameters that nobody asked for',
    permitted: 'RFC 6749 §3.1: unrecognized parameters are ignored',
    touches: ['array', 'issuer-wrong'],
    parts: () => ({
      authorizationUrl(url) {
        url.searchParams.set('ui_locales', 'de')
        url.searchParams.set('example_trace', '1')
        return url
      },
    }),
  },
]

/** One for all clients of a run, which have their folders in one; other runs may go on beside it. */
function fixedPort(): number {
  const folders = dirname(dirname(process.env['TOKEN_FILE'] ?? ''))
  return 10_000 + (createHash('sha256').update(folders).digest().readUInt16BE() % 20_000)
}
