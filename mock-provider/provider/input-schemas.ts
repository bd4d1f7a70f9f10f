/** What people write down about clients, users and faults: in files, and in requests to the control API. */
import { z } from 'zod'
import { responseTypes } from '../authorization/response-types.ts'
import type { User } from '../authorization/user.ts'
import { requestObjectAlgorithms } from '../clients/request-object-algorithms.ts'
import { grantTypes, type ClientInput } from '../clients/client.ts'
import { authenticationMethods } from '../clients/presented-client.ts'
import { isUsableRedirectUri, usableRedirectUri } from '../clients/redirect-uris.ts'
import { signingAlgorithms } from '../crypto/signer.ts'
import { isFaultScope, type FaultScope } from '../faults/fault-scope.ts'
import { faults, isFaultId, type FaultId, type ScopedFaultSpec } from '../faults/index.ts'
import { exactly } from '../http/problems.ts'
import type { Branding } from '../pages/branding.ts'
import type { DirectTokenRequest } from '../tokens/issue-directly.ts'
import type { ClaimRule } from '../tokens/token-draft.ts'

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
  postLogoutRedirectUris: z.array(redirectUri).max(20).optional(),
  authMethods: z.array(z.enum(authenticationMethods)).min(1).optional(),
  authSigningAlg: text.optional(),
  dpopBoundAccessTokens: z.boolean().optional(),
  requestObjectSigningAlg: z.enum(requestObjectAlgorithms).optional(),
  idTokenSigningAlg: z.enum(signingAlgorithms).optional(),
  pkce: z.enum(['S256', 'plain', 'optional']).optional(),
  grantTypes: z.array(z.enum(grantTypes)).min(1).optional(),
  audience: z.array(text).max(20).optional(),
  responseTypes: z.array(z.enum(responseTypes)).min(1).optional(),
  scopes: z.array(text).max(100).optional(),
}).meta({ id: 'NewClient' }) satisfies z.ZodType<ClientInput>

/** A subject identifier (OpenID Connect Core §2): any text that can be encoded, lone surrogates cannot. */
export const subjectSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Surrogate}+$/u)

/** A person who can sign in. */
export const userSchema = exactly({
  subject: subjectSchema,
  name: z.string().max(200).optional(),
  email: z.string().max(320).optional(),
  claims: z.record(z.string(), z.json()).optional(),
}).meta({ id: 'User' }) satisfies z.ZodType<User>

/** What the page at which a person signs in looks like. */
export const brandingSchema = exactly({
  name: z.string().max(200).optional(),
  accentColor: text.optional(),
  backgroundColor: text.optional(),
  logo: z.string().max(200_000).optional(),
}) satisfies z.ZodType<Branding>

/** Claims for some tokens. */
export const claimRuleSchema = exactly({
  token: z.enum(['access_token', 'id_token']).optional(),
  clientId: text.optional(),
  subject: subjectSchema.optional(),
  scope: text.optional(),
  claims: z.record(z.string(), z.json()),
}).meta({ id: 'ClaimRule' }) satisfies z.ZodType<ClaimRule>

/** What a token is to be that is issued without a flow. */
export const directTokenSchema = exactly({
  subject: subjectSchema.optional(),
  clientId: text.optional(),
  scopes: z.array(text).max(100).optional(),
  audience: z.array(text).max(20).optional(),
  claims: z.record(z.string(), z.json()).optional(),
  lifetime: z.int().min(-1e9).max(1e9).optional(),
  format: z.enum(['opaque', 'jwt']).optional(),
}).meta({ id: 'NewToken' }) satisfies z.ZodType<DirectTokenRequest>

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

/** A fault to switch on, for whom it is meant included. */
export const scopedFaultSchema = z.union([
  faultIdSchema,
  exactly({ ...members, scope: faultScopeSchema.optional() }),
]) satisfies z.ZodType<ScopedFaultSpec>
