import { describe, expect, test } from 'vitest'
import { s256 } from '../authorization/pkce.ts'
import {
  approve,
  authorizationParameters,
  authorize,
  begin,
  decideJson,
  encode,
  locationOf,
  members,
  obtain,
  otherRedirectUri,
  post,
  redeem,
  redirectUri,
  refusal,
  testProvider,
  verifier,
} from '../testing.ts'

/** The parameters of an error that was sent to the client. */
async function redirected(response: Response) {
  const location = locationOf(response)
  expect(response.status).toBe(303)
  expect(location.href.startsWith(redirectUri)).toBe(true)
  return Object.fromEntries(location.searchParams)
}

describe('an authorization request', () => {
  test('leads to a page, and approval to a code with state and iss', async () => {
    const provider = testProvider()
    const response = await authorize(provider)
    expect(response.status).toBe(303)
    const page = await provider.app.request(locationOf(response).pathname)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('items:read')
    const { response: location } = await approve(provider)
    expect(Object.fromEntries(location.searchParams)).toEqual({
      code: expect.stringMatching(/^ac_[A-Za-z0-9_-]{32}$/),
      state: 'the-state',
      iss: provider.issuer,
    })
  })

  test('may be a form (RFC 6749 §3.1)', async () => {
    const provider = testProvider()
    const response = await post(provider, '/authorize', authorizationParameters)
    expect(response.status).toBe(303)
    expect(provider.events.find(({ type }) => type === 'authorization-request')).toMatchObject({
      via: 'form',
      valid: true,
    })
    const asJson = await post(provider, '/authorize', '{}', { 'content-type': 'application/json' })
    expect(asJson.status).toBe(400)
  })

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect URI with an added query', { redirect_uri: `${redirectUri}?x=1` }],
    ['a redirect URI with an added slash', { redirect_uri: `${redirectUri}/` }],
    ['a redirect URI in other case', { redirect_uri: redirectUri.toUpperCase() }],
    ['no redirect URI although two are registered', { redirect_uri: undefined }],
    ['an unknown request URI', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }],
  ])('with %s is shown to the user, never redirected (RFC 6749 §4.1.2.1)', async (_, changes) => {
    const provider = testProvider()
    const response = await authorize(provider, changes)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(provider.events.at(-2)).toMatchObject({ type: 'authorization-request', valid: false })
  })

  test.each(['client_id', 'redirect_uri'])('with %s twice is not redirected', async (name) => {
    const provider = testProvider()
    const query = `${encode(authorizationParameters)}&${name}=x`
    expect((await provider.app.request(`/authorize?${query}`)).status).toBe(400)
  })

  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['an unknown response type', { response_type: 'code saml' }, 'unsupported_response_type'],
    ['no code challenge', { code_challenge: undefined }, 'invalid_request'],
    ['neither challenge nor method', noPkce(), 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no challenge method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a malformed challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['an unknown scope', { scope: 'items:read root' }, 'invalid_scope'],
    ['a malformed scope', { scope: 'items:read  "x"' }, 'invalid_scope'],
    ['an unknown resource', { resource: 'https://other.example' }, 'invalid_target'],
    ['a resource with a fragment', { resource: 'https://provider.test#x' }, 'invalid_target'],
    ['a request object that is none', { request: 'e30.e30.' }, 'invalid_request_object'],
    ['an unknown response mode', { response_mode: 'web_message' }, 'invalid_request'],
    ['prompt=none', { prompt: 'none' }, 'login_required'],
  ])('with %s is refused at the client', async (_, changes, error) => {
    const provider = testProvider()
    expect(await redirected(await authorize(provider, changes))).toEqual({
      error,
      error_description: expect.any(String),
      state: 'the-state',
      iss: provider.issuer,
    })
  })

  test('with a parameter twice is refused (RFC 6749 §3.1)', async () => {
    const provider = testProvider()
    for (const name of ['scope', 'code_challenge', 'nonce', 'audience', 'unknown']) {
      const query = `${encode(authorizationParameters)}&${name}=x&${name}=`
      const response = await provider.app.request(`/authorize?${query}`)
      expect(await redirected(response)).toMatchObject({ error: 'invalid_request' })
    }
    const twice = await provider.app.request(
      `/authorize?${encode(authorizationParameters)}&state=x`,
    )
    expect(await redirected(twice)).not.toHaveProperty('state')
  })

  test.each(['none login', 'consent none'])('with prompt=%s is refused', async (prompt) => {
    const response = await authorize(testProvider(), { prompt })
    expect(await redirected(response)).toMatchObject({ error: 'invalid_request' })
  })

  test('names what it resolved to in the log', async () => {
    const provider = testProvider()
    const id = await begin(provider, { login_hint: 'alice', ['__proto__']: 'x', nonce: 'n' })
    expect(provider.events.find(({ type }) => type === 'authorization-request')).toMatchObject({
      endpoint: 'authorize',
      authorization: id,
      via: 'query',
      clientId: 'app',
      redirectUri,
      responseType: 'code',
      state: 'the-state',
      scopes: ['items:read', 'items:write'],
      codeChallenge: s256(verifier),
      codeChallengeMethod: 'S256',
      resource: [],
      nonce: 'n',
      extra: { login_hint: 'alice' },
      valid: true,
    })
  })

  test('that cannot be answered explains what is registered', async () => {
    const provider = testProvider()
    const wrong = { redirect_uri: 'https://app.example/<typo>' }
    const text = await (await authorize(provider, wrong)).text()
    for (const told of ['app', redirectUri, 'https://app.example/&lt;typo&gt;']) {
      expect(text).toContain(`<code>${told}</code>`)
    }
    const unknown = await (await authorize(provider, { client_id: 'nobody' })).text()
    expect(unknown).toContain('it is not registered')
  })

  test('visited twice begins two authorizations', async () => {
    const provider = testProvider()
    expect(await begin(provider)).not.toBe(await begin(provider))
  })

  test('is approved at once where the provider is told to', async () => {
    const provider = testProvider({ autoApprove: { subject: 'bob' } })
    const location = locationOf(await authorize(provider, { prompt: 'none' }))
    expect(location.searchParams.get('code')).toMatch(/^ac_/)
  })

  test('keeps the query of the redirect URI (RFC 6749 §3.1.2)', async () => {
    const provider = testProvider()
    const uri = 'https://app.example/cb?tenant=a%2Fb'
    provider.registerClient({ clientId: 'tenant', redirectUris: [uri] })
    const { response } = await approve(provider, {}, { client_id: 'tenant', redirect_uri: uri })
    expect(response.href.startsWith(`${uri}&code=`)).toBe(true)
  })
})

