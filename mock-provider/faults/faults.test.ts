import { setImmediate } from 'node:timers/promises'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import {
  approve,
  authorizationParameters,
  basic,
  begin,
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
  secret,
  testProvider,
  verifier,
  type TokenResponse,
} from '../testing.ts'
import { faults, isFaultId, type FaultId, type FaultSpec } from './index.ts'

type Show = (provider: MockProvider, fault: FaultId) => Promise<void>

/** The parameters of the response to an approval that this fault disturbed. */
const responseWith = async (provider: MockProvider, fault: FaultSpec) =>
  Object.fromEntries((await approve(provider, { faults: [fault] })).response.searchParams)

const authorizeError =
  (error: string): Show =>
  async (provider, fault) => {
    expect(await responseWith(provider, fault)).toEqual({
      error,
      state: 'the-state',
      iss: provider.issuer,
    })
    expect(provider.secrets.filter(({ kind }) => kind === 'authorization_code')).toEqual([])
  }

const redeemWith = async (provider: MockProvider, fault: FaultSpec) => {
  const { code } = await approve(provider, { faults: [fault] })
  return redeem(provider, code)
}

/** The error and a second, undisturbed attempt: the code was not used up. */
const tokenError =
  (expected: string): Show =>
  async (provider, fault) => {
    const { code } = await approve(provider, { faults: [{ fault, times: 1 }] })
    expect(await refusal(redeem(provider, code))).toBe(expected)
    expect(provider.events.findLast(({ type }) => type === 'grant')).toMatchObject({
      presented: 'authorization_code-1',
      outcome: 'refused',
    })
    expect((await redeem(provider, code)).status).toBe(200)
  }

/** A successful token response that this fault disturbed. */
const tokenResponse =
  (check: (response: Response) => Promise<void>): Show =>
  async (provider, fault) => {
    const response = await redeemWith(provider, fault)
    expect(response.status).toBe(200)
    await check(response)
  }

const tokenMembers = (check: (members: Record<string, unknown>) => void): Show =>
  tokenResponse(async (response) => check(await members(response)))

const refreshWith = async (provider: MockProvider, fault: FaultSpec) => {
  const tokens = await obtain(provider, { faults: [fault] })
  return { tokens, response: await refresh(provider, tokens.refresh_token) }
}

const resourceWith = async (provider: MockProvider, fault: FaultSpec) => {
  const { access_token } = await obtain(provider, { faults: [fault] })
  return { token: access_token, response: await listItems(provider, access_token) }
}

const discover = (provider: MockProvider) =>
  Promise.resolve(provider.app.request('/.well-known/openid-configuration'))

/** Held back until released; then answered as usual, and not held back again. */
async function expectHeld(
  provider: MockProvider,
  request: () => Promise<Response>,
  release: () => void,
) {
  let answered = false
  const pending = request().finally(() => (answered = true))
  await setImmediate()
  await setImmediate()
  expect(provider.events.at(-1)).toMatchObject({ type: 'request' })
  expect(answered).toBe(false)
  release()
  expect((await pending).status).toBe(200)
}

const metadataPath = '/.well-known/oauth-authorization-server'

/** What everybody is answered at this path. */
const everybody =
  (path: string, check: (response: Response) => Promise<void>): Show =>
  async (provider, fault) => {
    provider.setFaults([fault])
    await check(await provider.app.request(path))
  }

const keySet =
  (
    check: (provider: MockProvider, keys: readonly Record<string, unknown>[]) => Promise<void>,
  ): Show =>
  async (provider, fault) => {
    provider.setFaults([{ fault, times: 1 }])
    const { keys } = await members<{ keys: Record<string, unknown>[] }>(
      provider.app.request('/jwks'),
    )
    await check(provider, keys)
  }

const signingKey = async (provider: MockProvider) => {
  const { keys } = await members<{ keys: Record<string, unknown>[] }>(provider.app.request('/jwks'))
  return keys[0] ?? {}
}

const idTokenHeader = async (provider: MockProvider) => {
  const { id_token = '' } = await obtain(provider, {}, { scope: 'openid' })
  return decodeProtectedHeader(id_token) as Record<string, unknown>
}

