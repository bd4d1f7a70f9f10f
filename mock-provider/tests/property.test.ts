/** Random sequences over several clients, users, tenants and instances against rules written a second time. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMockProvider, type MockProvider } from '../provider/provider.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import {
  authorizationParameters,
  basic,
  encode,
  members,
  redirectUri,
  verifier,
  type TokenResponse,
} from '../testing.ts'

/** An RSA key for each of hundreds of issuers would take minutes. */
const quick = { idTokenSigningAlg: 'ES256', deviceInterval: 0 } as const

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

const clients = ['a', 'b'].map((clientId) => ({
  clientId,
  clientSecret: clientId,
  redirectUris: [redirectUri],
  grantTypes: ['authorization_code', 'refresh_token', deviceGrant, exchangeGrant] as const,
}))

const places = ['', '/one', '/two'] as const

interface Credential {
  readonly place: string
  readonly clientId: string
  readonly subject: string
  readonly family: { ended: boolean }
  readonly value: string
  live: boolean
}

interface Seen {
  readonly pushed: Credential[]
  readonly codes: Credential[]
  readonly devices: Credential[]
  readonly access: Credential[]
  readonly refresh: Credential[]
}

/** Some are likelier than others. */
const acts = [
  'push',
  'visit',
  'approve',
  'connect',
  'redeem',
  'redeem',
  'poll',
  'refresh',
  'exchange',
  'revoke',
  'access',
  'access',
] as const

