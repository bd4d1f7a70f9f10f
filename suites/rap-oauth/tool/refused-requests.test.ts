import { expect, test } from 'vitest'
import { refusedRequest } from '../../oauth-client/view.ts'
import { recording } from './testing.ts'

const refused = (problem: string) =>
  recording().asked().authorizationRequest({
    valid: false,
    error: 'invalid_request',
    problem,
  })

test('a refusal is told in the words of the provider', () => {
  expect(refusedRequest(refused('code challenge required').transcript, 'call-1')).toBe(
    'the provider refused the authorization request of call-1: code challenge required',
  )
})

test('a redirect URI that is not registered names what can be configured', () => {
  const told = refusedRequest(refused('The redirect URI is not registered').transcript, 'call-1')
  expect(told).toContain('provider.client.redirectUris')
  expect(told).toContain('provider.redirectMatching')
})

test('a request that was taken is no refusal', () => {
  const taken = recording().asked().authorizationRequest({ valid: true })
  expect(refusedRequest(taken.transcript, 'call-1')).toBeUndefined()
  expect(refusedRequest(recording().transcript, 'call-1')).toBeUndefined()
})
