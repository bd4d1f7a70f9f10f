/** Google. */
import type { Authorization } from '../authorization/authorization.ts'
import type { Preset } from './deviation.ts'
import { understandQuery } from './rewrite.ts'

/** Offline access, asked for; and either the first consent, or one that was asked for once more. */
async function returnsRefreshToken(
  { subject, request }: Authorization,
  earlier: () => Promise<readonly Authorization[]>,
): Promise<boolean> {
  if (request.redirectUri === undefined) return true
  if (request.extra['access_type'] !== 'offline') return false
  if (request.extra['prompt']?.split(' ').includes('consent')) return true
  return !(await earlier()).some(
    (each) =>
      each.subject === subject && each.request.clientId === request.clientId && !each.revoked,
  )
}

export const google: Preset = {
  title: 'Google',
  deviations: {
    'google-authorize-path': {
      description: 'has its authorization endpoint at /o/oauth2/auth and /o/oauth2/v2/auth',
      source:
        'https://developers.google.com/identity/protocols/oauth2/web-server#httprest; https://accounts.google.com/.well-known/openid-configuration',
      verified: false,
      at: 'authorize',
      paths: ['/o/oauth2/auth', '/o/oauth2/v2/auth'],
    },
    'google-userinfo-path': {
      description:
        'tells about the user at /v1/userinfo, /oauth2/v2/userinfo and /oauth2/v3/userinfo',
      source: 'https://accounts.google.com/.well-known/openid-configuration',
      verified: false,
      at: 'userinfo',
      paths: ['/v1/userinfo', '/oauth2/v2/userinfo', '/oauth2/v3/userinfo'],
      faults: 'resource',
    },
    'google-refresh-token-only-offline': {
      description:
        'returns a refresh token only with access_type=offline, and only for the first consent unless prompt=consent',
      source:
        'https://developers.google.com/identity/protocols/oauth2/web-server#offline; https://stackoverflow.com/questions/10827920',
      verified: true,
      refreshToken: returnsRefreshToken,
    },
    'google-verification-url': {
      description: 'calls the verification_uri of the device flow verification_url',
      source:
        'https://developers.google.com/identity/protocols/oauth2/limited-input-device; https://github.com/cli/oauth/pull/24',
      verified: true,
      at: 'device-authorization',
      answer(reply) {
        const { verification_uri: uri, verification_uri_complete: _, ...others } = reply.json ?? {}
        return uri === undefined ? reply : { ...reply, json: { ...others, verification_url: uri } }
      },
    },
    'google-revokes-for-anybody': {
      description: 'revokes whatever token it is told, in the body or the query, without a client',
      source:
        'https://developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke; google-auth-library 10, revokeToken',
      verified: true,
      at: 'revoke',
      options: { revokesForAnybody: true },
      understand: understandQuery,
    },
    'google-pkce-optional': {
      description: 'recommends PKCE without demanding it',
      source: 'https://developers.google.com/identity/protocols/oauth2/native-app',
      verified: false,
      options: { pkce: 'optional' },
    },
  },
}
