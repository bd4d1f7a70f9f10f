/** Microsoft Entra ID. */
import { OAuthError } from '../http/oauth-error.ts'
import type { Preset } from './deviation.ts'
import { tokenMembers } from './rewrite.ts'

const missingMember = 'https://github.com/modelcontextprotocol/typescript-sdk/issues/832'
const stringNumber = 'https://github.com/modelcontextprotocol/typescript-sdk/pull/1111'
const resource = 'https://github.com/modelcontextprotocol/csharp-sdk/issues/648'
const literalTenant = 'https://github.com/MicrosoftDocs/azure-docs/issues/38427'

const refuseResource = (requested: readonly string[]) =>
  requested.length === 0
    ? undefined
    : new OAuthError(
        'invalid_request',
        "AADSTS901002: The 'resource' request parameter is not supported.",
      )

export const entra: Preset = {
  title: 'Microsoft Entra ID',
  deviations: {
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
      source: 'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow',
      verified: false,
      refuseRequest: (parameters) =>
        parameters.get('scope') === undefined
          ? new OAuthError(
              'invalid_request',
              "AADSTS900144: The request body must contain the following parameter: 'scope'.",
            )
          : undefined,
    },
  },
}
