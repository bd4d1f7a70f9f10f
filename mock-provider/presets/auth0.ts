/** Auth0, a tenant with default settings. */
import type { Preset } from './deviation.ts'
import { ignoreResource, understandJson } from './rewrite.ts'

const api = 'https://auth0.com/docs/api/authentication'
const client = 'arctic 3, src/providers/auth0.ts'
const compatibility = 'https://auth0.com/ai/docs/mcp/guides/resource-param-compatibility-profile'

export const auth0: Preset = {
  title: 'Auth0',
  deviations: {
    'auth0-token-path': {
      description: 'has its token endpoint at /oauth/token, and takes JSON there',
      source: `${api}; ${client}`,
      verified: true,
      at: 'token',
      paths: ['/oauth/token'],
      understand: understandJson,
    },
    'auth0-revoke-path': {
      description: 'revokes at /oauth/revoke',
      source: `${api}; ${client}`,
      verified: true,
      at: 'revoke',
      paths: ['/oauth/revoke'],
    },
    'auth0-keys-path': {
      description: 'publishes its keys at /.well-known/jwks.json',
      source: 'https://auth0.com/docs/secure/tokens/json-web-tokens/json-web-key-sets',
      verified: false,
      at: 'jwks',
      paths: ['/.well-known/jwks.json'],
    },
    'auth0-ignores-resource': {
      description: 'goes by audience alone in an authorization request, and ignores resource',
      source: compatibility,
      verified: true,
      at: 'authorize',
      understand: ignoreResource,
    },
    'auth0-ignores-resource-at-token': {
      description: 'ignores resource in a token request, too',
      source: compatibility,
      verified: true,
      at: 'token',
      understand: ignoreResource,
    },
    'auth0-pkce-optional': {
      description: 'does not demand PKCE',
      source: `${api}; ${client}`,
      verified: true,
      options: { pkce: 'optional' },
    },
  },
}
