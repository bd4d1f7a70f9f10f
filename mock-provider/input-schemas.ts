/** What people write down about clients, users and faults: in files, and in requests to the control API. */
import { z } from 'zod'
import { grantTypes, isUsableRedirectUri, usableRedirectUri, type ClientInput } from './clients.ts'
import { isFaultScope, type FaultScope } from './fault-scope.ts'
import { faults, isFaultId, type FaultId, type ScopedFaultSpec } from './faults/index.ts'
import { authenticationMethods } from './presented-client.ts'
import { exactly } from './problems.ts'
import type { User } from './users.ts'

const text = z.string().min(1).max(2000)

const redirectUri = text.refine(isUsableRedirectUri, usableRedirectUri)

/** A client, with the redirect URIs written out. */
export const clientSchema = exactly({
  clientId: text.optional(),
  clientSecret: text.optional(),
  clientSecretExpiresAt: z.int().positive().optional(),
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(20) }).optional(),
  jwksUri: z.url().optional(),
  name: z.string().max(200).optional(),
  redirectUris: z.array(redirectUri).max(20).default([]),
  authMethods: z.array(z.enum(authenticationMethods)).min(1).optional(),
  authSigningAlg: text.optional(),
  dpopBoundAccessTokens: z.boolean().optional(),
  pkce: z.enum(['S256', 'plain', 'optional']).optional(),
  grantTypes: z.array(z.enum(grantTypes)).min(1).optional(),
  scopes: z.array(text).max(100).optional(),
}).meta({ id: 'NewClient' }) satisfies z.ZodType<ClientInput>

/** A subject identifier (OpenID Connect Core §2): any text that can be encoded, lone surrogates cannot. */
export const subjectSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Surrogate}+$/u)

export const userSchema = exactly({
  subject: subjectSchema,
  name: z.string().max(200).optional(),
  email: z.string().max(320).optional(),
}).meta({ id: 'User' }) satisfies z.ZodType<User>

export const faultIdSchema = z
  .string()
  .refine((id): id is FaultId => isFaultId(id), 'unknown fault')
  .meta({ id: 'FaultId', enum: Object.keys(faults) })

export const faultScopeSchema = z
  .string()
  .refine(
    (scope): scope is FaultScope => isFaultScope(scope),
    'unknown scope, expected issuer, next, client:ID, user:SUBJECT or authorization:ID',
  )
  .meta({
    id: 'FaultScope',
    description: 'issuer, next, client:ID, user:SUBJECT or authorization:ID',
    pattern: '^(issuer|next|(authorization|client|user):.+)$',
  })

const members = {
  fault: faultIdSchema,
  times: z.int().positive().optional(),
  value: z.string().max(2000).optional(),
}

export const faultSpecSchema = z
  .union([faultIdSchema, exactly(members)], { error: 'expected the id of a fault, or an object' })
  .meta({ id: 'FaultSpec' })

export const scopedFaultSchema = z.union([
  faultIdSchema,
  exactly({ ...members, scope: faultScopeSchema.optional() }),
]) satisfies z.ZodType<ScopedFaultSpec>
