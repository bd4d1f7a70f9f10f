/** GitHub, OAuth apps. */
import type { Profile } from './deviation.ts'
import { commaSeparatedScope, formEncoded, tokenMembers } from './rewrite.ts'

const authorizing =
  'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps'
const troubleshooting =
  'https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors'

/** GitHub's name for an error of the token endpoint. */
function ownCode(error: unknown, grantType: string | undefined): unknown {
  if (error === 'invalid_client') return 'incorrect_client_credentials'
  if (error !== 'invalid_grant') return error
  return grantType === 'refresh_token' ? 'bad_refresh_token' : 'bad_verification_code'
}

export const github: Profile = {
  title: 'GitHub',
  deviations: {
    'github-errors-with-200': {
      description: 'reports errors of the token endpoint with status 200 and codes of its own',
      source: `${troubleshooting}; https://github.com/octokit/auth-oauth-app.js/issues/13`,
      verified: true,
      at: 'token',
      answer: (reply, { form }) =>
        reply.json?.['error'] === undefined
          ? reply
          : {
              ...reply,
              status: 200,
              json: {
                ...reply.json,
                error: ownCode(reply.json['error'], form.get('grant_type')),
                error_uri: troubleshooting,
              },
            },
    },
    'github-comma-separated-scope': {
      description: 'separates the scopes of a token response by commas',
      source: authorizing,
      verified: true,
      at: 'token',
      answer: commaSeparatedScope,
    },
    'github-lower-case-bearer': {
      description: 'spells the token type bearer',
      source: authorizing,
      verified: true,
      at: 'token',
      answer: tokenMembers(() => ({ token_type: 'bearer' })),
    },
    'github-no-expiry': {
      description: 'sends neither expires_in nor a refresh token to an OAuth app',
      source: authorizing,
      verified: true,
      at: 'token',
      answer: tokenMembers(() => ({ expires_in: undefined })),
      refreshToken: () => false,
    },
    'github-pkce-optional': {
      description: 'does not demand PKCE',
      source: authorizing,
      verified: true,
      options: { pkce: 'optional' },
    },
    'github-form-encoded': {
      description: 'answers form-encoded unless JSON is asked for',
      source: authorizing,
      verified: true,
      at: 'token',
      answer: (reply, { headers }) =>
        headers.get('accept')?.includes('application/json') ? reply : formEncoded(reply),
    },
  },
}
