import { expect, test } from 'vitest'
import { recording } from '../url-elicitation/server/testing.ts'
import { isAnswer, serverFrames } from '../wire/frames.ts'
import { endedUnasked } from './tool-calls.ts'

const unasked = (answered: ReturnType<typeof recording>) =>
  endedUnasked('call-1', serverFrames(answered.transcript, 'call-1').find(isAnswer))

test('whoever ends instead of asking is told how', () => {
  const begun = () => recording().connect().begin()
  const ended = 'call-1 ended instead of asking for anything'
  const error = { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } }
  expect(unasked(begun().result('all'))).toBe(`${ended}: a result, "all"`)
  expect(unasked(begun().fails())).toBe(`${ended}: the error -32603, "no"`)
  expect(unasked(begun().fails(error))).toBe(
    `${ended}: the error -32022, "no"; it does not speak the revision that it was called in, it speaks 2026-07-28: see target.revision`,
  )
  expect(unasked(begun())).toBe(ended)
})
