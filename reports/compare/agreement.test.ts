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
  expect(agreementOf(certified, certified)).toEqual({
    same: 3,
    confirmed: true,
    differing: [],
    notRepeated: 0,
  })
})

test('another verdict is named, also one that is missing', () => {
  const again = recordOf([finding('a', 'inconclusive'), finding('b', 'pass')])
  const { same, confirmed, differing } = agreementOf(certified, again)
  expect([same, confirmed]).toEqual([1, false])
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
  expect(agreementOf(certified, again)).toEqual({
    same: 2,
    confirmed: true,
    differing: [],
    notRepeated: 1,
  })
})

test('where nothing could be asked, nothing is confirmed', () => {
  const [nothing, again] = [certified, recordOf([finding('x', 'not-offered')])].map((record) =>
    recordOf(record.findings.map(({ title }) => finding(title, 'not-applicable'))),
  )
  expect(agreementOf(certified, nothing!)).toMatchObject({ same: 0, confirmed: false })
  expect(agreementOf(again!, again!)).toMatchObject({ same: 0, confirmed: false })
})
