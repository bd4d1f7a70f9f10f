/** The OAuth 2.1 server of Supabase Auth. */
import type { Preset } from './deviation.ts'
import { ignoreResource } from './rewrite.ts'

const resource = 'https://github.com/supabase/auth/issues/2610'

export const supabase: Preset = {
  title: 'Supabase Auth',
  deviations: {
    'supabase-authorize-path': {
      description: 'has its authorization endpoint at /auth/v1/oauth/authorize',
      source: resource,
      verified: true,
      at: 'authorize',
      paths: ['/oauth/authorize', '/auth/v1/oauth/authorize'],
    },
    'supabase-token-path': {
      description: 'has its token endpoint at /auth/v1/oauth/token',
      source: 'https://supabase.com/docs/guides/auth/oauth-server/oauth-flows',
      verified: false,
      at: 'token',
      paths: ['/oauth/token', '/auth/v1/oauth/token'],
    },
    'supabase-keys-path': {
      description: 'publishes its keys at /auth/v1/.well-known/jwks.json',
      source: 'https://gofastmcp.com/python-sdk/fastmcp-server-auth-providers-supabase',
      verified: true,
      at: 'jwks',
      paths: ['/.well-known/jwks.json', '/auth/v1/.well-known/jwks.json'],
    },
    'supabase-ignores-resource': {
      description: 'takes resource in an authorization request, and ignores it',
      source: resource,
      verified: true,
      at: 'authorize',
      understand: ignoreResource,
    },
    'supabase-ignores-resource-at-token': {
      description: 'takes resource in a token request, and ignores it',
      source: resource,
      verified: true,
      at: 'token',
      understand: ignoreResource,
    },
    'supabase-audience': {
      description: 'issues access tokens for the audience "authenticated", whatever was asked for',
      source: resource,
      verified: true,
      options: {
        tokenClaims: [{ token: 'access_token', claims: { aud: 'authenticated' } }],
      },
    },
  },
}
