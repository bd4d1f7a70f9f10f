import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { s256 } from '../authorization/pkce.ts'
import { createMockProvider, type MockProvider } from '../provider/provider.ts'
import {
  approve,
  authorizationParameters,
  authorize,
  basic,
  decideJson,
  encode,
  listItems,
  locationOf,
  members,
  obtain,
  post,
  redeem,
  redirectUri,
  refresh,
  refusal,
  testProvider,
  verifier,
  type TokenResponse,
} from '../testing.ts'
import { presets, type PresetName } from './index.ts'

type Show = (provider: MockProvider) => Promise<void>

const withoutPkce: Show = async (provider) => {
  const changes = { scope: 'items:read', ...asksProperly }
  const { code } = await approve(provider, {}, { ...changes, ...noChallenge })
  expect((await redeem(provider, code, { code_verifier: undefined })).status).toBe(200)
}

const noChallenge = { code_challenge: undefined, code_challenge_method: undefined }

/** What Atlassian wants; the others ignore it. */
const asksProperly = { audience: 'api.atlassian.com', prompt: 'consent' }

const tokens = async (provider: MockProvider, changes = {}) => {
  const { code } = await approve(provider, {}, { ...asksProperly, ...changes })
  const response = redeem(provider, code, {}, { accept: 'application/json' })
  return members<TokenResponse & Record<string, unknown>>(response)
}