const verifyIdToken = async (provider: MockProvider, idToken = '') => {
  const keys = await members<JSONWebKeySet>(provider.app.request('/jwks'))
  return jwtVerify(idToken, createLocalJWKSet(keys), {
    issuer: provider.issuer,
    audience: 'app',
    algorithms: ['RS256'],
  })
}

/** An ID token that a strict client refuses, and why. */
const badIdToken =
  (code: string): Show =>
  async (provider, fault) => {
    const { id_token } = await obtain(provider, { faults: [fault] }, { scope: 'openid' })
    await expect(verifyIdToken(provider, id_token)).rejects.toMatchObject({ code })
  }

const push = (provider: MockProvider) =>
  post(provider, '/par', { ...authorizationParameters, client_id: 'web' }, basic('web', secret))

const register = async (provider: MockProvider, metadata = {}) =>
  provider.app.request('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }),
  })

const registration =
  (check: (response: Response) => Promise<void>): Show =>
  async (provider, fault) => {
    provider.setFaults([fault])
    await check(await register(provider))
  }

const closed = { name: 'ConnectionClosed', by: 'provider' }

const shown: Readonly<Record<FaultId, Show>> = {
  'authorize-error-invalid_request': authorizeError('invalid_request'),
  'authorize-error-unauthorized_client': authorizeError('unauthorized_client'),
  'authorize-error-access_denied': authorizeError('access_denied'),
  'authorize-error-unsupported_response_type': authorizeError('unsupported_response_type'),
  'authorize-error-invalid_scope': authorizeError('invalid_scope'),
  'authorize-error-server_error': authorizeError('server_error'),
  'authorize-error-temporarily_unavailable': authorizeError('temporarily_unavailable'),
  'authorize-error-markup': async (provider, fault) => {
    expect((await responseWith(provider, fault))['error_description']).toContain('<script>')
    expect(await responseWith(provider, { fault, value: '<b>' })).toMatchObject({
      error: 'access_denied',
      error_description: '<b>',
    })
  },
  'authorize-state-omitted': async (provider, fault) => {
    expect(await responseWith(provider, fault)).not.toHaveProperty('state')
  },
  'authorize-state-altered': async (provider, fault) => {
    expect(await responseWith(provider, fault)).toMatchObject({ state: 'the-statA' })
  },
  'authorize-state-swapped': async (provider, fault) => {
    expect(await responseWith(provider, { fault, value: 'x' })).toMatchObject({ state: 'x' })
    expect((await responseWith(provider, fault))['state']).not.toBe('the-state')
  },
  'authorize-iss-wrong': async (provider, fault) => {
    expect((await responseWith(provider, fault))['iss']).not.toBe(provider.issuer)
    const value = 'https://evil.example'
    expect(await responseWith(provider, { fault, value })).toMatchObject({ iss: value })
  },
  'authorize-iss-missing': async (provider, fault) => {
    expect(await responseWith(provider, fault)).not.toHaveProperty('iss')
  },
  'authorize-code-expired': async (provider, fault) => {
    expect(await refusal(redeemWith(provider, fault))).toBe('400 invalid_grant')
  },
  'authorize-code-other-client': async (provider, fault) => {
    const { code } = await approve(provider, { faults: [{ fault, value: 'other' }] })
    expect(await refusal(redeem(provider, code))).toBe('400 invalid_grant')
  },
  'authorize-code-other-user': async (provider, fault) => {
    const { access_token } = await obtain(provider, { faults: [{ fault, value: 'mallory' }] })
    expect(await (await listItems(provider, access_token)).text()).toContain('Welcome, mallory')
  },
  'authorize-code-other-challenge': async (provider, fault) => {
    expect(await refusal(redeemWith(provider, fault))).toBe('400 invalid_grant')
  },
  'authorize-code-reserved-characters': async (provider, fault) => {
    const { code, response } = await approve(provider, { faults: [fault] })
    expect(code).toMatch(/^4\/ac_.{32}\/\+a=b%25&c$/)
    expect(response.href).toContain('%252')
    expect((await redeem(provider, code)).status).toBe(200)
  },

  'token-error-invalid_request': tokenError('400 invalid_request'),
  'token-error-invalid_client': tokenError('401 invalid_client'),
  'token-error-invalid_grant': tokenError('400 invalid_grant'),
  'token-error-unauthorized_client': tokenError('400 unauthorized_client'),
  'token-error-unsupported_grant_type': tokenError('400 unsupported_grant_type'),
  'token-error-invalid_scope': tokenError('400 invalid_scope'),
  'token-error-500': async (provider, fault) => {
    expect((await redeemWith(provider, fault)).status).toBe(500)
  },
  'token-error-503': async (provider, fault) => {
    const response = await redeemWith(provider, fault)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  },
  'token-hang': async (provider, fault) => {
    const { id, code } = await approve(provider, { faults: [fault] })
    const release = () => provider.authorization(id)?.release()
    await expectHeld(provider, () => redeem(provider, code), release)
  },
  'token-connection-closed': async (provider, fault) => {
    await expect(redeemWith(provider, fault)).rejects.toMatchObject(closed)
    expect(provider.events.at(-1)).toMatchObject({ type: 'connection', closedBy: 'provider' })
  },
  'token-redirect': async (provider, fault) => {
    const response = await redeemWith(provider, fault)
    expect([response.status, locationOf(response).href]).toEqual([
      307,
      `${provider.issuer}/token/moved`,
    ])
  },
  'token-error-with-200': tokenMembers((body) => expect(body['error']).toBe('invalid_grant')),
  'token-error-markup': async (provider, fault) => {
    const refusedWith = async (spec: FaultSpec): Promise<unknown> => {
      const { code } = await approve(provider, { faults: [spec] })
      return (await redeem(provider, code)).json()
    }
    expect(await refusedWith(fault)).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('<script>') as string,
    })
    expect(await refusedWith({ fault, value: '<b>' })).toMatchObject({ error_description: '<b>' })
  },
  'token-error-echoes-code': async (provider, fault) => {
    const { code } = await approve(provider, { faults: [fault] })
    expect(await (await redeem(provider, code)).text()).toContain(code)
  },
  'token-error-echoes-client-secret': async (provider, fault) => {
    const { code } = await approve(provider, { faults: [fault] }, { client_id: 'web' })
    const form = { client_id: undefined }
    const response = await redeem(provider, code, form, basic('web', secret))
    expect((await members(response))['error_description']).toContain(secret)
  },
  'token-error-echoes-code-verifier': async (provider, fault) => {
    expect(await (await redeemWith(provider, fault)).text()).toContain(verifier)
  },
  'token-truncated-json': tokenResponse(async (response) => {
    const body = await response.text()
    expect(body).toMatch(/^\{"access_token":/)
    expect(() => void JSON.parse(body)).toThrow(SyntaxError)
  }),
  'token-html': tokenResponse(async (response) => {
    expect(response.headers.get('content-type')).toBe('text/html')
  }),
  'token-empty-body': tokenResponse(async (response) => expect(await response.text()).toBe('')),
  'token-form-encoded': tokenResponse(async (response) => {
    expect(response.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
    expect(new URLSearchParams(await response.text()).get('access_token')).toMatch(/^at_/)
  }),
  'token-without-access-token': tokenMembers((body) => {
    expect(body).not.toHaveProperty('access_token')
    expect(body).toHaveProperty('token_type')
  }),
  'token-null-access-token': tokenMembers((body) => expect(body['access_token']).toBeNull()),
  'token-empty-access-token': tokenMembers((body) => expect(body['access_token']).toBe('')),
  'token-numeric-access-token': tokenMembers((body) => {
    expect(body['access_token']).toBe(1234567890)
  }),
  'token-forbidden': async (provider, fault) => {
    const response = await redeemWith(provider, fault)
    expect(response.status).toBe(403)
    expect(await response.json()).toHaveProperty('access_token')
  },
  'token-without-expires-in': tokenMembers((body) => {
    expect(body).not.toHaveProperty('expires_in')
  }),
  'token-expires-in-string': tokenMembers((body) => expect(body['expires_in']).toBe('3600')),
  'token-lower-case-bearer': tokenMembers((body) => expect(body['token_type']).toBe('bearer')),
  'token-upper-case-bearer': tokenMembers((body) => expect(body['token_type']).toBe('BEARER')),
  'token-extra-members': tokenMembers((body) => {
    expect(body).toMatchObject({ ok: true })
  }),
  'token-null-refresh-token': tokenMembers((body) => expect(body['refresh_token']).toBeNull()),

  'refresh-error-invalid_grant': async (provider, fault) => {
    const { response } = await refreshWith(provider, fault)
    expect(await refusal(response)).toBe('400 invalid_grant')
  },
  'refresh-error-500': async (provider, fault) => {
    expect((await refreshWith(provider, fault)).response.status).toBe(500)
  },
  'refresh-hang': async (provider, fault) => {
    const { id, refresh_token } = await obtain(provider, { faults: [fault] })
    const release = () => provider.authorization(id)?.release()
    await expectHeld(provider, () => refresh(provider, refresh_token), release)
  },
  'refresh-without-rotation': async (provider, fault) => {
    const { tokens, response } = await refreshWith(provider, { fault, times: 1 })
    expect(await members(response)).not.toHaveProperty('refresh_token')
    expect(provider.events.at(-1)).toMatchObject({ type: 'response', faults: [fault] })
    const again = await members<TokenResponse>(refresh(provider, tokens.refresh_token))
    expect(again.refresh_token).toMatch(/^rt_/)
  },

  'resource-error-invalid_token': async (provider, fault) => {
    const { response } = await resourceWith(provider, fault)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await refusal(response)).toBe('401 invalid_token')
    expect(provider.events.at(-2)).toMatchObject({ type: 'resource-access', outcome: 'refused' })
  },
  'resource-error-insufficient_scope': async (provider, fault) => {
    const { response } = await resourceWith(provider, { fault, value: 'items:admin' })
    expect(response.headers.get('www-authenticate')).toContain('scope="items:admin"')
    expect(await refusal(response)).toBe('403 insufficient_scope')
  },
  'resource-error-500': async (provider, fault) => {
    expect((await resourceWith(provider, fault)).response.status).toBe(500)
  },
  'resource-redirect': async (provider, fault) => {
    const { response } = await resourceWith(provider, fault)
    expect([response.status, locationOf(response).href]).toEqual([
      307,
      `${provider.issuer}/resource/moved`,
    ])
    expect(provider.events.at(-2)).toMatchObject({ type: 'resource-access', outcome: 'refused' })
  },
  'resource-hang': async (provider, fault) => {
    const { access_token } = await obtain(provider, { faults: [fault] })
    await expectHeld(
      provider,
      () => listItems(provider, access_token),
      () => provider.release(),
    )
  },
  'resource-connection-closed': async (provider, fault) => {
    await expect(resourceWith(provider, fault)).rejects.toMatchObject(closed)
  },
  'resource-success-without-items': async (provider, fault) => {
    const { response } = await resourceWith(provider, fault)
    expect([response.status, await response.json()]).toEqual([200, { items: [] }])
  },
  'resource-success-echoes-authorization': async (provider, fault) => {
    const { token, response } = await resourceWith(provider, fault)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`Bearer ${token}`)
  },
  'resource-error-echoes-authorization': async (provider, fault) => {
    const { token, response } = await resourceWith(provider, fault)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain(`Bearer ${token}`)
  },

  'token-lost-response': async (provider, fault) => {
    const { code } = await approve(provider, { faults: [{ fault, times: 1 }] })
    await expect(redeem(provider, code)).rejects.toMatchObject(closed)
    // it was redeemed all the same
    expect(await refusal(redeem(provider, code))).toBe('400 invalid_grant')
  },
  'token-wrong-content-type': tokenResponse(async (response) => {
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await members(response)).toHaveProperty('access_token')
  }),
  'token-expires-in-too-long': async (provider, fault) => {
    const { access_token, expires_in, id } = await obtain(provider, { faults: [fault] })
    expect(expires_in).toBe(36_000)
    provider.authorization(id)?.advance(3_600_000)
    expect((await listItems(provider, access_token)).status).toBe(401)
    const chosen = await obtain(provider, { faults: [{ fault, value: '7' }] })
    expect(chosen.expires_in).toBe(7)
  },
  'token-expires-in-too-short': async (provider, fault) => {
    const { access_token, expires_in, id } = await obtain(provider, { faults: [fault] })
    expect(expires_in).toBe(1)
    provider.authorization(id)?.advance(60_000)
    expect((await listItems(provider, access_token)).status).toBe(200)
  },
  'token-expires-in-zero': tokenMembers((body) => expect(body['expires_in']).toBe(0)),
  'token-without-token-type': tokenMembers((body) => expect(body).not.toHaveProperty('token_type')),
  'token-unknown-token-type': tokenMembers((body) => expect(body['token_type']).toBe('unheard-of')),
  'token-scope-array': tokenMembers((body) =>
    expect(body['scope']).toEqual(['items:read', 'items:write']),
  ),
  'refresh-lost-response': async (provider, fault) => {
    const { refresh_token, access_token } = await obtain(provider, { faults: [fault] })
    await expect(refresh(provider, refresh_token)).rejects.toMatchObject(closed)
    // the client tries again, and is taken for a thief
    expect(await refusal(refresh(provider, refresh_token))).toBe('400 invalid_grant')
    expect((await listItems(provider, access_token)).status).toBe(401)
  },
  'refresh-grace-window': async (provider, fault) => {
    const { id, refresh_token } = await obtain(provider, { faults: [{ fault, value: '30' }] })
    const attempts = [refresh(provider, refresh_token), refresh(provider, refresh_token)]
    const [first, second] = await Promise.all(attempts.map((each) => members<TokenResponse>(each)))
    expect(first?.refresh_token).not.toBe(second?.refresh_token)
    provider.clock.advance(29_000)
    expect((await refresh(provider, refresh_token)).status).toBe(200)
    expect((await refresh(provider, second?.refresh_token ?? '')).status).toBe(200)
    provider.clock.advance(1_000)
    expect(await refusal(refresh(provider, refresh_token))).toBe('400 invalid_grant')
    expect(provider.authorization(id)?.faults).toEqual([fault])
  },
  'refresh-previous-until-successor-used': async (provider, fault) => {
    const { refresh_token } = await obtain(provider, { faults: [fault] })
    await refresh(provider, refresh_token)
    const again = await members<TokenResponse>(refresh(provider, refresh_token))
    const next = await refresh(provider, again.refresh_token)
    expect(next.status).toBe(200)
    expect(await refusal(refresh(provider, refresh_token))).toBe('400 invalid_grant')
  },

  'jwks-unknown-kid': keySet(async (provider, keys) => {
    expect(keys[0]?.['kid']).not.toBe((await idTokenHeader(provider))['kid'])
  }),
  'jwks-stale': keySet(async (provider, keys) => {
    expect(keys[0]?.['kid']).not.toBe((await idTokenHeader(provider))['kid'])
    expect(keys[0]?.['x']).not.toBe((await signingKey(provider))['x'])
  }),
  'jwks-empty': keySet(async (_, keys) => expect(keys).toEqual([])),
  'introspect-error-500': async (provider, fault) => {
    provider.setFaults([fault])
    const request = { method: 'POST', body: new URLSearchParams({ token: 'any' }) }
    const response = await provider.app.request('/introspect', request)
    expect(response.status).toBe(500)
  },
  'jwks-error-500': everybody('/jwks', async (response) => expect(response.status).toBe(500)),
  'jwks-html': everybody('/jwks', async (response) => {
    expect(response.headers.get('content-type')).toBe('text/html')
  }),
  'jwks-not-found': everybody('/jwks', async (response) => expect(response.status).toBe(404)),
  'jwks-hang': async (provider, fault) => {
    provider.setFaults([fault])
    await expectHeld(
      provider,
      async () => provider.app.request('/jwks'),
      () => provider.release(),
    )
  },
  'token-id-token-unknown-kid': badIdToken('ERR_JWKS_NO_MATCHING_KEY'),
  'token-id-token-wrong-signature': badIdToken('ERR_JWS_SIGNATURE_VERIFICATION_FAILED'),
  'token-id-token-alg-none': badIdToken('ERR_JOSE_ALG_NOT_ALLOWED'),
  'token-id-token-alg-swapped': badIdToken('ERR_JOSE_ALG_NOT_ALLOWED'),
  'token-id-token-issuer-wrong': badIdToken('ERR_JWT_CLAIM_VALIDATION_FAILED'),
  'token-id-token-audience-wrong': badIdToken('ERR_JWT_CLAIM_VALIDATION_FAILED'),
  'token-id-token-expired': badIdToken('ERR_JWT_EXPIRED'),
  'token-id-token-nonce-wrong': async (provider, fault) => {
    const changes = { scope: 'openid', nonce: 'the-nonce' }
    const { id_token } = await obtain(provider, { faults: [fault] }, changes)
    const { payload } = await verifyIdToken(provider, id_token)
    expect(payload['nonce']).not.toBe('the-nonce')
  },

  'register-forbidden': registration(async (response) => {
    expect([response.status, await response.text()]).toEqual([403, 'Forbidden'])
  }),
  'register-allow-list': async (provider, fault) => {
    provider.setFaults([{ fault, value: 'The one' }])
    expect((await register(provider, { client_name: 'Another' })).status).toBe(403)
    expect((await register(provider, { client_name: 'The one' })).status).toBe(201)
  },
  'register-error-invalid_client_metadata': registration(async (response) => {
    expect(await refusal(response)).toBe('400 invalid_client_metadata')
  }),
  'register-error-500': registration(async (response) => expect(response.status).toBe(500)),
  'register-hang': async (provider, fault) => {
    provider.setFaults([fault])
    const pending = register(provider)
    await setImmediate()
    expect(provider.events.at(-1)).toMatchObject({ type: 'request' })
    provider.release()
    expect((await pending).status).toBe(201)
  },
  'par-error-500': async (provider, fault) => {
    provider.setFaults([{ fault, times: 1 }])
    expect((await push(provider)).status).toBe(500)
    expect((await push(provider)).status).toBe(201)
  },
  'par-hang': async (provider, fault) => {
    provider.setFaults([fault])
    const pending = push(provider)
    await setImmediate()
    expect(provider.events.at(-1)).toMatchObject({ type: 'request' })
    provider.release()
    expect((await pending).status).toBe(201)
  },
  'register-secret-under-none': registration(async (response) => {
    expect(await members(response)).toMatchObject({
      token_endpoint_auth_method: 'none',
      client_secret: expect.stringMatching(/^cs_/),
    })
  }),
  'register-expiring-secret': async (provider, fault) => {
    provider.setFaults([{ fault, value: '100' }])
    const open = await members(register(provider))
    expect(open).not.toHaveProperty('client_secret_expires_at')
    const metadata = { token_endpoint_auth_method: 'client_secret_post' }
    const registered = await members<Record<string, string>>(register(provider, metadata))
    const { client_id, client_secret, client_secret_expires_at: at } = registered
    expect(Math.abs(Number(at) - provider.clock.now() / 1000 - 100)).toBeLessThan(2)
    const read = provider.app.request(`/register/${client_id}`, {
      headers: { authorization: `Bearer ${registered['registration_access_token']}` },
    })
    expect(await members(read)).toMatchObject({ client_secret_expires_at: at })
    const introspect = (form: Record<string, string | undefined>) =>
      post(provider, '/introspect', { token: 'x', client_id, ...form })
    expect((await introspect({ client_secret })).status).toBe(200)
    provider.clock.advance(101_000)
    expect(await refusal(introspect({ client_secret }))).toBe('401 invalid_client')
    expect(await members(introspect({ client_secret }))).toMatchObject({
      error_description: expect.stringContaining('expired'),
    })
    // who does not know it learns nothing about it
    expect(await members(introspect({ client_secret: 'x' }))).not.toMatchObject({
      error_description: expect.stringContaining('expired'),
    })
  },
  'register-other-redirect-uris': registration(async (response) => {
    expect((await members(response))['redirect_uris']).not.toEqual([redirectUri])
  }),

  'discovery-http-token-endpoint': everybody(metadataPath, async (response) => {
    expect((await members(response))['token_endpoint']).toBe('http://provider.test/token')
  }),
  'discovery-authorization-endpoint-of-another': async (provider, fault) => {
    const value = 'https://honest.example/authorize'
    provider.setFaults([{ fault, value }])
    expect((await members(discover(provider)))['authorization_endpoint']).toBe(value)
  },
  'discovery-token-endpoint-of-another': async (provider, fault) => {
    provider.setFaults([fault])
    const { issuer, token_endpoint } = await members(discover(provider))
    expect(issuer).toBe(provider.issuer)
    expect(token_endpoint).toBe('https://another-issuer.example/token')
  },
  'discovery-connection-closed': async (provider, fault) => {
    provider.setFaults([fault])
    await expect(discover(provider)).rejects.toMatchObject(closed)
  },
  'discovery-truncated-json': everybody(metadataPath, async (response) => {
    const body = await response.text()
    expect(() => void JSON.parse(body)).toThrow(SyntaxError)
  }),
  'discovery-html': everybody(metadataPath, async (response) => {
    expect(response.headers.get('content-type')).toBe('text/html')
  }),
  'discovery-http-authorization-endpoint': async (provider, fault) => {
    provider.setFaults([fault])
    expect(await members(discover(provider))).toMatchObject({
      issuer: provider.issuer,
      authorization_endpoint: 'http://provider.test/authorize',
    })
  },
  'discovery-hang': async (provider, fault) => {
    provider.setFaults([fault])
    await expectHeld(
      provider,
      () => discover(provider),
      () => provider.release(),
    )
    expect((await discover(provider)).status).toBe(200)
  },
  'discovery-error-500': async (provider, fault) => {
    provider.setFaults([{ fault, times: 1 }])
    expect((await discover(provider)).status).toBe(500)
    expect((await discover(provider)).status).toBe(200)
  },
  'discovery-without-oauth-metadata': async (provider, fault) => {
    provider.setFaults([fault])
    expect((await provider.app.request(metadataPath)).status).toBe(404)
    expect((await discover(provider)).status).toBe(200)
  },
  'discovery-without-openid-metadata': async (provider, fault) => {
    provider.setFaults([fault])
    expect((await provider.app.request(metadataPath)).status).toBe(200)
    expect((await discover(provider)).status).toBe(404)
  },
  'discovery-at-one-place': async (provider, fault) => {
    provider.setFaults([{ fault, value: '/.well-known/openid-configuration' }])
    expect((await provider.app.request(metadataPath)).status).toBe(404)
    expect((await discover(provider)).status).toBe(200)
  },
  'discovery-redirect': async (provider, fault) => {
    const value = 'https://elsewhere.example/metadata'
    provider.setFaults([{ fault, value }])
    const response = await discover(provider)
    expect([response.status, response.headers.get('location')]).toEqual([302, value])
  },
  'discovery-without-pkce': async (provider, fault) => {
    provider.setFaults([fault])
    expect(await members(discover(provider))).not.toHaveProperty('code_challenge_methods_supported')
  },
  'discovery-pkce-by-no-method': async (provider, fault) => {
    provider.setFaults([fault])
    expect((await members(discover(provider)))['code_challenge_methods_supported']).toEqual([])
  },
  'discovery-without-response-issuer': everybody(metadataPath, async (response) => {
    const name = 'authorization_response_iss_parameter_supported'
    expect(await members(response)).not.toHaveProperty(name)
  }),
  'discovery-without-issuer': everybody(metadataPath, async (response) => {
    expect(await members(response)).not.toHaveProperty('issuer')
  }),
  'discovery-issuer-wrong': async (provider, fault) => {
    provider.setFaults([fault])
    expect((await members(discover(provider)))['issuer']).not.toBe(provider.issuer)
  },
  'discovery-issuer-extended': async (provider, fault) => {
    provider.setFaults([fault])
    const { issuer } = await members(discover(provider))
    expect(issuer).toBe(`${provider.issuer}/of-another`)
  },
}

