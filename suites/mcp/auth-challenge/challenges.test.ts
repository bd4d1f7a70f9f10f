import { describe, expect, test } from 'vitest'
import { parseChallenges } from './challenges.ts'

const read = (value: string) => {
  const parsed = parseChallenges(value)
  if ('problem' in parsed) return parsed.problem
  return parsed.challenges.map((each) => [each.scheme, Object.fromEntries(each.parameters)])
}

describe('challenges', () => {
  test.each([
    ['Bearer', [['bearer', {}]]],
    ['Bearer realm="x"', [['bearer', { realm: 'x' }]]],
    ['bearer SCOPE = a , Realm="b"', [['bearer', { scope: 'a', realm: 'b' }]]],
    [
      'Bearer scope="a b", error=invalid_token',
      [['bearer', { scope: 'a b', error: 'invalid_token' }]],
    ],
    ['Bearer realm="Grüße\t—"', [['bearer', { realm: 'Grüße\t—' }]]],
    ['Bearer realm="a \\"b\\", c"', [['bearer', { realm: 'a "b", c' }]]],
    [
      ', Basic realm="x",, Bearer scope="y" ,',
      [
        ['basic', { realm: 'x' }],
        ['bearer', { scope: 'y' }],
      ],
    ],
    [
      'Negotiate YWJj==, Bearer a="b"',
      [
        ['negotiate', {}],
        ['bearer', { a: 'b' }],
      ],
    ],
    [
      'Negotiate, Bearer a="b"',
      [
        ['negotiate', {}],
        ['bearer', { a: 'b' }],
      ],
    ],
    [
      'DPoP algs="ES256", Bearer resource_metadata="https://x/y?z=1"',
      [
        ['dpop', { algs: 'ES256' }],
        ['bearer', { resource_metadata: 'https://x/y?z=1' }],
      ],
    ],
  ])('%s', (value, challenges) => {
    expect(read(value)).toEqual(challenges)
  })

  test.each([
    ['', 'no challenge at all'],
    [' , ', 'no challenge at all'],
    ['Bearer error="a" resource_metadata="b"', 'no comma before'],
    ['WWW-Authenticate: Bearer a="b"', 'no authentication scheme before'],
    ['Bearer a="b', 'neither a parameter nor a comma before'],
    ['Bearer a="b", a="c"', 'a stands twice'],
    ['Bearer a="b\r\nc"', 'neither a parameter nor a comma before'],
    ['Bearer a="b\\\nc"', 'neither a parameter nor a comma before'],
    ['Bearer a=https://x/y', 'what a holds needs quotes before'],
    ['Bearer a=b c="d"', 'no comma before'],
    ['"Bearer"', 'no authentication scheme before'],
    ['{"Bearer":1}', 'no authentication scheme before'],
    ['Bearer please sign in', 'neither a parameter nor a comma before'],
  ])('%s is none', (value, problem) => {
    expect(read(value)).toContain(problem)
  })
})
