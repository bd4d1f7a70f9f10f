import { expect, test } from 'vitest'
import { items, recording, said, standIn } from './testing.ts'
import { callOf, callsOf } from './view.ts'

test('a call is read from its messages and their answers', () => {
  const { transcript } = recording().served()
  const call = callOf(transcript)
  expect(call).toMatchObject({ name: 'call-1', user: 'user-1', session: 'session-1' })
  expect(call.asked.map(({ url }) => url)).toEqual([
    'https://127.0.0.1:4200/authorize?client_id=c&state=s',
  ])
  expect(call.results.map(({ placeholder }) => placeholder)).toEqual([true, false])
  expect(call.ended.map(({ text, error }) => [text, error])).toEqual([
    [JSON.stringify(items()), false],
  ])
  expect(callsOf(transcript)).toHaveLength(1)
})

const ends = (...events: Parameters<typeof said.result>[0][]) =>
  callOf(
    recording()
      .asked()
      .callback()
      .back(events.map((each) => said.result(each))).transcript,
  ).ended.map(({ error }) => error)

test('what stood in for a result is none, however often it comes', () => {
  expect(ends(standIn)).toEqual([])
  expect(ends(items())).toEqual([false])
})

test.each([
  [{ error: 'no' }, true],
  [{ isError: true }, true],
  [{ is_error: true }, true],
  [{ items: ['a'], error: null }, false],
  [{ items: ['a'], error: '' }, false],
  [{ status: 'error' }, true],
  [{ result: 'fine' }, false],
  [{ status: 'success' }, false],
])('%j is an error: %s', (response, error) => {
  expect(ends(response)).toEqual([error])
})

test('the result of another call is not its end', () => {
  const other = said.result(items(), 'another')
  expect(callOf(recording().asked().callback().back([other]).transcript).ended).toEqual([])
  const bare = recording().begin().events([other])
  expect(callOf(bare.transcript).ended).toHaveLength(1)
})

test('a request that names no call has the result of the tool stand in', () => {
  const asked = (paused: string) =>
    recording()
      .begin()
      .events([said.call(), said.request('r', paused), said.result(standIn)])
  for (const paused of ['another', 'paused-1'])
    expect(callOf(asked(paused).transcript).ended).toEqual([])
})

test('an answer that failed has no events', () => {
  const failed = recording()
    .begin()
    .answered(500, JSON.stringify([said.request()]))
  expect(callOf(failed.transcript).requests).toEqual([])
})
