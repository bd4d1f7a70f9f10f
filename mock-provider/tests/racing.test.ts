/** Requests for one code that race, with every answer of the storage in an order of fast-check's choice. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMockProvider } from '../provider/provider.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { authorizationParameters, basic, encode, redirectUri, verifier } from '../testing.ts'

const clients = [{ clientId: 'a', clientSecret: 'a', redirectUris: [redirectUri] }]

test('no order of racing requests redeems a code twice', async () => {
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
