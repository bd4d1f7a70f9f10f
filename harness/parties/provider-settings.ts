/** The provider that the implementation under test meets, as its vendor configures it. */

import { z } from 'zod'
import type { ClientAuthentication, PresetName } from '../../mock-provider/index.ts'
import { shortestSecret } from '../engine/recording/secrets/encodings.ts'

/** RFC 1123 §2.1, of two labels and more; the last one has a letter, so that it is no address. */
const hostName =
  /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?=[a-z\d-]*[a-z])[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

const oneHostName = z
  .string()
  .regex(hostName, 'expected a host name in lower case, such as provider.test, and no address')

/** Where an implementation that resolves names in another way is led to, nothing real may be told. */
const fake = /fake/i

/** The names of all presets, which are not loaded for them. */
export const presetNames = [
  'atlassian',
  'auth0',
  'entra',
  'figma',
  'github',
  'google',
  'keycloak',
  'linear',
  'notion',
  'salesforce',
  'slack',
  'supabase',
] as const satisfies readonly PresetName[]

/** Those of providers that never issue a refresh token. */
export const presetsWithoutRefreshTokens: readonly string[] = [
  'github',
  'slack',
] satisfies PresetName[]

const authenticationMethods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const satisfies readonly ClientAuthentication[]

/** RFC 7518 §6: what a private key, or one of a symmetric algorithm, has beside what may be published. */
const privateMembers = ['d', 'k']

const publicKey = z
  .looseObject({ kty: z.string() })
  .refine(
    (key) => !privateMembers.some((member) => member in key),
    'expected a public key, without the members d and k',
  )

const providerSettings = z.strictObject({
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe('Port of the mock provider; 0 takes a free one.')
    .meta({
      flag: '--provider-port <number>',
      reads: 'whole number',
      help: 'port of the mock provider',
    }),
  hostname: oneHostName
    .optional()
    .describe(
      'Host name of the mock provider, for implementations that refuse addresses and localhost; it has to resolve to 127.0.0.1 in them.',
    )
    .meta({
      flag: '--provider-hostname <name>',
      help: 'host name of the mock provider, instead of 127.0.0.1',
      example: 'provider.test',
    }),
  hostnames: z
    .array(oneHostName)
    .min(1)
    .optional()
    .describe(
      'Names of a real provider, under which the mock provider and its API are reached at port 443 by an implementation that is started; the first one is the issuer.',
    )
    .meta({
      flag: '--provider-hostnames <names>',
      reads: 'words',
      help: 'names of a real provider, for an implementation that knows no other; separated by blanks or commas',
      example: ['github.com', 'api.github.com'],
    }),
  preset: z
    .enum(presetNames)
    .optional()
    .describe('The real provider whose paths and deviations from the RFCs it has.')
    .meta({
      flag: '--provider-preset <name>',
      help: 'real provider whose paths and deviations it has',
      example: 'github',
    }),
  authority: z
    .string()
    .optional()
    .describe(
      'Folder of a certificate authority that is kept between runs (made if missing); default: a new one for each run.',
    )
    .meta({
      flag: '--authority <dir>',
      reads: 'path',
      help: 'keep the certificate authority of the mock provider here',
      example: './conformance-ca',
    }),
  client: z
    .strictObject({
      id: z
        .string()
        .min(1)
        .default('client-1')
        .meta({ flag: '--client-id <id>', help: 'OAuth client that it is configured with' }),
      secret: z
        .string()
        .min(
          shortestSecret,
          `expected at least ${shortestSecret} characters, so that a leak can be proven`,
        )
        .optional()
        .describe('Default: a random one where the harness starts the implementation.')
        .meta({
          flag: '--client-secret-env <name>',
          reads: 'environment',
          help: 'environment variable with the secret of that client',
          example: 'at-least-sixteen-characters',
        }),
      auth: z
        .array(z.enum(authenticationMethods))
        .min(1)
        .optional()
        .describe(
          'How it authenticates at the token endpoint; default: basic or post, or private_key_jwt where it has keys.',
        )
        .meta({ example: ['client_secret_basic'] }),
      keys: z
        .array(publicKey)
        .min(1)
        .max(20)
        .optional()
        .describe(
          'Its public keys, as JWKs, where its private ones sign assertions (RFC 7523 §2.2).',
        )
        .meta({ example: [{ kty: 'EC', crv: 'P-256', x: '...', y: '...' }] }),
      redirectUris: z
        .array(z.string().refine((uri) => URL.canParse(uri), 'expected an absolute URI'))
        .min(1)
        .optional()
        .describe(
          'Registered redirect URIs; default: the first one that is seen at the origin of the implementation.',
        )
        .meta({ example: ['http://127.0.0.1:8080/oauth/callback'] }),
      pkce: z.enum(['S256', 'plain', 'optional']).default('optional'),
    })
    .prefault({}),
  redirectMatching: z
    .enum(['exact', 'ignore-query'])
    .default('exact')
    .describe('RFC 9700 §2.1 demands exact matching; ignore-query relaxes just this rule.'),
  scopes: z
    .array(z.string())
    .default(['openid', 'profile', 'email', 'offline_access', 'items:read', 'items:write']),
  tokenFormat: z.enum(['opaque', 'jwt']).default('opaque'),
  tokenSigningAlg: z
    .enum(['RS256', 'ES256', 'EdDSA'])
    .default('RS256')
    .describe(
      'The algorithm that signs access tokens that are JWTs; by RFC 9068 §2.1 everybody supports the first.',
    ),
  resources: z
    .array(
      z.strictObject({ method: z.string(), path: z.string().startsWith('/'), scope: z.string() }),
    )
    .default([])
    .describe(
      'Further routes of the protected API below {resource.url}; with provider.hostnames also without that prefix.',
    ),
})

/** The settings of the mock provider. */
export const providerSchema = providerSettings
  .refine(({ hostname, hostnames }) => !(hostname && hostnames), {
    path: ['hostnames'],
    message: 'give either hostname or hostnames, not both',
  })
  .refine(({ port, hostnames }) => !hostnames || port === 0, {
    path: ['port'],
    message: 'under real names (provider.hostnames) the port is 443',
  })
  .refine(({ client }) => !client.auth?.includes('private_key_jwt') || client.keys, {
    path: ['client', 'keys'],
    message: 'private_key_jwt needs the public keys of the client',
  })
  .refine(({ client, hostnames }) => !hostnames || !client.secret || fake.test(client.secret), {
    path: ['client', 'secret'],
    message:
      'with provider.hostnames the secret has to be visibly fake (contain "fake"), because an implementation that resolves names in another way sends it to the real provider',
  })

/** How the mock provider is set up for a run. */
export type ProviderConfiguration = z.infer<typeof providerSchema>