const step = fc.record({
  act: fc.constantFrom(...acts),
  /** Mostly the right place and client, sometimes another one. */
  place: fc.constantFrom('own', 'own', 'own', ...places),
  client: fc.constantFrom('own', 'own', 'own', 'a', 'b'),
  subject: fc.constantFrom('alice', 'bob'),
  pick: fc.nat(20),
  instance: fc.nat(1),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const own = (chosen: string, instead: string) => (chosen === 'own' ? instead : chosen)

const pickFrom = (list: readonly Credential[], { pick }: Step) => list[pick % (list.length || 1)]

class World {
  readonly #instances: readonly MockProvider[]
  readonly seen: Seen = { pushed: [], codes: [], devices: [], access: [], refresh: [] }

  constructor() {
    const storage = createMemoryStorage()
    // two instances behind a balancer have their storage in common, and nothing else
    this.#instances = [0, 1].map(() =>
      createMockProvider({ ...quick, clients, storage, tenants: true }),
    )
  }

  request(at: Step, path: string, init: RequestInit = {}) {
    const provider = this.#instances[at.instance]!
    return Promise.resolve(provider.app.request(path, init))
  }

  post(at: Step, path: string, client: string, form: Readonly<Record<string, string>>) {
    const headers = {
      ...basic(client, client),
      'content-type': 'application/x-www-form-urlencoded',
    }
    return this.request(at, path, { method: 'POST', headers, body: encode(form) })
  }

  /** Approves at the page that a response leads to. */
  decide(at: Step, response: Response) {
    const { pathname } = new URL(response.headers.get('location') ?? '')
    return this.request(at, `${pathname}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'approve', subject: at.subject }),
    })
  }

  async push(at: Step) {
    const place = own(at.place, '')
    const clientId = own(at.client, 'a')
    const form = { ...authorizationParameters, client_id: clientId } as Record<string, string>
    const { request_uri: value } = await members<Record<string, string>>(
      this.post(at, `${place}/par`, clientId, form),
    )
    const family = { ended: false }
    const { subject } = at
    this.seen.pushed.push({ place, clientId, subject, family, value: value ?? '', live: true })
  }

  /** Brings a pushed request, which is used once, by its client, at its issuer. */
  async visit(at: Step) {
    const credential = pickFrom(this.seen.pushed, at)
    if (!credential) return
    const place = own(at.place, credential.place)
    const client = own(at.client, credential.clientId)
    const query = encode({ client_id: client, request_uri: credential.value })
    const { status } = await this.request(at, `${place}/authorize?${query}`)
    const mine = place === credential.place && client === credential.clientId
    expect(status).toBe(mine && credential.live ? 303 : 400)
    if (mine) credential.live = false
  }

  /** Begins a device's authorization, which its user approves. */
  async connect(at: Step) {
    const place = own(at.place, '')
    const clientId = own(at.client, 'a')
    const started = await members<Record<'device_code' | 'user_code', string>>(
      this.post(at, `${place}/device_authorization`, clientId, {}),
    )
    const typed = await this.request(at, `${place}/device`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode({ user_code: started.user_code }),
    })
    expect((await this.decide(at, typed)).status).toBe(200)
    const { subject } = at
    const value = started.device_code
    const family = { ended: false }
    this.seen.devices.push({ place, clientId, subject, family, value, live: true })
  }

  /** Exchanges an access token for one that ends with the same authorization. */
  async trade(at: Step) {
    const credential = pickFrom(this.seen.access, at)
    if (!credential) return
    const place = own(at.place, credential.place)
    const clientId = own(at.client, credential.clientId)
    const granted = place === credential.place && credential.live && !credential.family.ended
    const response = await this.post(at, `${place}/token`, clientId, {
      grant_type: exchangeGrant,
      subject_token: credential.value,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    expect(response.status).toBe(granted ? 200 : 400)
    if (!granted) return
    const { access_token: value } = await members<TokenResponse>(response)
    this.seen.access.push({ ...credential, clientId, value })
  }

  async approve(at: Step) {
    const place = own(at.place, '')
    const clientId = own(at.client, 'a')
    const query = encode({ ...authorizationParameters, client_id: clientId })
    const decided = await this.decide(at, await this.request(at, `${place}/authorize?${query}`))
    const value = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const family = { ended: false }
    this.seen.codes.push({ place, clientId, subject: at.subject, family, value, live: true })
  }

  /** Presents a code or a refresh token; all are used once, by their client, at their issuer. */
  async exchange(at: Step, kind: 'codes' | 'devices' | 'refresh') {
    const credential = pickFrom(this.seen[kind], at)
    if (!credential) return
    const place = own(at.place, credential.place)
    const client = own(at.client, credential.clientId)
    const mine = place === credential.place && client === credential.clientId
    const granted = mine && credential.live && !credential.family.ended
    const { value } = credential
    const forms = {
      codes: {
        grant_type: 'authorization_code',
        code: value,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      },
      devices: { grant_type: deviceGrant, device_code: value },
      refresh: { grant_type: 'refresh_token', refresh_token: value },
    }
    const response = await this.post(at, `${place}/token`, client, forms[kind])
    expect(response.status).toBe(granted ? 200 : 400)
    // RFC 6749 §4.1.2, RFC 9700 §4.14.2; a device code does not travel where it could be stolen
    if (mine && !credential.live && kind !== 'devices') credential.family.ended = true
    if (!granted) return
    credential.live = false
    const tokens = await members<TokenResponse>(response)
    const { value: _, live: __, ...rest } = credential
    this.seen.access.push({ ...rest, value: tokens.access_token, live: true })
    this.seen.refresh.push({ ...rest, value: tokens.refresh_token, live: true })
  }

  async revoke(at: Step) {
    const kind = at.subject === 'alice' ? 'access' : 'refresh'
    const credential = pickFrom(this.seen[kind], at)
    if (!credential) return
    const place = own(at.place, credential.place)
    const client = own(at.client, credential.clientId)
    const { status } = await this.post(at, `${place}/revoke`, client, { token: credential.value })
    const here = place === credential.place
    const mine = here && client === credential.clientId
    // what is unknown here is as good as revoked (RFC 7009 §2.2)
    expect(status).toBe(here && !mine ? 400 : 200)
    if (!mine) return
    if (kind === 'refresh') credential.family.ended = true
    else credential.live = false
  }

  async access(at: Step) {
    const credential = pickFrom(this.seen.access, at)
    if (!credential) return
    const place = own(at.place, credential.place)
    const headers = { authorization: `Bearer ${credential.value}` }
    const response = await this.request(at, `${place}/resource/items`, { headers })
    const served = place === credential.place && credential.live && !credential.family.ended
    expect(response.status).toBe(served ? 200 : 401)
    if (served) expect(await response.text()).toContain(`Welcome, ${credential.subject}`)
  }

  async perform(at: Step) {
    const perform = {
      push: () => this.push(at),
      visit: () => this.visit(at),
      approve: () => this.approve(at),
      redeem: () => this.exchange(at, 'codes'),
      connect: () => this.connect(at),
      poll: () => this.exchange(at, 'devices'),
      refresh: () => this.exchange(at, 'refresh'),
      exchange: () => this.trade(at),
      revoke: () => this.revoke(at),
      access: () => this.access(at),
    }
    return perform[at.act]()
  }
}

test('no sequence of requests redeems a code twice, uses what was revoked, or crosses clients, users or tenants', async () => {
  const steps = fc.array(step, { minLength: 10, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = new World()
      for (const each of sequence) await world.perform(each)
    }),
    { numRuns: 120 },
  )
})
