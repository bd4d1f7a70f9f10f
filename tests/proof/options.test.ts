import { expect, test } from 'vitest'
import { parseShard, readOptions, shardOf, workersOf } from './options.ts'

const rows = Array.from({ length: 23 }, (_, index) => index)

test('shards, and the workers of a shard, prove every row once', () => {
  const proven = ['1/3', '2/3', '3/3'].flatMap((shard) => {
    const part = shardOf(rows, parseShard(shard))
    return workersOf({ update: false }).flatMap((worker) => shardOf(part, parseShard(worker)))
  })
  expect(proven.toSorted((a, b) => a - b)).toEqual(rows)
})

test('what is recorded is written by one process', () => {
  expect(workersOf(readOptions({ UPDATE: '1' }))).toEqual(['1/1'])
})

test.each(['0/2', '3/2', '1', 'x/y'])('%s is no shard', (text) => {
  expect(() => parseShard(text)).toThrow(RangeError)
})

test('who asks for scenarios has nothing else driven, not even where what turns is recorded', () => {
  const options = readOptions({ UPDATE: '1', PROOF_SCENARIOS: 'one,two' })
  expect(options).toMatchObject({ full: false, update: true, scenarios: ['one', 'two'] })
})
