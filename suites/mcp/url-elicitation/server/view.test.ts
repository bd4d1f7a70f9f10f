import { describe, expect, test } from 'vitest'
import { recording } from './testing.ts'
import { callOf, callsOf, endedUnserved, retryDue } from './view.ts'

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

  test('has not ended by what it was made again after', () => {
    const call = callOf(
      recording().agreed().result('call again').attempt().result('3 items').transcript,
    )
    expect(call.ended).toMatchObject([{ text: '3 items' }])
    expect(call.replies).toHaveLength(2)
  })

  test('has ended, where its user is asked anew when it is made again with a token', () => {
    const told = () => recording().agreed().authorized().result('no token').attempt()
    const again = told().elicit().after(5000).failed('too late')
    expect(callOf(told().transcript).ended).toEqual([])
    expect(callOf(again.transcript).ended).toMatchObject([{ text: 'no token', error: false }])
    expect(endedUnserved(callOf(again.transcript), again.transcript)).toBe(false)
    const early = recording().agreed().result('call again').authorized().attempt().elicit().failed()
    expect(callOf(early.transcript).ended).toMatchObject([{ error: true }])
  })

  describe('ended before what its user did could have been used', () => {
    const unserved = ({ transcript }: ReturnType<typeof recording>) =>
      endedUnserved(callOf(transcript), transcript)
    const told = () => recording().agreed().result('call again')

    test.each([
      ['before the browser was back', told().authorized()],
      ['in an error, before the browser was back', recording().agreed().failed().authorized()],
      ['before the user had denied', told().callback({ error: 'access_denied' })],
      ['while the code was redeemed', recording().agreed().callback().result('again').grant()],
      [
        'before the exchange, which failed',
        recording().agreed().callback().result('again').grant({ outcome: 'refused', issued: [] }),
      ],
      [
        'before its user had agreed',
        recording().begin().elicit().result('sign in first').answer('accept').authorized(),
      ],
      [
        'before it asked, which its user followed',
        recording().begin().result('sign in first').elicit().answer('accept').authorized(),
      ],
      ['with a token that it did not use', recording().agreed().authorized().result('call again')],
    ])('%s', (_, t) => {
      expect(unserved(t)).toBe(true)
    })

    test.each([
      ['nobody came back yet', told()],
      ['its user had not agreed', recording().begin().elicit().result('no').authorized()],
      ['its user refused', recording().begin().elicit().answer('decline').result('no').callback()],
      ['it was asked by an error', recording().begin().required().attempt().failed().callback()],
      ['it was served', recording().agreed().authorized().upstream('/resource/items').result()],
      ['it failed with the token', recording().agreed().authorized().failed()],
      [
        'the exchange had failed',
        recording().agreed().callback().grant({ outcome: 'refused' }).result('no'),
      ],
      [
        'the exchange was given up, which the provider heard of later',
        recording().agreed().callback().failed().grant({ outcome: 'refused', issued: [] }),
      ],
      [
        'the answer of the provider was held back until then',
        recording().agreed().callback().failed().step('release').grant(),
      ],
      ['it was denied', recording().agreed().callback({ error: 'access_denied' }).result('no')],
      ['it has not ended', recording().agreed().authorized()],
      ['its user is asked anew', told().authorized().attempt().result('sign in first').elicit()],
    ])('not where %s', (_, t) => {
      expect(unserved(t)).toBe(false)
    })
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
