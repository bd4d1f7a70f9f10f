import { expect, test } from 'vitest'
import type { Finding } from '../../harness/engine/index.ts'
import { failed, recordOf } from '../testing.ts'
import { agreementOf } from './agreement.ts'

const finding = (title: string, verdict: Finding['verdict']): Finding => ({
  ...failed,
  title,
  verdict,
})
const certified = recordOf([finding('a', 'pass'), finding('b', 'pass'), finding('c', 'fail')])

test('the same verdicts agree, whatever the messages are', () => {
  expect(agreementOf(certified, certified)).toEqual({ same: 3, differing: [], notRepeated: 0 })
})

test('another verdict is named, also one that is missing', () => {
  const again = recordOf([finding('a', 'inconclusive'), finding('b', 'pass')])
  const { same, differing } = agreementOf(certified, again)
  expect(same).toBe(1)
  expect(differing).toEqual([
    expect.stringMatching(/: a: certified pass, here inconclusive$/),
    expect.stringMatching(/: c: certified fail, here not judged$/),
  ])
})

test('what the instance could not be asked is counted, and no difference', () => {
  const again = recordOf([
    finding('a', 'not-applicable'),
    finding('b', 'pass'),
    finding('c', 'fail'),
  ])
  expect(agreementOf(certified, again)).toEqual({ same: 2, differing: [], notRepeated: 1 })
})
