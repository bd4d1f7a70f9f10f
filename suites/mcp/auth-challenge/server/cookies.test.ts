import { expect, test } from 'vitest'
import { cookiesOf } from './cookies.ts'
import { endpoint, recording } from './testing.ts'

test('what answers have set is sent to the endpoint, and no more than a browser would', () => {
  const set = [
    'sid=1; Path=/; HttpOnly',
    'sid=2; Path=/',
    'other=3; Path=/elsewhere',
    'sid=4; Domain=elsewhere.example',
  ]
  const t = recording()
    .call()
    .http(200, { 'set-cookie': set.join('\n') })
  expect(cookiesOf(t.transcript, endpoint)).toEqual({ cookie: 'sid=2' })
})

test('without any there is no header', () => {
  expect(cookiesOf(recording().call().http(401).transcript, endpoint)).toEqual({})
})
