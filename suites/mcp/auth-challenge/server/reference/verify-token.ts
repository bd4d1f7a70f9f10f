/** Verifies access tokens: JWTs by the keys of the issuer (RFC 9068 §4), others by asking it (RFC 7662). */

import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'

import type { Access } from './access.ts'
import type { Config } from './config.ts'

/** What a token says that is valid as such. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  readonly audience: readonly string[]
  readonly scopes: readonly string[]
}

/** The issuer, as its metadata describes it. */
export interface Issuer {
  readonly keys: JWTVerifyGetKey
  readonly introspectionEndpoint: string
}

const metadata = z.object({ jwks_uri: z.url(), introspection_endpoint: z.url() })

const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string())]).transform((aud) => [aud].flat()),
  scope: z.string().default(''),
})

/** Throws where the issuer cannot be asked. */
export async function discoverIssuer({ issuer }: Pick<Config, 'issuer'>): Promise<Issuer> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  const response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`)
  const { jwks_uri: keys, introspection_endpoint: introspectionEndpoint } = metadata.parse(
    await response.json(),
  )
  return {
    keys: createRemoteJWKSet(new URL(keys), { timeoutDuration: 15_000 }),
    introspectionEndpoint,
  }
}

/** What a JWT says; undefined where it is not valid. */
export async function verifyJwt(issuer: Issuer, config: Config, token: string): Promise<unknown> {
  try {
    const options = { issuer: config.issuer, typ: 'at+jwt', requiredClaims: ['exp'] }
    return (await jwtVerify(token, issuer.keys, options)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
      return undefined
    throw error
  }
}

/** What the issuer says about a token; undefined where it is not active. */
export async function introspect(
  { introspectionEndpoint }: Issuer,
  { clientId, clientSecret }: Config,
  token: string,
): Promise<unknown> {
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const response = await fetch(introspectionEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
  })
  if (!response.ok) throw new Error(`the introspection endpoint answered ${response.status}`)
  const said = z.looseObject({ active: z.boolean() }).parse(await response.json())
  return said.active ? said : undefined
}

/** Only tokens of this issuer for this resource (RFC 8707 §2, MCP Authorization, Token Handling). */
export function accessOf(said: Claims, accepted: { issuer: string; resource: string }): Access {
  const { issuer, subject, audience, scopes } = said
  return issuer === accepted.issuer && audience.includes(accepted.resource)
    ? { kind: 'user', subject, scopes }
    : { kind: 'invalid' }
}

/** Claims in our terms; undefined where one is missing. */
export function readClaims(said: unknown): Claims | undefined {
  const read = claims.safeParse(said)
  if (!read.success) return undefined
  const { iss: issuer, sub: subject, aud: audience, scope } = read.data
  return { issuer, subject, audience, scopes: scope.split(' ').filter(Boolean) }
}