describe('redirect URIs', () => {
  test('may be left out when one is registered, unless OpenID Connect is used', async () => {
    const provider = testProvider()
    const changes = { client_id: 'web', redirect_uri: undefined }
    const { code } = await approve(provider, {}, changes)
    const credentials = { client_id: 'web', client_secret: 'a secret: with % and +' }
    const response = await redeem(provider, code, { ...credentials, redirect_uri: undefined })
    expect(response.status).toBe(200)
    const withOpenId = await authorize(provider, { ...changes, scope: 'openid' })
    expect(withOpenId.status).toBe(400)
  })

  test('are learned once, if the predicate accepts them', async () => {
    const provider = testProvider()
    const learn = (uri: string) => uri.startsWith('https://app.example/')
    const client = provider.registerClient({ clientId: 'learner', redirectUris: { learn } })
    const visit = async (redirect_uri: string) =>
      (await authorize(provider, { client_id: 'learner', redirect_uri })).status
    expect(await visit('https://evil.example/')).toBe(400)
    expect(await visit(otherRedirectUri)).toBe(303)
    expect(await visit(redirectUri)).toBe(400)
    expect(await visit(otherRedirectUri)).toBe(303)
    expect(client.redirectUris).toEqual([otherRedirectUri])
  })

  test('are learned up to a number, each once', async () => {
    const provider = testProvider()
    const redirectUris = { learn: () => true, most: 2 }
    const client = provider.registerClient({ clientId: 'learner', redirectUris })
    const visit = async (redirect_uri: string) =>
      (await authorize(provider, { client_id: 'learner', redirect_uri })).status
    for (const uri of [redirectUri, redirectUri, otherRedirectUri]) {
      expect(await visit(uri)).toBe(303)
    }
    expect(await visit('https://app.example/third')).toBe(400)
    expect(client.redirectUris).toEqual([redirectUri, otherRedirectUri])
  })

  test('of the loopback interface go with any port (RFC 8252 §7.3), and nothing else does', async () => {
    const provider = testProvider()
    const accepted = async (registered: string, redirect_uri: string) => {
      provider.registerClient({ clientId: 'native', redirectUris: [registered] })
      return (await authorize(provider, { client_id: 'native', redirect_uri })).status === 303
    }
    for (const [registered, used] of [
      ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb'],
      ['http://127.0.0.1:3000/cb?x=1', 'http://127.0.0.1/cb?x=1'],
      ['http://[::1]:3000/cb', 'http://[::1]:51234/cb'],
    ] as const) {
      expect([used, await accepted(registered, used)]).toEqual([used, true])
    }
    expect(provider.events.at(-1)).not.toMatchObject({ leniencies: expect.anything() })
    for (const [registered, used] of [
      ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb'],
      ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/other'],
      ['http://127.0.0.1/cb', 'http://127.0.0.1:51234@evil.example/cb'],
      ['http://127.0.0.1/cb', 'http://[::1]:51234/cb'],
      ['http://127.0.0.1/cb', 'https://127.0.0.1:51234/cb'],
      ['https://127.0.0.1/cb', 'https://127.0.0.1:51234/cb'],
      ['http://localhost/cb', 'http://localhost:51234/cb'],
      ['http://app.example/cb', 'http://app.example:51234/cb'],
    ] as const) {
      expect([used, await accepted(registered, used)]).toEqual([used, false])
    }
    const clientId = 'learner'
    provider.registerClient({ clientId, redirectUris: { learn: () => true } })
    const visit = async (redirect_uri: string) =>
      (await authorize(provider, { client_id: clientId, redirect_uri })).status
    expect(await visit('http://127.0.0.1:51234/cb')).toBe(303)
    expect(await visit('http://127.0.0.1:51235/cb')).toBe(400)
  })

  test('are redeemed with the port that they were used with', async () => {
    const provider = testProvider()
    const redirect_uri = 'http://127.0.0.1:51234/cb'
    provider.registerClient({ clientId: 'app', redirectUris: ['http://127.0.0.1/cb'] })
    const { code, response } = await approve(provider, {}, { redirect_uri })
    expect(response.port).toBe('51234')
    const another = redeem(provider, code, { redirect_uri: 'http://127.0.0.1:51235/cb' })
    expect(await refusal(another)).toBe('400 invalid_grant')
    expect((await redeem(provider, code, { redirect_uri })).status).toBe(200)
  })

  test('may be matched without their query, where the provider is told to', async () => {
    const provider = testProvider({ redirectMatching: 'ignore-query' })
    expect((await authorize(provider, { redirect_uri: `${redirectUri}?x=1` })).status).toBe(303)
    expect((await authorize(provider, { redirect_uri: `${redirectUri}/x` })).status).toBe(400)
  })

  test('that were learned may be matched without their query, too', async () => {
    const provider = testProvider({ redirectMatching: 'ignore-query' })
    provider.registerClient({ clientId: 'learner', redirectUris: { learn: () => true } })
    const arriving = async (query: string) =>
      (
        await authorize(provider, {
          client_id: 'learner',
          redirect_uri: `${redirectUri}?call=${query}`,
        })
      ).status
    expect([await arriving('1'), await arriving('2')]).toEqual([303, 303])
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    'view-source:https://app.example/',
    '/callback',
    `${redirectUri}#x`,
    // what a URL parser would repair, and what no header can contain
    `${redirectUri}\r\nset-cookie: a=b`,
    `${redirectUri}/ x`,
    'https://app.example/漢',
    'https://user:password@app.example/',
  ])('%j cannot be registered', (uri) => {
    expect(() => testProvider().registerClient({ redirectUris: [uri] })).toThrow(TypeError)
  })
})

