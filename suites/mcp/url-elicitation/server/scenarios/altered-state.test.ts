import { describe, expect, test } from 'vitest'
import { altered, grown, unsigned } from './altered-state.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (state: string): unknown =>
  JSON.parse(Buffer.from(state, 'base64url').toString('utf8'))

describe('a state that can be read has each of its values changed', () => {
  test('in base64url', () => {
    expect(altered(encoded({ user: 'me', n: 1 })).map(decoded)).toEqual([
      { user: 'mA', n: 1 },
      { user: 'me', n: 2 },
    ])
  })

  test('as JSON', () => {
    expect(altered('{"user":"me","n":1}')).toEqual(['{"user":"mA","n":1}', '{"user":"me","n":2}'])
  })

  test('as a list, encoded or not', () => {
    expect(altered('["me",1]')).toEqual(['["mA",1]', '["me",2]'])
    expect(altered(encoded(['me', 1])).map(decoded)).toEqual([
      ['mA', 1],
      ['me', 2],
    ])
  })

  test('as a form', () => {
    expect(altered('user=me&n=1')).toEqual(['user=mA&n=1', 'user=me&n=A'])
  })

  test('beside a signature', () => {
    const [one = ''] = altered(`${encoded({ user: 'me' })}.signature`)
    expect(decoded(one.split('.')[0] ?? '')).toEqual({ user: 'mA' })
    expect(one).toMatch(/\.signature$/)
  })
})

test('one that cannot be read has a character changed', () => {
  expect(altered('opaque')).toEqual(['opaAue'])
  expect(altered('a2V5=')).toHaveLength(1)
})

describe('a signature is taken away', () => {
  const header = (alg: string) => encoded({ alg, typ: 'JWT' })
  const payload = encoded({ user: 'me' })

  test('with its point, and without', () => {
    expect(unsigned(`v1.${payload}.signature`)).toEqual([`v1.${payload}.`, `v1.${payload}`])
  })

  test('of a JWT, which then says so', () => {
    expect(unsigned(`${header('HS256')}.${payload}.signature`)).toContain(
      `${header('none')}.${payload}.`,
    )
  })

  test('not of what cannot be read', () => {
    expect(unsigned('opaque')).toEqual([])
    expect(unsigned('a.b.c')).toEqual([])
    expect(unsigned(payload)).toEqual([])
  })
})

test('what is verified notices a member more', () => {
  expect(grown('{"user":"me"}')).toBe('{"user":"me","altered":true}')
  expect(grown('["me"]')).toBe('["me",true]')
})
