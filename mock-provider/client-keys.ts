/** The public keys by which a client's signatures are verified: registered, or published by it (RFC 7591 §2). */
import type { JWTVerifyGetKey } from 'jose'
import type { Client } from './clients.ts'
import { fetchJson } from './fetch-document.ts'
import type { ProviderState } from './state.ts'

/** A set of public keys (RFC 7517 §5). */
export interface JwkSet {
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

/**
 * The keys of a client. A published set is fetched when it is first needed, and again when it lacks
 * the key in question, so that a client can rotate its keys at any time.
 */
export async function clientKeys(
  { settings, publishedKeys }: ProviderState,
  { jwks, jwksUri }: Pick<Client, 'jwks' | 'jwksUri'>,
): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet, createRemoteJWKSet, customFetch } = await import('jose')
  if (jwksUri === undefined) return createLocalJWKSet({ keys: [...(jwks?.keys ?? [])] })
  const known = publishedKeys.get(jwksUri)
  const keys =
    known ??
    createRemoteJWKSet(new URL(jwksUri), {
      [customFetch]: async (url: string) => Response.json(await fetchJson(settings.fetch, url)),
      cooldownDuration: 0,
    })
  publishedKeys.set(jwksUri, keys)
  return keys
}

/** Tells whether every key is public and asymmetric: what a provider is given may be published. */
export function arePublicKeys({ keys }: JwkSet): boolean {
  return keys.every((key) => !('d' in key) && !('k' in key) && key['kty'] !== 'oct')
}
