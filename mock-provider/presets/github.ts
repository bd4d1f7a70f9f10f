/** GitHub, OAuth apps. */
import { hash } from 'node:crypto'
import type { DeviationSituation, Preset, Understood } from './deviation.ts'
import {
  commaSeparatedScope,
  formEncoded,
  tokenMembers,
  understandCode,
  understandCodeGrant,
  understandCommas,
  understandJson,
} from './rewrite.ts'

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

/** What GitHub's clients ask for: scopes separated by commas perhaps, and a code without saying so. */
function understandAuthorization(situation: DeviationSituation): Understood | undefined {
  const commas = understandCommas(situation)
  return understandCode({ ...situation, ...commas }) ?? commas
}

/** What GitHub's clients send: perhaps JSON, and no grant_type with a code. */
function understandRequest(situation: DeviationSituation): Understood | undefined {
  const json = understandJson(situation)
  return { ...json, form: understandCodeGrant(json?.form ?? situation.form) }
}

/** A user as GitHub tells it: the number is made of the subject. */
function userOf(subject: string, { name, email }: Readonly<Record<string, unknown>>) {
  const id = Number.parseInt(hash('sha256', subject, 'hex').slice(0, 8), 16)
  return { login: subject, id, type: 'User', name: name ?? null, email: email ?? null }
}

export const github: Preset = {
  title: 'GitHub',
  deviations: {
    'github-authorize-path': {
      description:
        'has its authorization endpoint at /login/oauth/authorize, and takes scopes separated by commas and requests without a response_type',
      source: `${authorizing}; @octokit/oauth-authorization-url`,
      verified: true,
      at: 'authorize',
      paths: ['/login/oauth/authorize'],
      understand: understandAuthorization,
    },
    'github-token-path': {
      description:
        'has its token endpoint at /login/oauth/access_token, and takes JSON and requests without a grant_type',
      source: `${authorizing}; @octokit/oauth-methods 6, src/utils.ts`,
      verified: true,
      at: 'token',
      paths: ['/login/oauth/access_token'],
      understand: understandRequest,
    },
    'github-user': {
      description:
        'tells about the user at /user (/api/v3/user of a server of its own), whatever the scope, with members of its own',
      source: 'https://docs.github.com/en/rest/users/users#get-the-authenticated-user',
      verified: false,
      at: 'userinfo',
      paths: ['/user', '/api/v3/user'],
      faults: 'resource',
      options: {
        userinfoScope: '',
        scopes: ['user', 'read:user', 'user:email', 'repo', 'public_repo', 'gist', 'read:org'],
      },
      answer: (reply, { url }) =>
        typeof reply.json?.['sub'] === 'string' && url.pathname.endsWith('/user')
          ? { ...reply, json: userOf(reply.json['sub'], reply.json) }
          : reply,
    },
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
