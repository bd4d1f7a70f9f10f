import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  approve,
  listItems,
  members,
  post,
  redeem,
  refresh,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

/** What an attacker and a client may do in any order; `pick` chooses among the tokens seen so far. */
const step = fc.record({
  act: fc.constantFrom('redeem', 'refresh', 'revoke access', 'revoke refresh', 'access'),
  pick: fc.nat(7),
})

/** The rules, written a second time in the simplest way. */
interface Model {
  redeemed: boolean
  ended: boolean
  readonly access: { value: string; live: boolean }[]
  readonly refresh: { value: string; live: boolean }[]
}

test('no sequence redeems a code twice or uses what was revoked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const provider = testProvider()
      const { code } = await approve(provider)
      const model: Model = { redeemed: false, ended: false, access: [], refresh: [] }
      const keep = async (response: Response) => {
        if (response.status !== 200) return
        const tokens = await members<TokenResponse>(response)
        model.access.push({ value: tokens.access_token, live: true })
        model.refresh.push({ value: tokens.refresh_token, live: true })
      }
      for (const { act, pick } of steps) {
        const access = model.access[pick % (model.access.length || 1)]
        const renewal = model.refresh[pick % (model.refresh.length || 1)]
        if (act === 'redeem') {
          const response = await redeem(provider, code)
          expect(response.status).toBe(model.redeemed || model.ended ? 400 : 200)
          if (model.redeemed) model.ended = true
          model.redeemed = true
          await keep(response)
        } else if (act === 'refresh' && renewal) {
          const response = await refresh(provider, renewal.value)
          expect(response.status).toBe(renewal.live && !model.ended ? 200 : 400)
          if (!renewal.live) model.ended = true
          renewal.live = false
          await keep(response)
        } else if (act === 'revoke access' && access) {
          await post(provider, '/revoke', { token: access.value, client_id: 'app' })
          access.live = false
        } else if (act === 'revoke refresh' && renewal) {
          await post(provider, '/revoke', { token: renewal.value, client_id: 'app' })
          model.ended = true
        } else if (act === 'access' && access) {
          const { status } = await listItems(provider, access.value)
          expect(status).toBe(access.live && !model.ended ? 200 : 401)
        }
      }
      const live = model.access.filter((token) => token.live && !model.ended)
      const statuses = await Promise.all(
        model.access.map(async ({ value }) => (await listItems(provider, value)).status),
      )
      expect(statuses.filter((status) => status === 200)).toHaveLength(live.length)
    }),
    { numRuns: 150 },
  )
})
