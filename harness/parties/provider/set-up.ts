/** How the provider of a run is set up: its options, its place, its client, and what is told of it. */

import { randomBytes } from 'node:crypto'
import {
  itemRoutes,
  type ClientAuthentication,
  type MockProvider,
  type MockProviderOptions,
} from '../../../mock-provider/index.ts'
import type { ProviderConfiguration } from '../provider-settings.ts'
import type { TargetConfiguration } from '../target-settings.ts'
import type { Placeholders } from '../implementation/template.ts'

/** What the provider is made with. */
export function providerOptions(options: ProviderConfiguration): MockProviderOptions {
  return {
    scopes: options.scopes,
    redirectMatching: options.redirectMatching,
    ...tokenOptions(options),
    // A token in the query is accepted here so that the suite can judge it instead of breaking the flow.
    bearerMethods: ['header', 'query', 'body'],
    resources: [
      ...itemRoutes(),
      // A host of its own serves nothing but the API.
      ...options.resources.map((route) => ({ ...route, atRoot: options.hostnames !== undefined })),
    ],
    preset: options.preset,
  }
}

/** What its access tokens are. Keys for RS256 take a while, so opaque tokens do without. */
export function tokenOptions({
  tokenFormat,
  tokenSigningAlg,
}: Pick<ProviderConfiguration, 'tokenFormat' | 'tokenSigningAlg'>): MockProviderOptions {
  return {
    accessTokenFormat: tokenFormat,
    accessTokenSigningAlg: tokenFormat === 'jwt' ? tokenSigningAlg : 'ES256',
  }
}

/** By which a client authenticates that has no secret. */
const withoutSecret: readonly ClientAuthentication[] = ['none', 'private_key_jwt']

/** How the client may authenticate, where that is known without its secret. */
function configuredMethods({ auth, keys }: ProviderConfiguration['client']) {
  return auth ?? (keys && (['private_key_jwt'] as const))
}

/** Whether no client of this implementation has a secret: they are public, or have keys. */
export function isWithoutSecret(client: ProviderConfiguration['client']): boolean {
  return configuredMethods(client)?.every((method) => withoutSecret.includes(method)) === true
}

/** Started by us: a random secret. Running already: what the vendor configured, or a public client. */
export function clientSecret(
  options: ProviderConfiguration,
  target: TargetConfiguration,
): string | undefined {
  if (isWithoutSecret(options.client)) return undefined
  if (options.client.secret) return options.client.secret
  // Under real names whoever reads it has to see that it is none.
  const begins = options.hostnames ? 'fake_cs' : 'cs'
  return target.command || target.module
    ? `${begins}_${randomBytes(24).toString('base64url')}`
    : undefined
}

/** How clients of this implementation authenticate: by its keys, or by a secret of their own. */
export function authenticationOf(
  client: ProviderConfiguration['client'],
  secret: string | undefined,
) {
  return {
    ...(secret ? { clientSecret: secret } : {}),
    ...(client.keys ? { jwks: { keys: client.keys } } : {}),
    authMethods:
      configuredMethods(client) ??
      (secret ? (['client_secret_basic', 'client_secret_post'] as const) : (['none'] as const)),
  }
}

/** Registers the client that the implementation is configured with. */
export function registerClient(
  provider: MockProvider,
  { client, scopes }: ProviderConfiguration,
  secret: string | undefined,
  own: { readonly learn: (uri: string) => boolean; readonly most?: number | undefined },
): void {
  provider.registerClient({
    clientId: client.id,
    ...authenticationOf(client, secret),
    redirectUris: client.redirectUris ?? own,
    pkce: client.pkce,
    scopes,
  })
}

/** What a configuration may say in braces of this provider. */
export function providerPlaceholders(
  provider: MockProvider,
  { client, scopes }: ProviderConfiguration,
  secret: string | undefined,
): Placeholders {
  const at = (path: string): string => provider.issuer + path
  return {
    'provider.issuer': provider.issuer,
    'provider.authorizationEndpoint': at('/authorize'),
    'provider.tokenEndpoint': at('/token'),
    'provider.parEndpoint': at('/par'),
    'provider.registrationEndpoint': at('/register'),
    'provider.revocationEndpoint': at('/revoke'),
    'provider.introspectionEndpoint': at('/introspect'),
    'provider.userinfoEndpoint': at('/userinfo'),
    'provider.jwksUri': at('/jwks'),
    'provider.clientId': client.id,
    'provider.clientSecret': secret ?? '',
    'provider.scopes': scopes.join(' '),
    'resource.url': at('/resource'),
  }
}

/** What a provider without TLS would advertise, for tools that are configured rather than discovering. */
export function insecure(url: string): string {
  return url.replace(/^https:/, 'http:')
}
