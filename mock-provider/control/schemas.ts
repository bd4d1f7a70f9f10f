/** What the control API takes and gives. */
import { z } from 'zod'
import { exactly } from '../http/problems.ts'
import { faultIdSchema, faultScopeSchema, faultSpecSchema } from '../provider/input-schemas.ts'

export const faultSpecs = z.array(faultSpecSchema).max(100)

const switchedFault = z
  .object({
    scope: faultScopeSchema,
    fault: faultIdSchema,
    value: z.string().optional(),
    times: z.int().nonnegative().optional().meta({ description: 'how often it fires yet' }),
  })
  .meta({ id: 'SwitchedFault' })

export const faultList = z.object({
  on: z.array(switchedFault),
  known: z.array(
    z.object({
      id: faultIdSchema,
      endpoint: z.string(),
      description: z.string(),
      section: z.string().optional(),
    }),
  ),
})

const text = z.string().min(1).max(2000)

export const client = z
  .object({
    clientId: z.string(),
    clientSecret: z.string().optional(),
    name: z.string(),
    redirectUris: z.array(z.string()),
    postLogoutRedirectUris: z.array(z.string()),
    authMethods: z.array(z.string()),
    pkce: z.string(),
    idTokenSigningAlg: z.string(),
    grantTypes: z.array(z.string()),
    responseTypes: z.array(z.string()),
    audience: z.array(z.string()),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Client' })

export const authorization = z
  .object({
    id: z.string(),
    clientId: z.string(),
    subject: z.string().optional(),
    scopes: z.array(z.string()),
    status: z.enum(['pending', 'approved', 'refused', 'revoked']),
    accessTokensIssued: z.int(),
    aged: z.number().meta({ description: 'seconds by which it was aged beyond the clock' }),
    page: z.url().meta({ description: 'where it is decided' }),
  })
  .meta({ id: 'Authorization' })

export const token = z
  .object({
    kind: z.enum(['access_token', 'refresh_token']),
    value: z.string().meta({ description: 'masked' }),
    status: z.enum(['live', 'expired', 'rotated', 'revoked']),
    clientId: z.string(),
    subject: z.string(),
    scopes: z.array(z.string()),
    audience: z.array(z.string()),
    issuedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    authorization: z.string(),
  })
  .meta({ id: 'Token' })

export const tokenSet = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    scope: z.string(),
    id_token: z.string().optional(),
    refresh_token: z.string().optional(),
  })
  .meta({ id: 'TokenSet' })

export const logEvent = z
  .looseObject({
    seq: z.int(),
    at: z.number(),
    exchange: z.int(),
    endpoint: z.string(),
    type: z.string(),
    authorization: z.string().optional(),
  })
  .meta({ id: 'Event' })

export const clock = z
  .object({ now: z.iso.datetime(), ahead: z.number().meta({ description: 'seconds' }) })
  .meta({ id: 'Clock' })

export const advance = exactly({ seconds: z.number().nonnegative().max(1e10) })

export const issuer = z
  .object({ issuer: z.url(), clock, tenants: z.array(z.string()) })
  .meta({ id: 'Issuer' })

export const tenant = z.object({ name: z.string(), issuer: z.url() }).meta({ id: 'Tenant' })

export const newTenant = exactly({ name: text })

export const error = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'Error' })

export const rotation = z.object({
  previous: z
    .enum(['keep', 'withdraw'])
    .default('keep')
    .meta({ description: 'whether the previous key stays published while what it signed lives' }),
})

export const logQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0).meta({ description: 'a seq' }),
  limit: z.coerce.number().int().positive().max(10_000).default(1000),
})
