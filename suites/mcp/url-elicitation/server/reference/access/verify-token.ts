/** Verifies access tokens of the authorization server: JWTs by its keys, others by asking it. */

import type { JWTVerifyGetKey } from 'jose'
import * as oauth from 'oauth4webapi'

import { CallFailure } from '../failure.ts'
import { requestOptions, type Provider } from '../oauth/provider.ts'

export interface AccessClaims {
  readonly subject: string
  readonly clientId: string
  readonly audience: readonly string[]
  readonly scopes: string[]
  /** Seconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Undefined for a token that is not valid. What it is for is left to the caller. Throws a
 * CallFailure with code `provider-unavailable` when that cannot be found out.
 */
export async function verifyToken(
  provider: Provider,
  token: string,
): Promise<AccessClaims | undefined> {
  const verify = token.split('.').length === 3 ? verifyJwt : introspect
  return toClaims(await verify(provider, token))
}

type Claims = Readonly<Record<string, unknown>>

/** RFC 9068 §4. The type keeps ID tokens out, which the same key signs. */
async function verifyJwt(provider: Provider, token: string): Promise<Claims | undefined> {
  // jose is loaded at first use: no start-up needs it.
  const { jwtVerify, errors } = await import('jose')
  const keys = await keysOf(provider)
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.server.issuer,
      typ: 'at+jwt',
      requiredClaims: ['sub', 'aud', 'exp'],
    })
    return payload
  } catch (error) {
    const known = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
    if (known && !(error instanceof errors.JWKSInvalid)) return undefined
    throw new CallFailure('provider-unavailable')
  }
}

const keySets = new WeakMap<Provider, JWTVerifyGetKey>()

async function keysOf(provider: Provider): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const known = keySets.get(provider)
  if (known) return known
  const { jwks_uri: address } = provider.server
  if (address === undefined) throw new CallFailure('provider-unavailable')
  const keys = createRemoteJWKSet(new URL(address), {
    [customFetch]: (url: string) =>
      provider.fetch(url, { headers: { accept: 'application/json' } }),
  })
  keySets.set(provider, keys)
  return keys
}

/** RFC 7662. */
async function introspect(provider: Provider, token: string): Promise<Claims | undefined> {
  const { server, client, authentication } = provider
  if (server.introspection_endpoint === undefined) return undefined
  try {
    const options = requestOptions(provider)
    const response = await oauth.introspectionRequest(
      server,
      client,
      authentication,
      token,
      options,
    )
    const claims = await oauth.processIntrospectionResponse(server, client, response)
    // A refresh token is active, too, but has no token type.
    return claims.active && claims.token_type !== undefined ? claims : undefined
  } catch {
    throw new CallFailure('provider-unavailable')
  }
}

function toClaims(claims: Claims | undefined): AccessClaims | undefined {
  if (claims === undefined) return undefined
  const { sub, aud, exp, scope, client_id: clientId } = claims
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') return undefined
  return {
    subject: sub,
    clientId: typeof clientId === 'string' ? clientId : '',
    audience: [aud].flat().filter((each) => typeof each === 'string'),
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
    expiresAt: exp,
  }
}
