import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { derivationOf, verifierDerivationOf } from './derived-values.ts'

const known = { id: 'call-1', group_id: 'group-7', user_id: 'u', call_id: null }
const hash = (algorithm: string, text: string) => createHash(algorithm).update(text)

describe('a state', () => {
  test.each([
    ['a value', 'call-1', 'the value of id'],
    ['a value backwards', '1-llac', 'the reversal of id'],
    [
      'another form of it',
      Buffer.from('group-7').toString('base64url'),
      'the base64url form of group_id',
    ],
    ['a digest', hash('md5', 'u').digest('hex').toUpperCase(), 'the md5 of user_id'],
    [
      'a digest of two, cut short',
      hash('sha1', 'group-7call-1').digest('hex').slice(0, 24),
      'the sha1 of group_id and id',
    ],
    [
      'a digest of three with a separator',
      hash('sha256', 'u:group-7:call-1').digest('base64url'),
      'the sha256 of user_id and group_id and id',
    ],
  ])('that is %s is found out', (_, state, how) => expect(derivationOf(state, known)).toBe(how))

  test.each([
    ['random', 'kq3PZ0l5r8wQeTn4VxGmJw'],
    ['a digest of something else', hash('sha256', 'call-2').digest('hex')],
    ['too short to be told', hash('md5', 'u').digest('hex').slice(0, 8)],
  ])('that is %s is not', (_, state) => expect(derivationOf(state, known)).toBeUndefined())
})

test('a verifier is found out by its challenge', () => {
  const challengeOf = (verifier: string) => hash('sha256', verifier).digest('base64url')
  const state = 'kq3PZ0l5r8wQeTn4VxGmJw-kq3PZ0l5r8wQeTn4VxGmJw'
  expect(verifierDerivationOf(challengeOf(state), { state })).toBe('the value of state')
  const digest = hash('sha256', state).digest('base64')
  expect(verifierDerivationOf(challengeOf(digest.replaceAll('=', '')), { state })).toBe(
    'the sha256 of state',
  )
  expect(verifierDerivationOf(challengeOf(state + state), { state })).toBe(
    'the value of state and state',
  )
  expect(verifierDerivationOf(challengeOf('random'), { state })).toBeUndefined()
})
