import { expect, test } from 'vitest'
import type { ProviderRecord, Recorded } from '../../harness/engine/index.ts'
import { refusalIn } from './view.ts'

const refused = (detail: Readonly<Record<string, unknown>>): Recorded<ProviderRecord> => ({
  scenario: 's',
  seq: 1,
  t: 0,
  type: 'provider',
  event: 'grant',
  exchange: 'p1',
  detail: { outcome: 'refused', error: 'invalid_grant', verifier: 'matched', ...detail },
})

test('a refusal is given in the words of the provider', () => {
  expect(refusalIn(refused({ problem: 'the redirect URI is not the same' }))).toBe(
    'invalid_grant: the redirect URI is not the same',
  )
})

test('older recordings have no words, and say what is known of the verifier', () => {
  expect(refusalIn(refused({}))).toBe('invalid_grant: verifier matched')
})

test('one because of the method of authentication says where the methods are set', () => {
  const problem = 'the client is registered for none, and used client_secret_post'
  expect(refusalIn(refused({ error: 'invalid_client', problem }))).toBe(
    `invalid_client: ${problem} (provider.client.auth says which methods it may use)`,
  )
})
