import { expect, test } from 'vitest'
import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said } from '../testing.ts'
import { decoded, encoded, lawfulCallbacks } from './lawful-callbacks.ts'

const callback =
  'http://127.0.0.1:9555/callback?code=4%2Fa%2Bb%3D%26&state=s-1&iss=https%3A%2F%2Fp%3A1'

test('a callback that is written otherwise says the same', () => {
  const parameters = [...new URL(callback).searchParams]
  expect(decoded(callback)).toBe(
    'http://127.0.0.1:9555/callback?code=4/a%2Bb%3D%26&state=s-1&iss=https://p:1',
  )
  expect(encoded(callback)).toContain('state=%73%2d%31')
  for (const write of [decoded, encoded])
    expect([...new URL(write(callback)).searchParams]).toEqual(parameters)
})

const back = () => recording().asked().decision().callback()
const redeemed = () =>
  back()
    .grant()
    .access()
    .back([said.result(items())])

describeExamples(
  lawfulCallbacks,
  Object.fromEntries(
    lawfulCallbacks.map(({ id }) => [
      id,
      {
        'oauth-client/exchange-code': {
          pass: { 'it is redeemed': redeemed() },
          violation: {
            'no token request': back()
              .back()
              .step('gave-up', { what: 'no result', within: 30_000 }),
          },
          inconclusive: { 'it was not handed on': recording().asked() },
        },
      },
    ]),
  ),
  options,
)