describe('the fault', () => {
  test.each(Object.keys(faults).filter(isFaultId))('%s', async (fault) => {
    const provider = testProvider()
    await shown[fault](provider, fault)
    const named = provider.events.flatMap((event) => ('faults' in event ? event.faults : []))
    expect(named).toContain(fault)
  })
})

describe('faults', () => {
  test('of one authorization do not disturb another', async () => {
    const provider = testProvider()
    const disturbed = await approve(provider, { faults: ['token-error-500'] })
    const other = await approve(provider)
    const [first, second] = await Promise.all([
      redeem(provider, disturbed.code),
      redeem(provider, other.code),
    ])
    expect([first.status, second.status]).toEqual([500, 200])
  })

  test('fire in order, as often as they are told', async () => {
    const provider = testProvider()
    const { code } = await approve(provider, {
      faults: [
        { fault: 'token-error-503', times: 1 },
        { fault: 'token-error-invalid_grant', times: 2 },
        'token-expires-in-string',
        'token-lower-case-bearer',
      ],
    })
    const attempt = () => redeem(provider, code)
    expect((await attempt()).status).toBe(503)
    expect(await refusal(attempt())).toBe('400 invalid_grant')
    expect(await refusal(attempt())).toBe('400 invalid_grant')
    expect(await members(attempt())).toMatchObject({ expires_in: '3600', token_type: 'bearer' })
    expect(provider.events.at(-1)).toMatchObject({
      faults: ['token-expires-in-string', 'token-lower-case-bearer'],
    })
  })

  test('do not touch requests that are refused anyway', async () => {
    const provider = testProvider()
    const { code } = await approve(provider, { faults: ['token-html'] })
    const response = redeem(provider, code, { code_verifier: undefined })
    expect(await refusal(response)).toBe('400 invalid_grant')
    expect(provider.events.at(-1)).toMatchObject({ type: 'response', faults: [] })
  })

  test('can be switched after the decision, and hold back anew', async () => {
    const provider = testProvider()
    const tokens = await obtain(provider)
    const handle = provider.authorization(tokens.id)
    handle?.setFaults(['resource-hang'])
    handle?.release()
    expect((await listItems(provider, tokens.access_token)).status).toBe(200)
    handle?.setFaults(['resource-hang'])
    const request = () => listItems(provider, tokens.access_token)
    await expectHeld(provider, request, () => handle?.release())
  })

  test('wait no longer than the client does', async () => {
    const provider = testProvider()
    const { code } = await approve(provider, { faults: ['token-hang'] })
    const controller = new AbortController()
    const pending = provider.fetch(
      new Request(`${provider.issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({ code }),
        signal: controller.signal,
      }),
    )
    await setImmediate()
    controller.abort()
    await expect(pending).rejects.toThrow(TypeError)
    expect(provider.events.at(-1)).toMatchObject({ type: 'connection', closedBy: 'peer' })
  })

  test('are switched where they belong', async () => {
    const provider = testProvider()
    const { id } = await approve(provider)
    expect(() => provider.authorization(id)?.setFaults(['discovery-hang'])).toThrow(TypeError)
  })

  test('that refuse turn a denial into their error, too', async () => {
    const provider = testProvider()
    const id = await begin(provider)
    const decision = { action: 'deny', faults: ['authorize-error-server_error'] } as const
    const location = locationOf(await decideJson(provider, id, decision))
    expect(location.origin + location.pathname).toBe(redirectUri)
    expect(location.searchParams.get('error')).toBe('server_error')
  })

  test('are found by the refresh token as well', async () => {
    const provider = testProvider()
    const { id, refresh_token } = await obtain(provider)
    provider.authorization(id)?.setFaults(['token-error-echoes-code'])
    const form = { grant_type: 'refresh_token', refresh_token, client_id: 'app' }
    expect(await (await post(provider, '/token', form)).text()).toContain(refresh_token)
  })
})

describe('a mix-up of two issuers (RFC 9700 §4.4)', () => {
  test('ends where the client compares the issuer of the response', async () => {
    const provider = testProvider({ tenants: true })
    const [honest, attacker] = [provider.tenant('honest'), provider.tenant('attacker')]
    attacker.setFaults([
      {
        fault: 'discovery-authorization-endpoint-of-another',
        value: `${honest.issuer}/authorize`,
      },
    ])
    const url = '/.well-known/oauth-authorization-server/attacker'
    const metadata = await members<Record<string, string>>(provider.app.request(url))
    expect(metadata['issuer']).toBe(attacker.issuer)
    const query = encode(authorizationParameters)
    const page = await provider.app.request(`${metadata['authorization_endpoint']}?${query}`)
    const response = await provider.app.request(`${locationOf(page).pathname}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"action":"approve"}',
    })
    const { searchParams } = locationOf(response)
    // RFC 9207 §2.4: not the issuer that the client began with
    expect(searchParams.get('iss')).toBe(honest.issuer)
    // one that does not compare brings the code to the attacker, to whom it is worth nothing
    const code = searchParams.get('code')
    const form = { grant_type: 'authorization_code', code, client_id: 'app' }
    const redeemed = provider.app.request('/attacker/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode({
        ...form,
        code: code ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    })
    expect(await refusal(redeemed)).toBe('400 invalid_grant')
  })
})
