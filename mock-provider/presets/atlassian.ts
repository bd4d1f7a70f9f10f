/** Atlassian, OAuth 2.0 (3LO). */
import { OAuthError } from '../http/oauth-error.ts'
import type { Preset } from './deviation.ts'

const threeLegged = 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps'

export const atlassian: Preset = {
  title: 'Atlassian',
  deviations: {
    'atlassian-token-path': {
      description: 'has its token endpoint at /oauth/token',
      source: `${threeLegged}; arctic 3, src/providers/atlassian.ts`,
      verified: true,
      at: 'token',
      paths: ['/oauth/token'],
    },
    'atlassian-audience-required': {
      description: 'demands audience=api.atlassian.com and prompt=consent',
      source: threeLegged,
      verified: true,
      refuseRequest(parameters) {
        const [audience, prompt] = ['audience', 'prompt'].map((name) => parameters.get(name))
        const complete = audience === 'api.atlassian.com' && prompt === 'consent'
        return complete
          ? undefined
          : new OAuthError('invalid_request', 'audience and prompt=consent are required')
      },
    },
    'atlassian-offline-access': {
      description: 'returns a refresh token only for the scope offline_access',
      source: threeLegged,
      verified: true,
      refreshToken: ({ scopes }) => scopes.includes('offline_access'),
    },
    'atlassian-dead-refresh-403': {
      description: 'refuses a refresh token that is used up or expired with status 403',
      source: `${threeLegged}#faq1`,
      verified: true,
      at: 'token',
      answer: (reply, { form }) =>
        reply.json?.['error'] === 'invalid_grant' && form.get('grant_type') === 'refresh_token'
          ? {
              ...reply,
              status: 403,
              json: { ...reply.json, error_description: 'Unknown or invalid refresh token.' },
            }
          : reply,
    },
    'atlassian-issuer-mismatch': {
      description: 'names another issuer in its metadata than the one it is found under',
      source: 'https://github.com/atlassian/atlassian-mcp-server/issues/205',
      verified: true,
      at: 'discovery',
      answer: (reply) => ({
        ...reply,
        json: { ...reply.json, issuer: 'https://auth.atlassian.com' },
      }),
    },
    'atlassian-pkce-optional': {
      description: 'does not demand PKCE',
      source: threeLegged,
      verified: true,
      options: { pkce: 'optional' },
    },
  },
}
