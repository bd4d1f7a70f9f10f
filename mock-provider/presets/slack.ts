/** Slack, OAuth v2 without token rotation. */
import type { Preset } from './deviation.ts'
import { commaSeparatedScope, tokenMembers, understandCommas } from './rewrite.ts'

const access = 'https://docs.slack.dev/reference/methods/oauth.v2.access'
const rotation = 'https://docs.slack.dev/authentication/using-token-rotation'

/** Slack's name for an error. */
const ownCodes: Readonly<Record<string, string>> = {
  invalid_grant: 'invalid_code',
  invalid_client: 'bad_client_secret',
  invalid_request: 'invalid_arguments',
  unsupported_grant_type: 'invalid_grant_type',
}

export const slack: Preset = {
  title: 'Slack',
  deviations: {
    'slack-comma-separated-request': {
      description: 'takes a scope whose tokens are separated by commas',
      source: access,
      verified: false,
      at: 'authorize',
      understand: understandCommas,
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
      source: 'https://docs.slack.dev/authentication/installing-with-oauth',
      verified: false,
      options: { pkce: 'optional' },
    },
  },
}
