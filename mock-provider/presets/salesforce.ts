/** Salesforce. */
import { OAuthError } from '../http/oauth-error.ts'
import type { Preset } from './deviation.ts'
import { replaceParameter, tokenMembers } from './rewrite.ts'

const webServerFlow =
  'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_web_server_flow.htm'
const client = 'https://www.npmjs.com/package/jsforce/v/3.10.16'

const response = 'https://github.com/NangoHQ/nango/issues/327'

export const salesforce: Preset = {
  title: 'Salesforce',
  deviations: {
    'salesforce-authorize-path': {
      description:
        'has its authorization endpoint at /services/oauth2/authorize, and takes a code_challenge without a method for S256',
      source: `${webServerFlow}; ${client}`,
      verified: true,
      at: 'authorize',
      paths: ['/services/oauth2/authorize'],
      understand: ({ query }) =>
        query.get('code_challenge') === undefined ||
        query.get('code_challenge_method') !== undefined
          ? undefined
          : { query: replaceParameter(query, 'code_challenge_method', 'S256') },
    },
    'salesforce-token-path': {
      description:
        'has its token endpoint at /services/oauth2/token, and takes a code_verifier of 128 bytes, which is longer than an RFC allows',
      source: `${webServerFlow}; ${client}`,
      verified: true,
      at: 'token',
      paths: ['/services/oauth2/token'],
      options: { longVerifiers: true },
    },
    'salesforce-revokes-for-anybody': {
      description: 'revokes whatever token it is told at /services/oauth2/revoke, without a client',
      source: client,
      verified: true,
      at: 'revoke',
      paths: ['/services/oauth2/revoke'],
      options: { revokesForAnybody: true },
    },
    'salesforce-no-expires-in': {
      description: 'sends no expires_in',
      source: response,
      verified: true,
      at: 'token',
      answer: tokenMembers(() => ({ expires_in: undefined })),
    },
    'salesforce-issued-at-string': {
      description: 'sends issued_at as a string of milliseconds, with members of its own',
      source: response,
      verified: true,
      at: 'token',
      answer: tokenMembers((_, { authorization, url, now }) => ({
        issued_at: String(now),
        instance_url: url.origin,
        id: `${url.origin}/id/${authorization?.subject}`,
      })),
    },
    'salesforce-refuses-scope-on-refresh': {
      description: 'refuses the parameter scope in a refresh',
      source: 'https://github.com/danny-avila/LibreChat/pull/13412',
      verified: true,
      at: 'token',
      refuse: ({ form }) =>
        form.get('grant_type') === 'refresh_token' && form.get('scope') !== undefined
          ? new OAuthError('invalid_request', 'scope parameter not supported')
          : undefined,
    },
    'salesforce-refresh-token-scope': {
      description: 'returns a refresh token only for the scope refresh_token or offline_access',
      source: 'https://github.com/joshbirk/passport-forcedotcom/issues/12',
      verified: true,
      options: { scopes: ['refresh_token', 'full', 'api', 'id'] },
      refreshToken: ({ scopes }) =>
        scopes.includes('refresh_token') || scopes.includes('offline_access'),
    },
  },
}
