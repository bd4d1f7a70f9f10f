/** Random sequences over several clients, users, tenants and instances against rules written a second time. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMockProvider, type MockProvider } from './provider.ts'
import { createMemoryStorage } from './storage/memory.ts'
import {
  authorizationParameters,
  basic,
  encode,
  members,
  redirectUri,
  verifier,
} from './testing.ts'
import type { TokenResponse } from './testing.ts'

const clients = ['a', 'b'].map((clientId) => ({
  clientId,
  clientSecret: clientId,
  redirectUris: [redirectUri],
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
  readonly codes: Credential[]
  readonly access: Credential[]
  readonly refresh: Credential[]
}

const step = fc.record({
  act: fc.constantFrom('approve', 'redeem', 'redeem', 'refresh', 'revoke', 'access', 'access'),
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
  readonly seen: Seen = { codes: [], access: [], refresh: [] }

  constructor() {
    const storage = createMemoryStorage()
    // two instances behind a balancer have their storage in common, and nothing else
    this.#instances = [0, 1].map(() => createMockProvider({ clients, storage, tenants: true }))
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

  async approve(at: Step) {
    const place = own(at.place, '')
    const clientId = own(at.client, 'a')
    const query = encode({ ...authorizationParameters, client_id: clientId })
    const page = await this.request(at, `${place}/authorize?${query}`)
    const location = new URL(page.headers.get('location') ?? '')
    const decided = await this.request(at, `${location.pathname}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'approve', subject: at.subject }),
    })
    const value = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const family = { ended: false }
    this.seen.codes.push({ place, clientId, subject: at.subject, family, value, live: true })
  }

  /** Presents a code or a refresh token; both are used once, by their client, at their issuer. */
  async exchange(at: Step, kind: 'codes' | 'refresh') {
    const credential = pickFrom(this.seen[kind], at)
    if (!credential) return
    const place = own(at.place, credential.place)
    const client = own(at.client, credential.clientId)
    const mine = place === credential.place && client === credential.clientId
    const granted = mine && credential.live && !credential.family.ended
    const form =
      kind === 'codes'
        ? {
            grant_type: 'authorization_code',
            code: credential.value,
            redirect_uri: redirectUri,
            code_verifier: verifier,
          }
        : { grant_type: 'refresh_token', refresh_token: credential.value }
    const response = await this.post(at, `${place}/token`, client, form)
    expect(response.status).toBe(granted ? 200 : 400)
    if (mine && !credential.live) credential.family.ended = true
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
    if (at.act === 'approve') return this.approve(at)
    if (at.act === 'redeem') return this.exchange(at, 'codes')
    if (at.act === 'refresh') return this.exchange(at, 'refresh')
    return at.act === 'revoke' ? this.revoke(at) : this.access(at)
  }
}

describe('no sequence of requests', () => {
  test('redeems a code twice, uses what was revoked, or crosses clients, users or tenants', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const world = new World()
        for (const each of sequence) await world.perform(each)
      }),
      { numRuns: 120 },
    )
  })

  test('redeems a code twice although all its requests race', async () => {
    const scheduled = fc.array(fc.record({ instance: fc.nat(1) }), { minLength: 2, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), scheduled, async (scheduler, racers) => {
        const inner = createMemoryStorage()
        // every answer of the storage comes in an order that the scheduler chooses
        const later = <T>(value: T, name: string): Promise<T> =>
          scheduler.schedule(Promise.resolve(), name).then(() => value)
        const storage: typeof inner = {
          ...inner,
          immediate: false,
          get: (collection, id) => later(inner.get(collection, id), `get ${collection}`),
          update: (collection, id, change, lifetime) =>
            later(inner.update(collection, id, change, lifetime), `update ${collection}`),
        }
        const providers = [0, 1].map(() =>
          createMockProvider({ clients, storage, autoApprove: { subject: 'alice' } }),
        )
        const query = encode({ ...authorizationParameters, client_id: 'a' })
        const begun = Promise.resolve(providers[0]!.app.request(`/authorize?${query}`))
        const approved = await scheduler.waitFor(begun)
        const code = new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? ''
        const form = {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }
        const headers = {
          ...basic('a', 'a'),
          'content-type': 'application/x-www-form-urlencoded',
        }
        const redeem = async (instance: number) =>
          providers[instance]!.app.request('/token', {
            method: 'POST',
            headers,
            body: encode(form),
          })
        const racing = Promise.all(racers.map(({ instance }) => redeem(instance)))
        const responses = await scheduler.waitFor(racing)
        expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      }),
      { numRuns: 60 },
    )
  })
})
