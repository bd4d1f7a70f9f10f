/** Microsoft Entra ID. */
import { OAuthError } from '../http/oauth-error.ts'
import type { Preset } from './deviation.ts'
import { tokenMembers } from './rewrite.ts'

const missingMember = 'https://github.com/modelcontextprotocol/typescript-sdk/issues/832'
const stringNumber = 'https://github.com/modelcontextprotocol/typescript-sdk/pull/1111'
const resource = 'https://github.com/modelcontextprotocol/csharp-sdk/issues/648'
const literalTenant = 'https://github.com/MicrosoftDocs/azure-docs/issues/38427'

const codeFlow = 'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow'
const idTokens = 'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference'
const client = 'https://www.npmjs.com/package/@azure/msal-node/v/7.2.3'

/** The tenant of everybody: the one of personal accounts. */
const tenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

const refuseResource = (requested: readonly string[]) =>
  requested.length === 0
    ? undefined
    : new OAuthError(
        'invalid_request',
        "AADSTS901002: The 'resource' request parameter is not supported.",
      )

const withClientInfo = tokenMembers((_, { authorization }) => {
  const info = { uid: authorization?.subject, utid: tenant }
  return { client_info: Buffer.from(JSON.stringify(info)).toString('base64url') }
})

export const entra: Preset = {
  title: 'Microsoft Entra ID',
  deviations: {
    'entra-authorize-path': {
      description: 'has its authorization endpoint at /{tenant}/oauth2/v2.0/authorize',
      source: `${codeFlow}; ${client}`,
      verified: true,
      at: 'authorize',
      paths: ['/:tenant/oauth2/v2.0/authorize'],
      options: { scopes: ['User.Read', 'Mail.Read', 'https://graph.microsoft.com/.default'] },
    },
    'entra-token-path': {
      description: 'has its token endpoint at /{tenant}/oauth2/v2.0/token, and takes a query there',
      source: `${codeFlow}; ${client}`,
      verified: true,
      at: 'token',
      paths: ['/:tenant/oauth2/v2.0/token'],
      understand: ({ query }) => (query.pairs.length > 0 ? { search: '' } : undefined),
    },
    'entra-keys-path': {
      description: 'publishes its keys at /{tenant}/discovery/v2.0/keys',
      source: `${idTokens}; ${client}`,
      verified: true,
      at: 'jwks',
      paths: ['/:tenant/discovery/v2.0/keys'],
    },
    'entra-id-token-claims': {
      description:
        'calls the user oid and the tenant tid in ID tokens, and says ver and preferred_username',
      source: idTokens,
      verified: false,
      options: {
        tokenClaims: [
          {
            token: 'id_token',
            claims: {
              oid: '${subject}',
              tid: tenant,
              ver: '2.0',
              preferred_username: '${user.email}',
            },
          },
        ],
      },
    },
    'entra-client-info': {
      description: 'tells user and tenant in client_info to whoever asks for it',
      source: client,
      verified: true,
      at: 'token',
      answer: (reply, situation) =>
        situation.form.get('client_info') === undefined ? reply : withClientInfo(reply, situation),
    },
    'entra-expires-in-string': {
      description: 'sends expires_in as a string',
      source: stringNumber,
      verified: true,
      at: 'token',
      answer: tokenMembers(({ expires_in }) => ({ expires_in: String(expires_in) })),
    },
    'entra-no-pkce-in-metadata': {
      description: 'supports PKCE but leaves code_challenge_methods_supported out of its metadata',
      source: missingMember,
      verified: true,
      at: 'discovery',
      answer: (reply) => ({
        ...reply,
        json: { ...reply.json, code_challenge_methods_supported: undefined },
      }),
    },
    'entra-literal-tenant': {
      description: 'names an issuer that contains {tenantid} literally (the tenant common)',
      source: literalTenant,
      verified: true,
      at: 'discovery',
      answer: (reply) => ({
        ...reply,
        json: { ...reply.json, issuer: `${String(reply.json?.['issuer'])}/{tenantid}/v2.0` },
      }),
    },
    'entra-refuses-resource': {
      description: 'refuses the parameter resource at the authorization endpoint',
      source: resource,
      verified: true,
      refuseRequest: (parameters) => refuseResource(parameters.all('resource')),
    },
    'entra-refuses-resource-at-token': {
      description: 'refuses the parameter resource at the token endpoint',
      source: 'https://github.com/modelcontextprotocol/csharp-sdk/issues/741',
      verified: true,
      at: 'token',
      refuse: ({ form }) => refuseResource(form.all('resource')),
    },
    'entra-scope-required': {
      description: 'demands the parameter scope',
      source: codeFlow,
      verified: false,
      refuseRequest: (parameters) =>
        parameters.get('scope') === undefined
          ? new OAuthError(
              'invalid_request',
              "AADSTS900144: The request body must contain the following parameter: 'scope'.",
            )
          : undefined,
    },
    'entra-pkce-optional': {
      description: 'recommends PKCE without demanding it',
      source: codeFlow,
      verified: false,
      options: { pkce: 'optional' },
    },
  },
}
