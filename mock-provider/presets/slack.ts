/** Slack, OAuth v2 without token rotation. */
import type { Preset } from './deviation.ts'
import {
  commaSeparatedScope,
  tokenMembers,
  understandCode,
  understandCodeGrant,
  understandCommas,
} from './rewrite.ts'

const access = 'https://docs.slack.dev/reference/methods/oauth.v2.access'
const rotation = 'https://docs.slack.dev/authentication/using-token-rotation'

/** Slack's name for an error. */
const ownCodes: Readonly<Record<string, string>> = {
  invalid_grant: 'invalid_code',
  invalid_client: 'bad_client_secret',
  invalid_request: 'invalid_arguments',
  unsupported_grant_type: 'invalid_grant_type',
}

const installing = 'https://docs.slack.dev/authentication/installing-with-oauth'

export const slack: Preset = {
  title: 'Slack',
  deviations: {
    'slack-authorize-path': {
      description:
        'has its authorization endpoint at /oauth/v2/authorize, and takes scopes separated by commas and requests without a response_type',
      source: `${installing}; @slack/oauth 3, install-provider`,
      verified: true,
      at: 'authorize',
      paths: ['/oauth/v2/authorize'],
      options: { scopes: ['channels:read', 'chat:write', 'commands', 'users:read'] },
      understand(situation) {
        const commas = understandCommas(situation)
        return understandCode({ ...situation, ...commas }) ?? commas
      },
    },
    'slack-token-path': {
      description:
        'has its token endpoint at /api/oauth.v2.access, and takes requests without a grant_type',
      source: `${access}; @slack/oauth 3, install-provider`,
      verified: true,
      at: 'token',
      paths: ['/api/oauth.v2.access'],
      understand: ({ form }) => ({ form: understandCodeGrant(form) }),
    },
    'slack-installation': {
      description: 'tells of the team, the app and its bot beside the token',
      source: access,
      verified: true,
      at: 'token',
      answer: tokenMembers(() => ({
        team: { id: 'T0001', name: 'Example' },
        enterprise: null,
        is_enterprise_install: false,
        app_id: 'A0001',
        bot_user_id: 'U0001',
      })),
    },
    'slack-auth-test': {
      description: 'tells at /api/auth.test whose token it is, whatever its scope',
      source: 'https://docs.slack.dev/reference/methods/auth.test; @slack/oauth 3, runAuthTest',
      verified: true,
      at: 'userinfo',
      paths: ['/api/auth.test'],
      options: { userinfoScope: '' },
      answer: (reply, { url }) =>
        typeof reply.json?.['sub'] === 'string' && url.pathname === '/api/auth.test'
          ? {
              ...reply,
              json: {
                ok: true,
                url: `${url.origin}/`,
                team: 'Example',
                team_id: 'T0001',
                user: reply.json['sub'],
                user_id: reply.json['sub'],
                bot_id: 'B0001',
              },
            }
          : reply,
    },
    'slack-comma-separated-scope': {
      description: 'separates the scopes of a token response by commas',
      source: access,
      verified: true,
      at: 'token',
      answer: commaSeparatedScope,
    },
    'slack-no-expiry': {
      description: 'sends neither expires_in nor a refresh token unless rotation is switched on',
      source: rotation,
      verified: true,
      at: 'token',
      answer: tokenMembers(() => ({ expires_in: undefined })),
      refreshToken: () => false,
    },
    'slack-token-type': {
      description: 'calls the token type bot',
      source: access,
      verified: true,
      at: 'token',
      answer: tokenMembers(() => ({ token_type: 'bot' })),
    },
    'slack-authed-user': {
      description: 'nests the token of a user in authed_user when user_scope was requested',
      source: access,
      verified: true,
      at: 'token',
      answer: tokenMembers(({ access_token, scope }, { authorization }) => {
        const id = authorization?.subject
        if (authorization?.request.extra['user_scope'] === undefined) return { authed_user: { id } }
        return {
          authed_user: { id, access_token, scope, token_type: 'user' },
          access_token: undefined,
          scope: undefined,
          token_type: undefined,
        }
      }),
    },
    'slack-envelope': {
      description: 'wraps every answer: ok tells success from failure, the status is 200 for both',
      source: access,
      verified: true,
      at: 'token',
      answer(reply) {
        const error = reply.json?.['error']
        if (typeof error !== 'string') return { ...reply, json: { ok: true, ...reply.json } }
        return {
          ...reply,
          status: 200,
          json: { ok: false, error: ownCodes[error] ?? error },
        }
      },
    },
    'slack-pkce-optional': {
      description: 'does not demand PKCE',
      source: installing,
      verified: false,
      options: { pkce: 'optional' },
    },
  },
}
