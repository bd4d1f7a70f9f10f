import { describe, expect, test } from 'vitest'
import { parseRunRecord, RunRecordError } from './run-record.ts'
import { resultsJson } from '../views/results-json.ts'
import { failed, recordOf } from '../testing.ts'

/** As it stands in the file. */
const stored = () => structuredClone(recordOf([failed]))

describe('parseRunRecord', () => {
  test('reads what was written', () => {
    const input: unknown = JSON.parse(resultsJson(stored()))
    expect(parseRunRecord(input)).toEqual(input)
  })

  test.each([
    ['something else', {}, /not a run record: format is missing/],
    ['nothing', null, /not a run record/],
    ['a text', 'x', /not a run record/],
    [
      'a newer version',
      { ...stored(), version: 3 },
      /reads version 2, so read it with a newer suite/,
    ],
    [
      'an older version',
      { ...stored(), version: 1 },
      /version 1; .*, so run the certification again/,
    ],
    ['a damaged record', { ...stored(), verdict: 'great' }, /damaged run record: verdict/],
    ['an unknown member', { ...stored(), extra: 1 }, /damaged run record/],
  ])('refuses %s', (_, input, message) => {
    expect(() => parseRunRecord(input)).toThrow(RunRecordError)
    expect(() => parseRunRecord(input)).toThrow(message)
  })
})