const takesAuthorizationRequestsAt =
  (path: string): Show =>
  async (provider) => {
    const query = encode({ ...authorizationParameters, scope: 'openid', ...asksProperly })
    const response = await provider.app.request(`${path}?${query}`)
    expect(locationOf(response).pathname).toMatch(/^\/authorize\//)
  }

const takesTokenRequestsAt =
  (path: string): Show =>
  async (provider) => {
    const { code } = await approve(provider, {}, asksProperly)
    const form = { grant_type: 'authorization_code', client_id: 'app', redirect_uri: redirectUri }
    const response = await post(provider, path, { ...form, code, code_verifier: verifier })
    expect(await members(response)).toHaveProperty('access_token')
  }

const takesTokensBackAt =
  (path: string): Show =>
  async (provider) => {
    const { access_token: token } = await provider.issueToken({ clientId: 'other' })
    expect((await post(provider, path, { token }, basic('other', 'other'))).status).toBe(200)
    expect((await listItems(provider, token)).status).toBe(401)
  }

const publishesKeysAt =
  (path: string): Show =>
  async (provider) => {
    expect(await members(provider.app.request(path))).toHaveProperty('keys')
  }

/** An API that nobody has registered: a strict provider refuses it. */
const elsewhere = 'https://mcp.example/mcp'

const ignoresResource: Show = async (provider) => {
  expect(await errorOf(testProvider(), { resource: elsewhere })).not.toBeNull()
  const { code } = await approve(provider, {}, { resource: elsewhere })
  const redeemed = redeem(provider, code, { resource: elsewhere })
  const { access_token } = await members<TokenResponse>(redeemed)
  expect((await listItems(provider, access_token)).status).toBe(200)
  // What a client has sent is what it is judged by.
  for (const type of ['authorization-request', 'grant'])
    expect(provider.events.findLast((event) => event.type === type)).toMatchObject({
      resource: [elsewhere],
    })
}

const postJson = (provider: MockProvider, path: string, body: object) =>
  provider.app.request(path, {
    method: 'POST',
    headers: { ...basic('other', 'other'), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const discover = (provider: MockProvider) =>
  members(provider.app.request('/.well-known/oauth-authorization-server'))

const register = (provider: MockProvider, metadata: object) =>
  provider.app.request('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri], ...metadata }),
  })

const errorOf = async (provider: MockProvider, changes: Record<string, string | undefined>) =>
  locationOf(await authorize(provider, changes)).searchParams.get('error_description')

const shown: Readonly<Record<string, Show>> = {
  'github-form-encoded': async (provider) => {
    const { code } = await approve(provider)
    const response = await redeem(provider, code)
    expect(response.headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/)
    expect(new URLSearchParams(await response.text()).get('access_token')).toMatch(/^at_/)
  },
  'github-errors-with-200': async (provider) => {
    const accept = { accept: 'application/json' }
    const response = await redeem(provider, 'x', {}, accept)
    expect([response.status, (await members(response))['error']]).toEqual([
      200,
      'bad_verification_code',
    ])
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'app' }
    expect(await refusal(post(provider, '/token', form, accept))).toBe('200 bad_refresh_token')
    const wrong = redeem(provider, 'x', { client_id: 'nobody' }, accept)
    expect(await refusal(wrong)).toBe('200 incorrect_client_credentials')
  },
  'github-comma-separated-scope': async (provider) => {
    expect((await tokens(provider)).scope).toBe('items:read,items:write')
  },
  'github-lower-case-bearer': async (provider) => {
    const { token_type, access_token } = await tokens(provider)
    expect(token_type).toBe('bearer')
    expect((await listItems(provider, access_token)).status).toBe(200)
  },
  'github-no-expiry': async (provider) => {
    const answered = await tokens(provider)
    expect(answered).not.toHaveProperty('expires_in')
    expect(answered).not.toHaveProperty('refresh_token')
    expect(provider.secrets.some(({ kind }) => kind === 'refresh_token')).toBe(false)
  },
  'github-pkce-optional': withoutPkce,
  'github-authorize-path': async (provider) => {
    const query = encode({ ...authorizationParameters, scope: 'read:user,repo' })
    const response = await provider.app.request(`/login/oauth/authorize?${query}`)
    expect(locationOf(response).pathname).toMatch(/^\/authorize\//)
  },
  'github-token-path': async (provider) => {
    const { code } = await approve(provider)
    const body = { client_id: 'app', code, redirect_uri: redirectUri, code_verifier: verifier }
    const response = await provider.app.request('/login/oauth/access_token', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await members(response)).toHaveProperty('access_token')
  },
  'github-user': async (provider) => {
    const { access_token } = await provider.issueToken({ scopes: ['repo'] })
    const headers = { authorization: `Bearer ${access_token}` }
    for (const path of ['/user', '/api/v3/user']) {
      const user = await members(provider.app.request(path, { headers }))
      expect(user).toMatchObject({ login: 'alice', id: expect.any(Number) })
    }
  },

  'google-revokes-for-anybody': async (provider) => {
    const { access_token } = await provider.issueToken()
    const request = `/revoke?token=${access_token}`
    expect((await provider.app.request(request, { method: 'POST' })).status).toBe(200)
    expect((await listItems(provider, access_token)).status).toBe(401)
  },
  'google-authorize-path': async (provider) => {
    for (const path of ['/o/oauth2/auth', '/o/oauth2/v2/auth']) {
      const response = await provider.app.request(`${path}?${encode(authorizationParameters)}`)
      expect(locationOf(response).pathname).toMatch(/^\/authorize\//)
    }
  },
  'google-userinfo-path': async (provider) => {
    const { access_token } = await provider.issueToken({ scopes: ['openid'] })
    const headers = { authorization: `Bearer ${access_token}` }
    for (const path of ['/v1/userinfo', '/oauth2/v2/userinfo', '/oauth2/v3/userinfo'])
      expect(await members(provider.app.request(path, { headers }))).toMatchObject({ sub: 'alice' })
  },
  'google-refresh-token-only-offline': async (provider) => {
    const refreshable = async (changes: Record<string, string>) => {
      const { code } = await approve(provider, {}, changes)
      return 'refresh_token' in (await members(redeem(provider, code)))
    }
    const offline = { access_type: 'offline' }
    expect(await refreshable({})).toBe(false)
    expect(await refreshable(offline)).toBe(false)
    expect(await refreshable({ ...offline, prompt: 'consent' })).toBe(true)
    const fresh = testProvider({ preset: 'google' })
    const { code, id } = await approve(fresh, {}, offline)
    const first = await members<TokenResponse>(redeem(fresh, code))
    expect(await members(refresh(fresh, first.refresh_token))).toHaveProperty('refresh_token')
    fresh.authorization(id)?.revoke()
    const again = await approve(fresh, {}, offline)
    expect(await members(redeem(fresh, again.code))).toHaveProperty('refresh_token')
  },
  'google-verification-url': async (provider) => {
    provider.registerClient({
      clientId: 'tv',
      redirectUris: [],
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
    })
    const answered = await members(post(provider, '/device_authorization', { client_id: 'tv' }))
    expect(answered['verification_url']).toBe(`${provider.issuer}/device`)
    expect(answered).not.toHaveProperty('verification_uri')
  },
  'google-pkce-optional': withoutPkce,

  'slack-authorize-path': async (provider) => {
    const { response_type: _, ...parameters } = authorizationParameters
    const query = encode({ ...parameters, scope: 'chat:write,commands' })
    const response = await provider.app.request(`/oauth/v2/authorize?${query}`)
    expect(locationOf(response).pathname).toMatch(/^\/authorize\//)
  },
  'slack-token-path': async (provider) => {
    const { code } = await approve(provider)
    const form = { client_id: 'app', code, redirect_uri: redirectUri, code_verifier: verifier }
    const response = await provider.app.request('/api/oauth.v2.access', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode(form),
    })
    expect(await response.json()).toMatchObject({ ok: true, access_token: expect.any(String) })
  },
  'slack-installation': async (provider) => {
    expect(await obtain(provider)).toMatchObject({ team: { id: 'T0001' }, bot_user_id: 'U0001' })
  },
  'slack-auth-test': async (provider) => {
    const { access_token } = await provider.issueToken({ scopes: ['chat:write'] })
    const headers = { authorization: `Bearer ${access_token}` }
    const test = provider.app.request('/api/auth.test', { method: 'POST', headers })
    expect(await members(test)).toMatchObject({ ok: true, user_id: 'alice', bot_id: 'B0001' })
  },
  'slack-comma-separated-scope': async (provider) => {
    expect((await tokens(provider)).scope).toBe('items:read,items:write')
  },
  'slack-no-expiry': async (provider) => {
    const answered = await tokens(provider)
    expect(answered).not.toHaveProperty('expires_in')
    expect(answered).not.toHaveProperty('refresh_token')
  },
  'slack-token-type': async (provider) => {
    expect((await tokens(provider)).token_type).toBe('bot')
  },
  'slack-authed-user': async (provider) => {
    expect(await tokens(provider)).toMatchObject({ authed_user: { id: 'alice' } })
    const nested = await tokens(provider, { user_scope: 'items:read' })
    expect(nested).not.toHaveProperty('access_token')
    expect(nested).toMatchObject({
      authed_user: { id: 'alice', token_type: 'user', access_token: expect.stringMatching(/^at_/) },
    })
  },
  'slack-envelope': async (provider) => {
    expect((await tokens(provider))['ok']).toBe(true)
    const failed = await redeem(provider, 'x')
    expect([failed.status, await failed.json()]).toEqual([
      200,
      { ok: false, error: 'invalid_code' },
    ])
  },
  'slack-pkce-optional': withoutPkce,

  'entra-expires-in-string': async (provider) => {
    expect((await tokens(provider)).expires_in).toBe('3600')
  },
  'entra-no-pkce-in-metadata': async (provider) => {
    expect(await discover(provider)).not.toHaveProperty('code_challenge_methods_supported')
    expect((await redeem(provider, (await approve(provider)).code)).status).toBe(200)
  },
  'entra-literal-tenant': async (provider) => {
    expect((await discover(provider))['issuer']).toBe(`${provider.issuer}/{tenantid}/v2.0`)
  },
  'entra-refuses-resource': async (provider) => {
    const resource = `${provider.issuer}/resource`
    expect(await errorOf(provider, { resource })).toContain('AADSTS901002')
  },
  'entra-refuses-resource-at-token': async (provider) => {
    const { code } = await approve(provider)
    const resource = `${provider.issuer}/resource`
    expect(await refusal(redeem(provider, code, { resource }))).toBe('400 invalid_request')
    expect((await redeem(provider, code)).status).toBe(200)
  },
  'entra-scope-required': async (provider) => {
    expect(await errorOf(provider, { scope: undefined })).toContain('AADSTS900144')
  },

  'atlassian-audience-required': async (provider) => {
    expect(await errorOf(provider, {})).toContain('audience')
    expect(await errorOf(provider, { audience: 'api.atlassian.com' })).toContain('audience')
    expect(await errorOf(provider, asksProperly)).toBeNull()
  },
  'atlassian-offline-access': async (provider) => {
    expect(await tokens(provider)).not.toHaveProperty('refresh_token')
    const offline = await tokens(provider, { scope: 'items:read offline_access' })
    expect(offline.refresh_token).toMatch(/^rt_/)
  },
  'atlassian-dead-refresh-403': async (provider) => {
    const { refresh_token } = await tokens(provider, { scope: 'offline_access' })
    expect((await refresh(provider, refresh_token)).status).toBe(200)
    expect(await refusal(refresh(provider, refresh_token))).toBe('403 invalid_grant')
    expect(await refusal(redeem(provider, 'x'))).toBe('400 invalid_grant')
  },
  'atlassian-issuer-mismatch': async (provider) => {
    expect((await discover(provider))['issuer']).toBe('https://auth.atlassian.com')
  },
  'atlassian-pkce-optional': withoutPkce,

  'notion-json-request': async (provider) => {
    provider.registerClient({ clientId: 'n', clientSecret: 's', redirectUris: [redirectUri] })
    const { code } = await approve(provider, {}, { client_id: 'n' })
    const response = await provider.app.request('/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...basic('n', 's') },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        external_account: { key: 'x' },
      }),
    })
    expect(response.status).toBe(200)
  },
  'notion-token-members': async (provider) => {
    const answered = await tokens(provider)
    expect(answered).not.toHaveProperty('expires_in')
    provider.registerClient({
      clientId: 'once',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code'],
    })
    const { code } = await approve(provider, {}, { client_id: 'once' })
    const once = await members(redeem(provider, code, { client_id: 'once' }))
    expect(once['refresh_token']).toBeNull()
  },
  'notion-pkce-optional': withoutPkce,

  'linear-comma-separated-request': async (provider) => {
    const { id } = await approve(provider, {}, { scope: 'read,write' })
    expect(provider.authorization(id)?.scopes).toEqual(['read', 'write'])
  },
  'linear-read-always-added': async (provider) => {
    const { id } = await approve(provider, {}, { scope: 'write' })
    expect(provider.authorization(id)?.scopes).toEqual(['read', 'write'])
  },
  'linear-day-long-tokens': async (provider) => {
    expect((await tokens(provider)).expires_in).toBe(86_399)
  },
  'linear-pkce-optional': withoutPkce,

  'salesforce-no-expires-in': async (provider) => {
    expect(await tokens(provider)).not.toHaveProperty('expires_in')
  },
  'salesforce-issued-at-string': async (provider) => {
    expect((await tokens(provider))['issued_at']).toMatch(/^\d{13}$/)
  },
  'salesforce-refuses-scope-on-refresh': async (provider) => {
    const { refresh_token } = await tokens(provider, { scope: 'api refresh_token' })
    const scoped = refresh(provider, refresh_token, { scope: 'api' })
    expect(await refusal(scoped)).toBe('400 invalid_request')
    expect((await refresh(provider, refresh_token)).status).toBe(200)
  },
  'salesforce-refresh-token-scope': async (provider) => {
    expect(await tokens(provider, { scope: 'api' })).not.toHaveProperty('refresh_token')
  },

  'figma-registration-allow-list': async (provider) => {
    const refused = await register(provider, { client_name: 'Another client' })
    expect([refused.status, await refused.text()]).toEqual([403, 'Forbidden'])
    expect((await register(provider, { client_name: 'Codex' })).status).toBe(200)
  },
  'figma-registered-with-200': async (provider) => {
    expect((await register(provider, { client_name: 'Codex' })).status).toBe(200)
  },
  'figma-secret-under-none': async (provider) => {
    const metadata = { client_name: 'Codex', token_endpoint_auth_method: 'none' }
    const registered = await members(register(provider, metadata))
    expect(registered).toMatchObject({
      token_endpoint_auth_method: 'none',
      client_secret: expect.stringMatching(/^cs_/),
    })
  },
  'figma-demands-secret': async (provider) => {
    const metadata = { client_name: 'Codex', token_endpoint_auth_method: 'none' }
    const { client_id, client_secret } = await members<Record<string, string>>(
      register(provider, metadata),
    )
    const { code } = await approve(provider, {}, { client_id })
    const without = redeem(provider, code, { client_id })
    expect((await members(without))['error_description']).toBe('Client secret is required')
    expect((await redeem(provider, code, { client_id, client_secret })).status).toBe(200)
  },

  'salesforce-authorize-path': async (provider) => {
    const query = encode({ ...authorizationParameters, code_challenge_method: undefined })
    const path = locationOf(
      await provider.app.request(`/services/oauth2/authorize?${query}`),
    ).pathname
    const decided = await decideJson(provider, path.split('/').at(-1) ?? '')
    const code = locationOf(decided).searchParams.get('code') ?? ''
    expect((await redeem(provider, code)).status).toBe(200)
  },
  'salesforce-token-path': async (provider) => {
    const long = 'v'.repeat(171)
    const { code } = await approve(provider, {}, { code_challenge: s256(long) })
    const form = { grant_type: 'authorization_code', client_id: 'app', redirect_uri: redirectUri }
    const sent = { ...form, code, code_verifier: long }
    expect((await post(provider, '/services/oauth2/token', sent)).status).toBe(200)
    const strict = testProvider()
    const other = await approve(strict, {}, { code_challenge: s256(long) })
    expect((await redeem(strict, other.code, { code_verifier: long })).status).toBe(400)
  },
  'salesforce-revokes-for-anybody': async (provider) => {
    const { access_token: token } = await provider.issueToken()
    expect((await post(provider, '/services/oauth2/revoke', { token })).status).toBe(200)
    expect((await listItems(provider, token)).status).toBe(401)
    expect((await post(testProvider(), '/revoke', { token })).status).toBe(401)
  },
  'auth0-token-path': async (provider) => {
    const { code } = await approve(provider, {}, { client_id: 'other' })
    const form = { grant_type: 'authorization_code', redirect_uri: redirectUri }
    const redeemed = postJson(provider, '/oauth/token', { ...form, code, code_verifier: verifier })
    expect(await members(redeemed)).toHaveProperty('access_token')
  },
  'auth0-revoke-path': takesTokensBackAt('/oauth/revoke'),
  'auth0-keys-path': publishesKeysAt('/.well-known/jwks.json'),
  'auth0-ignores-resource': async (provider) => {
    await ignoresResource(provider)
    const audience = 'https://api.example'
    provider.addAudience(audience)
    const { code } = await approve(provider, {}, { audience, resource: elsewhere })
    const { access_token: token } = await members<TokenResponse>(redeem(provider, code))
    const introspected = members(post(provider, '/introspect', { token }, basic('other', 'other')))
    expect(await introspected).toMatchObject({ active: true, aud: [audience] })
  },
  'auth0-ignores-resource-at-token': ignoresResource,
  'auth0-pkce-optional': withoutPkce,

  'keycloak-authorize-path': async (provider) => {
    for (const realm of ['', '/realms/demo'])
      await takesAuthorizationRequestsAt(`${realm}/protocol/openid-connect/auth`)(provider)
    await ignoresResource(provider)
  },
  'keycloak-token-path': async (provider) => {
    for (const realm of ['', '/realms/demo'])
      await takesTokenRequestsAt(`${realm}/protocol/openid-connect/token`)(provider)
    await ignoresResource(provider)
  },
  'keycloak-revoke-path': takesTokensBackAt('/realms/demo/protocol/openid-connect/revoke'),
  'keycloak-keys-path': publishesKeysAt('/realms/demo/protocol/openid-connect/certs'),
  'keycloak-userinfo-path': async (provider) => {
    const { access_token } = await provider.issueToken({ scopes: ['openid'] })
    const headers = { authorization: `Bearer ${access_token}` }
    const path = '/realms/demo/protocol/openid-connect/userinfo'
    expect(await members(provider.app.request(path, { headers }))).toMatchObject({ sub: 'alice' })
  },
  'keycloak-registration-path': async (provider) => {
    const path = '/realms/demo/clients-registrations/openid-connect'
    const response = postJson(provider, path, { redirect_uris: [redirectUri] })
    expect(await members(response)).toHaveProperty('client_id')
  },
  'keycloak-pkce-optional': withoutPkce,

  'supabase-authorize-path': takesAuthorizationRequestsAt('/auth/v1/oauth/authorize'),
  'supabase-token-path': takesTokenRequestsAt('/auth/v1/oauth/token'),
  'supabase-keys-path': publishesKeysAt('/auth/v1/.well-known/jwks.json'),
  'supabase-ignores-resource': ignoresResource,
  'supabase-ignores-resource-at-token': ignoresResource,
  'supabase-audience': async () => {
    const provider = testProvider({ preset: 'supabase', accessTokenFormat: 'jwt' })
    const { access_token } = await provider.issueToken()
    expect(decodeJwt(access_token).aud).toBe('authenticated')
  },

  'atlassian-token-path': takesTokenRequestsAt('/oauth/token'),
  'linear-authorize-path': takesAuthorizationRequestsAt('/oauth/authorize'),
  'linear-token-path': takesTokenRequestsAt('/oauth/token'),
  'notion-authorize-path': takesAuthorizationRequestsAt('/v1/oauth/authorize'),
  'notion-introspection': async (provider) => {
    const { access_token: token } = await provider.issueToken()
    const response = postJson(provider, '/v1/oauth/introspect', { token })
    expect(await members(response)).toMatchObject({ active: true })
  },
  'notion-revocation': async (provider) => {
    const { access_token: token } = await provider.issueToken({ clientId: 'other' })
    const response = postJson(provider, '/v1/oauth/revoke', { token })
    expect(await members(response)).toHaveProperty('request_id')
    expect((await listItems(provider, token)).status).toBe(401)
  },
  'entra-authorize-path': takesAuthorizationRequestsAt('/common/oauth2/v2.0/authorize'),
  'entra-token-path': takesTokenRequestsAt('/common/oauth2/v2.0/token?client-request-id=1'),
  'entra-keys-path': async (provider) => {
    const response = provider.app.request('/common/discovery/v2.0/keys')
    expect(await members(response)).toHaveProperty('keys')
  },
  'entra-id-token-claims': async (provider) => {
    const { id_token = '' } = await tokens(provider, { scope: 'openid' })
    expect(decodeJwt(id_token)).toMatchObject({
      oid: 'alice',
      ver: '2.0',
      preferred_username: 'alice@users.example',
    })
  },
  'entra-client-info': async (provider) => {
    const { code } = await approve(provider)
    const { client_info } = await members(redeem(provider, code, { client_info: '1' }))
    const info = Buffer.from(String(client_info), 'base64url').toString()
    expect(JSON.parse(info)).toMatchObject({ uid: 'alice' })
    expect(await tokens(provider)).not.toHaveProperty('client_info')
  },
  'entra-pkce-optional': withoutPkce,
}

const table = Object.entries(presets).flatMap(([name, { deviations }]) =>
  Object.entries(deviations).map(([id, deviation]) => ({
    name: name as PresetName,
    id,
    deviation,
  })),
)

describe('the deviation', () => {
  test.each(table)('$id', async ({ name, id, deviation }) => {
    const provider = testProvider({ preset: name })
    await shown[id]?.(provider)
    expect(shown).toHaveProperty(id)
    expect(id.startsWith(`${name}-`)).toBe(true)
    expect(URL.canParse(deviation.source.split('; ')[0] ?? '')).toBe(true)
    const named = provider.events.flatMap((event) =>
      event.type === 'response' ? (event.leniencies ?? []) : [],
    )
    const { understand, refuse, answer } = deviation
    if (understand || refuse || answer) expect(named).toContain(id)
    if (deviation.options?.pkce) expect(named).toContain('pkce-optional')
  })
})

describe('a preset', () => {
  test('is known by its name, or given', async () => {
    expect(() => createMockProvider({ preset: 'nobody' as PresetName })).toThrow(/there are atl/)
    const provider = testProvider({
      preset: {
        title: 'Own',
        deviations: {
          'own-header': {
            description: 'adds a header',
            source: 'https://own.example',
            verified: true,
            at: 'token',
            answer: (reply) => ({ ...reply, headers: { ...reply.headers, 'x-own': '1' } }),
          },
        },
      },
    })
    const { code } = await approve(provider)
    expect((await redeem(provider, code)).headers.get('x-own')).toBe('1')
  })

  test('gives way to the options of the caller', async () => {
    const provider = testProvider({
      preset: 'linear',
      pkce: 'S256',
      lifetimes: { accessToken: 5 },
    })
    expect(await errorOf(provider, noChallenge)).toContain('code challenge')
    expect((await obtain(provider, {}, { scope: 'read' })).expires_in).toBe(5)
  })

  test('is none unless told: nothing lenient is named', async () => {
    const provider = testProvider()
    const { access_token } = await obtain(provider)
    await listItems(provider, access_token)
    const named = provider.events.filter((event) => 'leniencies' in event && event.leniencies)
    expect(named).toEqual([])
  })
})

describe('the log names', () => {
  test.each([
    ['pkce-optional', { pkce: 'optional' }, noChallenge],
    ['pkce-plain', { pkce: 'plain' }, { code_challenge: verifier, code_challenge_method: 'plain' }],
    [
      'redirect-matching',
      { redirectMatching: 'ignore-query' },
      { redirect_uri: `${redirectUri}?x=1` },
    ],
  ] as const)('the leniency %s', async (name, options, changes) => {
    const provider = testProvider(options)
    await authorize(provider, changes)
    expect(provider.events.at(-1)).toMatchObject({ leniencies: [name] })
  })

  test('a token in the query', async () => {
    const provider = testProvider({ bearerMethods: ['header', 'query'] })
    const { access_token, id } = await obtain(provider)
    await provider.app.request(`/resource/items?access_token=${access_token}`)
    expect(provider.events.at(-1)).toMatchObject({ leniencies: ['bearer-in-query'] })
    expect((await decideJson(provider, id)).status).toBe(409)
  })
})
