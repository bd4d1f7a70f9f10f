/** The public keys by which a client's signatures are verified: registered, or published by it (RFC 7591 §2). */
import type { JWTVerifyGetKey } from 'jose'
import type { ProviderState } from '../provider/state.ts'
import type { Client } from './client.ts'
import { fetchJson } from './fetch-document.ts'

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
