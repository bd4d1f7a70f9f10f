import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import { serveMockProvider } from '../provider/serve.ts'
import {
  approve,
  begin,
  listItems,
  members,
  obtain,
  post,
  redeem,
  authorizationParameters,
  encode,
  redirectUri,
  refusal,
  secret,
  testProvider,
} from '../testing.ts'
import { mask, maskText } from './mask.ts'
import { operations } from './operations.ts'

const json = { 'content-type': 'application/json' }

const control = (provider: MockProvider, method: string, path: string, body?: unknown) =>
  Promise.resolve(
    provider.app.request(`/_control${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: json }),
    }),
  )

type Schema = Readonly<Record<string, unknown>>

interface Document {
  readonly openapi: string
  readonly paths: Record<
    string,
    Record<
      string,
      {
        responses: Record<string, { content?: Record<string, { schema: Schema }> }>
        parameters?: { name: string; in: string }[]
        requestBody?: { content: Record<string, { schema: Schema }> }
        operationId: string
      }
    >
  >
  readonly components: { readonly schemas: Record<string, Schema> }
}

const documentOf = (provider: MockProvider) =>
  members<Document>(control(provider, 'GET', '/openapi.json'))

/** Compiles a schema of the document, whose references need the components. */
function validator({ components }: Document, schema: Schema) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
  addFormats.default(ajv)
  // where the references point to
  ajv.addVocabulary(['components'])
  return ajv.compile({ ...schema, components })
}

describe('without being asked for', () => {
  test('there is no control API', async () => {
    const provider = testProvider()
    expect(await refusal(control(provider, 'GET', '/clients'))).toBe('404 not_found')
    expect(await refusal(provider.app.request('/_control/'))).toBe('404 not_found')
  })
})

describe('the OpenAPI document', () => {
  test('describes every operation, for the issuer and for each tenant', async () => {
    const { openapi, paths } = await documentOf(testProvider({ control: true, tenants: true }))
    expect(openapi).toBe('3.1.0')
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const expected = operations.flatMap(({ method, path, rootOnly }) => [
      `${method} ${path}`,
      ...(rootOnly ? [] : [`${method} /tenants/{tenant}${path}`]),
    ])
    expect(described.toSorted()).toEqual(expected.toSorted())
    const ids = Object.values(paths).flatMap((each) =>
      Object.values(each).map((o) => o.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has schemas that compile, and declares the parameters of each path', async () => {
    const document = await documentOf(testProvider({ control: true, tenants: true }))
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { parameters = [], requestBody, responses } of Object.values(methods)) {
        const declared = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
        expect(declared).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
        const contents = [requestBody?.content, ...Object.values(responses).map((r) => r.content)]
        for (const content of contents) {
          if (content) validator(document, content['application/json']!.schema)
        }
      }
    }
  })

  test('tells the truth about what is answered', async () => {
    const provider = testProvider({ control: true, tenants: true, faults: ['token-hang'] })
    provider.setFaults([{ fault: 'token-redirect', times: 2, value: 'x' }], 'client:web')
    await begin(provider)
    const { code } = await approve(provider)
    provider.setFaults([])
    await redeem(provider, code)
    await control(provider, 'POST', '/tenants', { name: 'a' })
    const document = await documentOf(provider)
    for (const { method, path, status } of operations) {
      if (method !== 'GET') continue
      const response = await control(provider, method, path)
      expect(response.status).toBe(status)
      const schema = document.paths[path]?.['get']?.responses['200']?.content?.['application/json']
      const validate = validator(document, schema!.schema)
      validate(await response.json())
      expect(validate.errors, path).toBeNull()
    }
  })
})

describe('the control API', () => {
  test('lists clients, authorizations and tokens, credentials masked', async () => {
    const provider = testProvider({ control: true })
    const { access_token, refresh_token, id } = await obtain(provider)
    await post(provider, '/revoke', { token: access_token, client_id: 'app' })
    const texts = await Promise.all(
      ['/clients', '/authorizations', '/tokens', '/log'].map(async (path) =>
        (await control(provider, 'GET', path)).text(),
      ),
    )
    for (const value of [secret, access_token, refresh_token, encodeURIComponent(secret)]) {
      expect(texts.join()).not.toContain(value)
    }
    expect(JSON.parse(texts[1]!)).toMatchObject({
      authorizations: [{ id, clientId: 'app', subject: 'alice', status: 'approved' }],
    })
    expect(JSON.parse(texts[2]!)).toMatchObject({
      tokens: [
        { kind: 'access_token', status: 'revoked', value: mask(access_token) },
        { kind: 'refresh_token', status: 'live', value: mask(refresh_token) },
      ],
    })
  })

  test('masks credentials that look like none', async () => {
    const provider = testProvider({ control: true })
    const clientSecret = 'some plain words that somebody chose'
    await control(provider, 'POST', '/clients', {
      clientId: 'plain',
      clientSecret,
      redirectUris: [redirectUri],
    })
    const form = { ...authorizationParameters, client_id: 'plain', client_secret: clientSecret }
    const { request_uri } = await members(post(provider, '/par', form))
    const query = encode({ client_id: 'plain', request_uri: String(request_uri) })
    expect((await provider.app.request(`/authorize?${query}`)).status).toBe(303)
    const log = await (await control(provider, 'GET', '/log')).text()
    expect(log).toContain('"operation":"registerClient"')
    expect(log).not.toContain(clientSecret)
    expect(log).not.toContain(encode({ clientSecret }).split('=')[1])
  })

  test('registers a client that can be used', async () => {
    const provider = testProvider({ control: true })
    const body = { clientId: 'new', clientSecret: 'of the test', redirectUris: [redirectUri] }
    const created = await control(provider, 'POST', '/clients', body)
    expect(created.status).toBe(201)
    expect(await created.json()).toMatchObject({ clientId: 'new', clientSecret: 'of the test' })
    await begin(provider, { client_id: 'new' })
    // also in place of one that the options have
    const elsewhere = 'https://new.example/callback'
    await control(provider, 'POST', '/clients', { clientId: 'web', redirectUris: [elsewhere] })
    await begin(provider, { client_id: 'web', redirect_uri: elsewhere })
    const { clients } = await members<{ clients: { clientId: string; redirectUris: string[] }[] }>(
      control(provider, 'GET', '/clients'),
    )
    const listed = clients.filter(({ clientId }) => clientId === 'web')
    expect(listed).toMatchObject([{ redirectUris: [elsewhere] }])
    const bad = { redirectUris: ['javascript:x'] }
    expect(await refusal(control(provider, 'POST', '/clients', bad))).toBe('400 invalid_request')
    const unknown = { ...body, admin: true }
    expect(await refusal(control(provider, 'POST', '/clients', unknown))).toBe(
      '400 invalid_request',
    )
  })

  test('says what was expected, and nothing of what came', async () => {
    const provider = testProvider({ control: true })
    const described = async (response: Promise<Response>) =>
      (await members<{ error_description: string }>(response)).error_description
    const advance = (body: object) => described(control(provider, 'POST', '/clock/advance', body))
    expect(await advance({ seconds: 'x' })).toBe('seconds: expected number, received string')
    expect(await advance({ seconds: 1, hunter2: 1 })).toBe('unknown member, expected seconds')
    expect(await described(control(provider, 'PUT', '/faults/client:web', ['hunter2']))).toBe(
      '[0]: unknown fault',
    )
  })

  test('moves the clock, ages and revokes', async () => {
    const provider = testProvider({ control: true })
    const [one, two, three] = [
      await obtain(provider),
      await obtain(provider),
      await obtain(provider),
    ]
    await control(provider, 'POST', `/authorizations/${one.id}/age`, { seconds: 3600 })
    expect((await listItems(provider, one.access_token)).status).toBe(401)
    expect((await listItems(provider, two.access_token)).status).toBe(200)
    await control(provider, 'POST', `/authorizations/${two.id}/revoke`)
    expect((await listItems(provider, two.access_token)).status).toBe(401)
    const moved = await control(provider, 'POST', '/clock/advance', { seconds: 3600 })
    expect(await moved.json()).toMatchObject({ ahead: 3600 })
    expect((await listItems(provider, three.access_token)).status).toBe(401)
    const back = { seconds: -1 }
    expect(await refusal(control(provider, 'POST', '/clock/advance', back))).toBe(
      '400 invalid_request',
    )
    expect(await refusal(control(provider, 'POST', '/authorizations/x/revoke'))).toBe(
      '404 not_found',
    )
  })

  test('rotates the key that signs', async () => {
    const provider = testProvider({ control: true })
    const keys = async () => {
      const { keys } = await members<{ keys: { kid: string }[] }>(provider.app.request('/jwks'))
      return keys.map(({ kid }) => kid)
    }
    const before = await keys()
    expect((await control(provider, 'POST', '/keys/rotate')).status).toBe(204)
    // one of each algorithm
    const rotated = await keys()
    expect(rotated.slice(3)).toEqual(before)
    expect(new Set(rotated).size).toBe(6)
    const withdrawn = await control(provider, 'POST', '/keys/rotate?previous=withdraw')
    expect(withdrawn.status).toBe(204)
    // what was replaced before stays as long as it was promised
    const after = await keys()
    expect(after.slice(3)).toEqual(before)
    expect(rotated).not.toContain(after[0])
    expect(provider.events.filter(({ type }) => type === 'control')).toMatchObject([
      { operation: 'rotateKey', detail: { query: { previous: 'keep' } } },
      { operation: 'rotateKey', detail: { query: { previous: 'withdraw' } } },
    ])
    const unknown = control(provider, 'POST', '/keys/rotate?previous=x')
    expect(await refusal(unknown)).toBe('400 invalid_request')
    const { paths } = await documentOf(provider)
    expect(paths['/keys/rotate']?.['post']?.parameters).toMatchObject([
      { name: 'previous', in: 'query' },
    ])
  })

  test('switches faults for a scope, and says so in the log', async () => {
    const provider = testProvider({ control: true })
    const faults = [{ fault: 'token-error-503', times: 1 }, 'authorize-iss-missing']
    expect((await control(provider, 'PUT', '/faults/client:app', faults)).status).toBe(204)
    expect(await members(control(provider, 'GET', '/faults'))).toMatchObject({
      on: [
        { scope: 'client:app', fault: 'token-error-503', times: 1 },
        { scope: 'client:app', fault: 'authorize-iss-missing' },
      ],
    })
    const { code, response } = await approve(provider)
    expect(response.searchParams.has('iss')).toBe(false)
    expect((await redeem(provider, code)).status).toBe(503)
    expect((await redeem(provider, code)).status).toBe(200)
    expect(provider.events.find(({ type }) => type === 'control')).toMatchObject({
      endpoint: 'control',
      operation: 'setFaults',
      detail: { scope: 'client:app', body: faults },
    })
    expect(
      provider.events.filter((each) => 'faults' in each && each.faults.length > 0),
    ).toHaveLength(2)
    for (const [scope, specs] of [
      ['client:app', ['no-such-fault']],
      ['everybody', []],
      ['user:bob', ['discovery-hang']],
    ] as const) {
      const refused = refusal(control(provider, 'PUT', `/faults/${scope}`, specs))
      expect(await refused).toBe('400 invalid_request')
    }
  })

  test('releases what is held back, and switches everything off', async () => {
    const provider = testProvider({ control: true, faults: ['token-hang'] })
    const { code } = await approve(provider)
    const pending = redeem(provider, code)
    await control(provider, 'POST', '/release')
    expect((await pending).status).toBe(200)
    await control(provider, 'DELETE', '/faults')
    expect(await members(control(provider, 'GET', '/faults'))).toMatchObject({ on: [] })
  })

  test('resets', async () => {
    const provider = testProvider({ control: true })
    const { access_token } = await obtain(provider)
    expect((await control(provider, 'POST', '/reset')).status).toBe(204)
    expect((await listItems(provider, access_token)).status).toBe(401)
    expect(await members(control(provider, 'GET', '/tokens'))).toEqual({ tokens: [] })
  })

  test('creates, controls and removes tenants', async () => {
    const provider = testProvider({ control: true, tenants: { onFirstUse: false } })
    const created = await control(provider, 'POST', '/tenants', { name: 'a' })
    expect(await created.json()).toEqual({ name: 'a', issuer: 'https://provider.test/a' })
    await control(provider, 'POST', '/tenants/a/clock/advance', { seconds: 60 })
    expect(await members(control(provider, 'GET', '/tenants/a/clock'))).toMatchObject({ ahead: 60 })
    expect(await members(control(provider, 'GET', '/clock'))).toMatchObject({ ahead: 0 })
    expect(await refusal(control(provider, 'GET', '/tenants/b/clock'))).toBe('404 not_found')
    expect((await control(provider, 'DELETE', '/tenants/a')).status).toBe(204)
    expect(await refusal(control(provider, 'DELETE', '/tenants/a'))).toBe('404 not_found')
    expect(await refusal(control(provider, 'POST', '/tenants', { name: 'token' }))).toBe(
      '400 invalid_request',
    )
    const none = testProvider({ control: true })
    expect(await refusal(control(none, 'GET', '/tenants'))).toBe('404 not_found')
  })

  test('refuses what is no operation, in its own form', async () => {
    const provider = testProvider({ control: true })
    for (const [method, path] of [
      ['GET', '/x'],
      ['PATCH', '/clients'],
      ['GET', '/log?after=x'],
      ['GET', '/log?limit=0'],
    ] as const) {
      expect(await refusal(control(provider, method, path))).toMatch(
        /^40[04] (not_found|invalid_request)$/,
      )
    }
    const huge = await control(provider, 'POST', '/tenants', { name: 'x'.repeat(70_000) })
    expect([404, 413]).toContain(huge.status)
  })
})

describe('the log stream', () => {
  test('begins with what is there and goes on with what happens', async () => {
    const provider = testProvider({ control: true })
    await provider.app.request('/jwks')
    const response = await control(provider, 'GET', '/log/stream?after=1')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const ids: string[] = []
    const read = async (count: number) => {
      let rest = ''
      while (ids.length < count) {
        rest += (await reader.read()).value ?? ''
        ids.splice(0, ids.length, ...[...rest.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id ?? ''))
      }
    }
    await read(1)
    expect(ids).toEqual(['2'])
    ids.length = 0
    await provider.app.request('/jwks')
    await read(2)
    expect(ids).toEqual(['3', '4'])
    await reader.cancel()
  })
})

describe('whoever may not', () => {
  let close: (() => Promise<void>) | undefined
  afterEach(() => close?.())

  test('needs the token where there is one', async () => {
    const provider = testProvider({ control: { token: 'of-the-test' } })
    const get = (headers: Record<string, string>, path = '/clients') =>
      Promise.resolve(provider.app.request(`/_control${path}`, { headers }))
    expect(await refusal(get({}))).toBe('401 invalid_token')
    expect(await refusal(get({ authorization: 'Bearer other' }))).toBe('401 invalid_token')
    expect(await refusal(get({}, '/openapi.json'))).toBe('401 invalid_token')
    expect(await refusal(get({}, '/log/stream'))).toBe('401 invalid_token')
    expect((await get({ authorization: 'Bearer of-the-test' })).status).toBe(200)
    const page = await get({}, '/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('is a page of another origin, or one whose name was made to point here', async () => {
    const provider = testProvider({ control: true })
    const request = (url: string, origin?: string) =>
      Promise.resolve(
        provider.app.request(url, { method: 'POST', ...(origin && { headers: { origin } }) }),
      )
    expect(await refusal(request('/_control/reset', 'https://evil.example'))).toBe('403 forbidden')
    expect(await refusal(request('http://evil.example/_control/reset'))).toBe('403 forbidden')
    const fetchedBy = (site: string) =>
      Promise.resolve(
        provider.app.request('/_control/clients', { headers: { 'sec-fetch-site': site } }),
      )
    expect(await refusal(fetchedBy('cross-site'))).toBe('403 forbidden')
    expect(await refusal(fetchedBy('same-site'))).toBe('403 forbidden')
    expect((await fetchedBy('same-origin')).status).toBe(200)
    expect((await fetchedBy('none')).status).toBe(200)
    expect((await request('http://127.0.0.1:1/_control/reset')).status).toBe(204)
    expect(
      (await request('https://provider.test/_control/reset', 'https://provider.test')).status,
    ).toBe(204)
  })

  test('cannot be anybody: without a token it is not served to other machines', async () => {
    await expect(serveMockProvider({ hostname: '0.0.0.0', control: true })).rejects.toThrow(
      TypeError,
    )
    const provider = await serveMockProvider({ hostname: '0.0.0.0', control: { token: 'x' } })
    close = () => provider.close()
    expect((await fetch(`http://127.0.0.1:${provider.port}/_control/clients`)).status).toBe(401)
  })
})

test('a masked credential can be told from another, and not be used', () => {
  const token = `at_${'x'.repeat(28)}1234`
  expect(maskText(`Bearer ${token}, Basic dXNlcjpwYXNzd29yZA==`)).toBe(
    'Bearer at_xxx…1234, Basic dXNlcj…ZA==',
  )
  expect(maskText('a=1&client_secret=short&b=2')).toBe('a=1&client_secret=…&b=2')
})
