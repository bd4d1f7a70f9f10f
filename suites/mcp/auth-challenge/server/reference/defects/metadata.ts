/** Defects of where the challenge leads. */

import type { Defect } from '../variation.ts'
import type { Parts } from '../parts.ts'

export const metadataDefects: readonly Defect[] = [
  {
    id: 'challenge-without-metadata',
    description: 'the challenge has no resource_metadata',
    parts: (defaults) => ({
      challengeParameters(need) {
        const { resource_metadata: _, ...others } = defaults.challengeParameters(need)
        return others
      },
    }),
  },
  {
    id: 'metadata-url-relative',
    description: 'resource_metadata is a path',
    parts: (defaults) => ({
      challengeParameters: (need) => ({
        ...defaults.challengeParameters(need),
        resource_metadata: defaults.metadataPath,
      }),
    }),
  },
  {
    id: 'metadata-missing',
    description: 'where resource_metadata leads there is nothing',
    parts: () => ({ serveMetadata: () => new Response('Not found', { status: 404 }) }),
  },
  {
    id: 'metadata-redirects',
    description: 'the metadata is reached by a redirect only',
    parts: (defaults) => ({
      serveMetadata: () =>
        new Response(null, { status: 302, headers: { location: `${defaults.metadataPath}/` } }),
    }),
  },
  {
    id: 'metadata-is-a-page',
    description: 'the metadata is a page for people',
    parts: () => ({
      serveMetadata: () =>
        new Response('<h1>Notes</h1>', { headers: { 'content-type': 'text/html' } }),
    }),
  },
  {
    id: 'metadata-as-text',
    description: 'the metadata is JSON, but says that it is plain text',
    parts: () => ({
      serveMetadata: (metadata) =>
        new Response(JSON.stringify(metadata), { headers: { 'content-type': 'text/plain' } }),
    }),
  },
  {
    id: 'metadata-of-the-issuer',
    description: 'resource_metadata leads to the metadata of the authorization server',
    parts: () => ({
      describeResource: (_publicUrl, issuer) => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      }),
    }),
  },
  {
    id: 'metadata-without-resource',
    description: 'the metadata does not name the resource',
    parts: (defaults) => described(defaults, ({ resource: _resource, ...others }) => others),
  },
  {
    id: 'metadata-without-servers',
    description: 'the metadata names no authorization server',
    parts: (defaults) =>
      described(defaults, (metadata) => ({ ...metadata, authorization_servers: [] })),
  },
  {
    id: 'metadata-of-another-resource',
    description: 'the metadata names another resource',
    parts: (defaults) =>
      described(defaults, (metadata) => ({ ...metadata, resource: 'https://files.example/mcp' })),
  },
  {
    id: 'metadata-of-another-path',
    description: 'the metadata names another path of the same host',
    parts: (defaults) =>
      described(defaults, (metadata) => ({
        ...metadata,
        resource: `${String(metadata['resource'])}-v2`,
      })),
  },
  {
    id: 'metadata-of-the-host',
    description:
      'the metadata names the host instead of the endpoint, and tokens for it are accepted',
    parts: (defaults) => ({
      ...described(defaults, (metadata) => ({
        ...metadata,
        resource: new URL(String(metadata['resource'])).origin,
      })),
      accessOf: (claims, { issuer, resource }) =>
        defaults.accessOf(claims, { issuer, resource: new URL(resource).origin }),
    }),
  },
  {
    id: 'metadata-names-issuer-wrongly',
    description: 'the authorization server is named by the URL of its metadata',
    parts: (defaults) => ({
      describeResource: (publicUrl, issuer) =>
        defaults.describeResource(publicUrl, `${issuer}/.well-known/oauth-authorization-server`),
    }),
  },
  {
    id: 'metadata-names-unknown-issuer',
    description: 'the authorization server that is named does not exist',
    parts: (defaults) => ({
      describeResource: (publicUrl, issuer) =>
        defaults.describeResource(publicUrl, `${issuer}/tenant`),
    }),
  },
  {
    id: 'host-from-forwarded-host',
    description: 'the public URL is taken from X-Forwarded-Host, whoever sent it',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const host = headers.get('x-forwarded-host')
        return host === null ? defaults.publicUrlOf(config, headers) : `http://${host}`
      },
    }),
  },
  {
    id: 'host-from-a-whole-proxy',
    description: 'X-Forwarded-Host is believed where X-Forwarded-Proto stands beside it',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const [host, scheme] = [headers.get('x-forwarded-host'), headers.get('x-forwarded-proto')]
        const own = defaults.publicUrlOf(config, headers)
        return host === null || scheme === null ? own : `${scheme}://${host}`
      },
    }),
  },
  {
    id: 'host-remembered-by-session',
    description: 'the host that X-Forwarded-Host named is that of the next request of its session',
    parts: (defaults) => {
      const named = new Map<string, string>()
      return {
        publicUrlOf(config, headers) {
          const session = headers.get('mcp-session-id') ?? ''
          const [host, before] = [headers.get('x-forwarded-host'), named.get(session)]
          if (host !== null && session !== '') named.set(session, host)
          const own = defaults.publicUrlOf(config, headers)
          return host !== null || before === undefined ? own : `http://${before}`
        },
      }
    },
  },
  {
    id: 'host-from-origin',
    description: 'the public URL is taken from Origin, wherever the request comes from',
    parts: (defaults) => ({
      publicUrlOf: (config, headers) =>
        headers.get('origin') ?? defaults.publicUrlOf(config, headers),
    }),
  },
  {
    id: 'host-from-forwarded',
    description: 'the public URL is taken from Forwarded, whoever sent it',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const host = /host=([^;,]+)/.exec(headers.get('forwarded') ?? '')?.[1]
        return host === undefined ? defaults.publicUrlOf(config, headers) : `https://${host}`
      },
    }),
  },
  {
    id: 'scheme-from-forwarded-proto',
    description: 'the scheme of the public URL is taken from X-Forwarded-Proto, whoever sent it',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const own = defaults.publicUrlOf(config, headers)
        const scheme = headers.get('x-forwarded-proto')
        return scheme === null ? own : own.replace(/^\w+:/, `${scheme}:`)
      },
    }),
  },
  {
    id: 'port-from-forwarded-port',
    description: 'the port of the public URL is taken from X-Forwarded-Port, whoever sent it',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const own = new URL(defaults.publicUrlOf(config, headers))
        own.port = headers.get('x-forwarded-port') ?? own.port
        return own.origin
      },
    }),
  },
  {
    id: 'path-from-forwarded-prefix',
    description: 'X-Forwarded-Prefix is put before the path of the public URL, whoever sent it',
    parts: (defaults) => ({
      publicUrlOf: (config, headers) =>
        defaults.publicUrlOf(config, headers) + (headers.get('x-forwarded-prefix') ?? ''),
    }),
  },
  {
    id: 'host-from-original-host',
    description: 'the public URL is taken from X-Original-Host, whoever sent it',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const host = headers.get('x-original-host')
        return host === null ? defaults.publicUrlOf(config, headers) : `https://${host}`
      },
    }),
  },
  {
    id: 'host-from-rarer-headers',
    description: 'the public URL is taken from X-Forwarded-Server, X-Host or X-Original-URL',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const url = headers.get('x-original-url')
        const host = headers.get('x-forwarded-server') ?? headers.get('x-host')
        if (url !== null && URL.canParse(url)) return new URL(url).origin
        return host === null ? defaults.publicUrlOf(config, headers) : `http://${host}`
      },
    }),
  },
  {
    id: 'metadata-follows-forwarded-host',
    description: 'the document alone is made from X-Forwarded-Host; the challenge is not',
    parts: (defaults) => {
      let claimed: string | undefined
      return {
        publicUrlOf(config, headers) {
          claimed = headers.get('x-forwarded-host') ?? undefined
          return defaults.publicUrlOf(config, headers)
        },
        describeResource: (publicUrl, issuer) =>
          defaults.describeResource(claimed ? `http://${claimed}` : publicUrl, issuer),
      }
    },
  },
]

function described(
  defaults: Parts,
  alter: (metadata: Record<string, unknown>) => Record<string, unknown>,
): Partial<Parts> {
  return {
    describeResource: (publicUrl, issuer) => alter(defaults.describeResource(publicUrl, issuer)),
  }
}
