import { describe, expect, test } from 'vitest'
import { recording } from './testing.ts'
import { callOf, callsOf, retryDue } from './view.ts'

describe('a call', () => {
  test('is asked in any of the three ways, and ends by none of them', () => {
    const t = recording().begin().elicit().required().attempt().input().attempt().result('3 items')
    const call = callOf(t.transcript)
    expect(call.askings.map(({ how }) => how)).toEqual(['request', 'error', 'input'])
    expect(call.asked.map(({ url }) => url)).toEqual(
      Array.from({ length: 3 }, () => 'http://127.0.0.1:4100/connect?e=call-1'),
    )
    expect(call.ended).toMatchObject([{ text: '3 items', error: false }])
    expect([call.user, call.connection]).toEqual(['user-1', 'connection-1'])
  })

  test('ends by whatever answers it, and says in words how', () => {
    const endings = (t: ReturnType<typeof recording>) =>
      callOf(t.transcript).ended.map(({ text, error }) => [text, error])
    const begun = () => recording().begin()
    expect(endings(begun().failed('no'))).toEqual([['no', true]])
    expect(endings(begun().fails({ code: 1, message: 'no' }))).toEqual([['no', true]])
    expect(endings(begun().fails({ code: 1 }))).toEqual([['', true]])
    expect(endings(begun().result('', { content: [{ type: 'image' }] }))).toEqual([['', false]])
    const structured = { content: undefined, structuredContent: { items: [] } }
    expect(endings(begun().result('', structured))).toEqual([['{"items":[]}', false]])
    expect(endings(begun().stream({ id: 'another', result: {} }))).toEqual([])
  })

  test('is to be tried again as long as nobody has', () => {
    const asked = recording().begin().required()
    expect(retryDue(callOf(asked.transcript))).toBeDefined()
    expect(retryDue(callOf(asked.attempt().transcript))).toBeUndefined()
    expect(retryDue(callOf(asked.failed().transcript))).toBeUndefined()
    expect(retryDue(callOf(recording().begin().elicit().transcript))).toBeUndefined()
  })

  test('stands among those of its recording', () => {
    const t = recording().begin().result('a').begin({ user: 'user-2' }).result('b').transcript
    expect(callsOf(t).map(({ name, ended }) => [name, ended[0]?.text])).toEqual([
      ['call-1', 'a'],
      ['call-2', 'b'],
    ])
    expect(callOf(t, 'call-3')).toMatchObject({ user: undefined, ended: [], asked: [] })
  })
})
