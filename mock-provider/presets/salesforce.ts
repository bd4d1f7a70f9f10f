/** Salesforce. */
import { OAuthError } from '../http/oauth-error.ts'
import type { Preset } from './deviation.ts'
import { tokenMembers } from './rewrite.ts'

const response = 'https://github.com/NangoHQ/nango/issues/327'

export const salesforce: Preset = {
  title: 'Salesforce',
  deviations: {
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
