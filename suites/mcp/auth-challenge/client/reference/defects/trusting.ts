/** Defects: what a server says is believed. */

import { get } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'

/** Metadata at well-known paths of that name is taken for missing. */
const unless =
  ({ fetchMetadata }: Parts, name: string): Parts['fetchMetadata'] =>
  (url, init) =>
    String(url).includes(name)
      ? Promise.resolve(new Response(null, { status: 404 }))
      : fetchMetadata(url, init)

/** A GET that takes every certificate. */
function getUnverified(url: URL): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, headers: { accept: 'application/json' } }
    const request = get(url, options, (response) => {
      text(response).then(
        (body) => resolve(new Response(body, { status: response.statusCode ?? 500 })),
        reject,
      )
    })
    request.once('error', reject)
  })
}

/** The origin of an issuer, and the well-known part of the path, each perhaps with the issuer's path behind it. */
const issuerPath =
  /^(https?:\/\/[^/]+)(?:\/[^.]*)?(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))(?:\/.*)?$/

export const trustingDefects: readonly Defect[] = [
  {
    id: 'token-in-query-as-well',
    description: 'the token stands in the URL of requests too, beside the header',
    parts: ({ send }) => ({
      send(url, init) {
        const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length)
        const at = new URL(url)
        if (token !== undefined) at.searchParams.set('access_token', token)
        return send(at, init)
      },
    }),
  },
  {
    id: 'resource-checked-where-present',
    description: 'metadata that names no resource is taken for that of the server',
    parts: ({ fetchMetadata }) => ({
      async fetchMetadata(url, init) {
        const response = await fetchMetadata(url, init)
        if (!response.ok || !String(url).includes('oauth-protected-resource')) return response
        const text = await response.text()
        const endpoint = new URL('/mcp', url).href
        const named = text.includes('"resource"')
          ? text
          : text.replace('{', `{"resource":${JSON.stringify(endpoint)},`)
        return new Response(named, response)
      },
    }),
  },
  {
    id: 'resource-unchecked',
    description: 'whichever resource the metadata names, it is believed',
    parts: () => ({ coversEndpoint: () => true }),
  },
  {
    id: 'resource-checked-once',
    description: 'the resource is looked at in the first metadata alone that a client reads',
    parts({ coversEndpoint }) {
      let isChecked = false
      return {
        coversEndpoint(resource, endpoint) {
          const isRight = isChecked || coversEndpoint(resource, endpoint)
          isChecked = true
          return isRight
        },
      }
    },
  },
  {
    id: 'resource-checked-by-origin',
    description: 'every resource at the origin of the server is taken for the server',
    parts: () => ({
      coversEndpoint: (resource, endpoint) =>
        URL.canParse(resource) && new URL(resource).origin === new URL(endpoint).origin,
    }),
  },
  {
    id: 'resource-compared-the-other-way',
    description: 'metadata is believed where its resource begins with the URL of the server',
    parts: ({ coversEndpoint }) => ({
      coversEndpoint: (resource, endpoint) =>
        coversEndpoint(resource, endpoint) || resource.startsWith(endpoint),
    }),
  },
  {
    id: 'resource-compared-as-text',
    description: 'metadata is believed where the URL of the server begins with its resource',
    parts: () => ({ coversEndpoint: (resource, endpoint) => endpoint.startsWith(resource) }),
  },
  {
    id: 'metadata-issuer-unchecked',
    description: 'the issuer in the metadata of an authorization server is not compared',
    parts: () => ({ checksIssuer: () => false }),
  },
  {
    id: 'metadata-issuer-by-origin',
    description: 'of the issuer in the metadata of an authorization server only the origin counts',
    parts: (defaults) => ({
      checksIssuer: () => false,
      supportsPkce: (server) =>
        new URL(server.issuer).origin === new URL(server.token_endpoint).origin &&
        defaults.supportsPkce(server),
    }),
  },
  {
    id: 'metadata-issuer-checked-where-present',
    description: 'metadata of an authorization server that names no issuer is taken for its own',
    parts: ({ fetchMetadata }) => ({
      async fetchMetadata(url, init) {
        const response = await fetchMetadata(url, init)
        if (!response.ok || String(url).includes('oauth-protected-resource')) return response
        const metadata = (await response.json()) as object
        return Response.json({ issuer: new URL(url).origin, ...metadata })
      },
    }),
  },
  {
    id: 'pkce-support-unverified-by-openid',
    description: 'whether an OpenID provider supports PKCE is not looked at',
    parts({ fetchMetadata, supportsPkce }) {
      let isByOpenid = false
      return {
        fetchMetadata(url, init) {
          isByOpenid = String(url).includes('openid-configuration')
          return fetchMetadata(url, init)
        },
        supportsPkce: (server) => isByOpenid || supportsPkce(server),
      }
    },
  },
  {
    id: 'pkce-support-unverified',
    description: 'whether the authorization server supports PKCE is not looked at',
    parts: () => ({ supportsPkce: () => true }),
  },
  {
    id: 'pkce-support-by-presence',
    description: 'a list of the methods of PKCE says that it is supported, whatever stands in it',
    parts: ({ fetchMetadata }) => ({
      async fetchMetadata(url, init) {
        const response = await fetchMetadata(url, init)
        const text = await response.text()
        const named = '"code_challenge_methods_supported":'
        return new Response(text.replace(`${named}[]`, `${named}["S256"]`), response)
      },
    }),
  },
  {
    id: 'resource-of-any-scheme',
    description: 'a resource without TLS is taken for the server with TLS at that host',
    parts: ({ coversEndpoint }) => ({
      coversEndpoint: (resource, endpoint) =>
        coversEndpoint(resource.replace(/^http:/, 'https:'), endpoint),
    }),
  },
  {
    id: 'resource-in-any-case',
    description: 'the resource is compared without regard to case',
    parts: ({ coversEndpoint }) => ({
      coversEndpoint: (resource, endpoint) =>
        coversEndpoint(resource.toLowerCase(), endpoint.toLowerCase()),
    }),
  },
  {
    id: 'endpoint-begins-like-https',
    description: 'what begins with https is opened',
    parts: ({ mayOpen }) => ({
      mayOpen: (url, endpoint) => mayOpen(url, endpoint) || url.startsWith('https'),
    }),
  },
  {
    id: 'endpoint-holds-https',
    description: 'what has https: anywhere is opened',
    parts: ({ mayOpen }) => ({
      mayOpen: (url, endpoint) => mayOpen(url, endpoint) || url.includes('https:'),
    }),
  },
  {
    id: 'any-endpoint-opened',
    description: 'whatever the metadata has for an authorization endpoint is opened',
    parts: () => ({ mayOpen: () => true }),
  },
  {
    id: 'redeems-anywhere',
    description: 'the code is sent to whatever the metadata has for a token endpoint',
    parts: () => ({ mayRedeemAt: () => true }),
  },
  {
    id: 'http-fetched',
    description: 'metadata is fetched without TLS as well',
    parts: () => ({ isSafe: (url) => URL.canParse(url) }),
  },
  {
    id: 'redirects-followed',
    description: 'metadata is fetched wherever a redirect leads',
    parts: () => ({ fetchMetadata: (url, init) => fetch(url, { ...init, redirect: 'follow' }) }),
  },
  {
    id: 'metadata-of-any-certificate',
    description: 'metadata is fetched without a look at certificates',
    parts: () => ({ fetchMetadata: (url) => getUnverified(new URL(url)) }),
  },
  {
    id: 'issuer-path-dropped',
    description: 'metadata of an authorization server is looked for at the root of its origin',
    parts: ({ fetchMetadata }) => ({
      fetchMetadata: (url, init) => fetchMetadata(String(url).replace(issuerPath, '$1$2'), init),
    }),
  },
  {
    id: 'issuer-path-behind-alone',
    description: 'metadata of an issuer with a path is not looked for below that path',
    parts: ({ fetchMetadata }) => ({
      fetchMetadata: (url, init) =>
        /[^/]\/[^/.]+\/\.well-known\/openid-configuration$/.test(String(url))
          ? Promise.resolve(new Response(null, { status: 404 }))
          : fetchMetadata(url, init),
    }),
  },
  {
    id: 'oauth-metadata-alone',
    description: 'metadata of OpenID Connect Discovery is not looked for',
    parts: (defaults) => ({ fetchMetadata: unless(defaults, 'openid-configuration') }),
  },
  {
    id: 'openid-metadata-alone',
    description: 'metadata of RFC 8414 is not looked for',
    parts: (defaults) => ({ fetchMetadata: unless(defaults, 'oauth-authorization-server') }),
  },
  {
    id: 'stuck-after-failure',
    description: 'after a flow that could not begin no further call is made',
    parts: ({ authorize }) => {
      let stuck = false
      return {
        mayCall: () => (stuck ? new Promise(() => undefined) : Promise.resolve(true)),
        authorize: (signIn) =>
          authorize(signIn).catch((error: unknown) => {
            stuck = true
            throw error
          }),
      }
    },
  },
]