describe('a decision', () => {
  test('denies', async () => {
    const provider = testProvider()
    const response = await decideJson(provider, await begin(provider), { action: 'deny' })
    expect(await redirected(response)).toEqual({
      error: 'access_denied',
      state: 'the-state',
      iss: provider.issuer,
    })
  })

  test('reports any error', async () => {
    const provider = testProvider()
    const response = await decideJson(provider, await begin(provider), {
      action: 'error',
      error: 'temporarily_unavailable',
      error_description: 'come back later',
    })
    expect(await redirected(response)).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: 'come back later',
    })
  })

  test('may be a form, as the page sends it', async () => {
    const provider = testProvider()
    const id = await begin(provider)
    const form = { action: 'approve', subject: 'bob', scopes: 'items:read', faults: 'token-html' }
    const response = await post(provider, `/authorize/${id}/decision`, form)
    expect(locationOf(response).searchParams.get('code')).toMatch(/^ac_/)
    const handle = provider.authorization(id)
    expect(handle).toMatchObject({ id, clientId: 'app', subject: 'bob', scopes: ['items:read'] })
    expect(handle?.faults).toEqual(['token-html'])
  })

  test('is taken once', async () => {
    const provider = testProvider()
    const { id } = await approve(provider)
    expect(await refusal(decideJson(provider, id, { action: 'deny' }))).toBe('409 conflict')
    expect((await provider.app.request(`/authorize/${id}`)).status).toBe(410)
  })

  test('makes sense', async () => {
    const provider = testProvider()
    const id = await begin(provider)
    expect(await refusal(decideJson(provider, 'authz_unknown'))).toBe('404 not_found')
    expect(await refusal(decideJson(provider, id, { scopes: ['openid'] }))).toBe(
      '400 invalid_scope',
    )
    for (const body of ['', '[]', '{"action":"maybe"}', '{"action":"approve","faults":["x"]}']) {
      const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      const response = await provider.app.request(`/authorize/${id}/decision`, request)
      expect(await refusal(response)).toBe('400 invalid_request')
    }
    expect(await refusal(decideJson(provider, id, { faults: ['discovery-hang'] }))).toBe(
      '400 invalid_request',
    )
    expect((await decideJson(provider, id)).status).toBe(303)
  })

  test('grants fewer scopes', async () => {
    const tokens = await obtain(testProvider(), { scopes: ['items:read'] })
    expect(tokens.scope).toBe('items:read')
  })

  test('sets the lifetimes of successive access tokens; the last repeats', async () => {
    const provider = testProvider()
    const { expires_in, refresh_token } = await obtain(provider, {
      access_token_lifetimes: [5, 7],
    })
    const form = { grant_type: 'refresh_token', client_id: 'app' }
    const second = await members(post(provider, '/token', { ...form, refresh_token }))
    const next = String(second['refresh_token'])
    const third = await members(post(provider, '/token', { ...form, refresh_token: next }))
    expect([expires_in, second['expires_in'], third['expires_in']]).toEqual([5, 7, 7])
  })
})

describe('the page', () => {
  test('escapes what others wrote, and is neither framed, scripted nor cached', async () => {
    const provider = testProvider()
    const name = '<script>alert("x")</script>'
    provider.registerClient({ clientId: 'evil', name, redirectUris: [redirectUri] })
    const id = await begin(provider, { client_id: 'evil' })
    const page = await provider.app.request(`/authorize/${id}`)
    const html = await page.text()
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('<html lang="en">')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect((await provider.app.request('/authorize/unknown')).status).toBe(404)
  })
})

function noPkce() {
  return { code_challenge: undefined, code_challenge_method: undefined }
}
