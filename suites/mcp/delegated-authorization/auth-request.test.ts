import { expect, test } from 'vitest'
import { anotherOption } from './auth-request.ts'

const requested = 'http://127.0.0.1:4000/callback'
const loopback = 'http://127.0.0.1:{port}/callback'
const mobile = 'com.example.items://callback'
const web = 'https://callback.example.com/{session}'

test.each([
  ['the second one', [loopback, mobile], mobile],
  ['the only one, with another port', [loopback], 'http://127.0.0.1:4001/callback'],
  ['one that can be filled', [mobile, web, loopback], 'http://127.0.0.1:4001/callback'],
  ['one that the request does not have', [requested, loopback], 'http://127.0.0.1:4001/callback'],
  ['none where there is no other', [requested, web], undefined],
  ['none where none is offered', [], undefined],
])('a client that selects another option takes %s', (_, options, selected) => {
  expect(anotherOption(options, requested, 4001)).toBe(selected)
})
